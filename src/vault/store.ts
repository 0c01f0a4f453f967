import { sha256Hex } from '../lib/hash.ts'
import {
  type Checkpoint,
  columns,
  guarded,
  insertInto,
  openDatabase,
  type Row,
  recordOf,
  zeroHash
} from '../memory/index.ts'

/** Checkpoints of a team (MEM-096): the tables of a device's own store, and the pinned chain roots (MEM-094). */
export interface VaultStore {
  readonly path: string
  /** Keeps a record, or says why not; both facts are durable when it returns. Throws `MemoryFailure`. */
  insert(record: Checkpoint, options: InsertOptions): InsertOutcome
  find(hash: string): Checkpoint | null
  /** The repositories a search for `repo` means: the one of that name, and those whose name has that sha256 (MEM-091). */
  repositories(repo: string): readonly string[]
  counts(): { readonly checkpoints: number; readonly devices: number }
  close(): void
}

export type InsertOptions = {
  readonly verified: boolean
  /** Whether a chain may start again with a second root (MEM-094). */
  readonly allowSegments: boolean
  /** Unix seconds. */
  readonly now: number
}
export type InsertOutcome = 'stored' | 'already-exists' | 'root-pinned'

const roots = `
CREATE TABLE IF NOT EXISTS gx_root (
  device    TEXT NOT NULL,
  repo      TEXT NOT NULL,
  hash      TEXT NOT NULL,
  pinned_at INTEGER NOT NULL,
  PRIMARY KEY (device, repo)
) WITHOUT ROWID`

/** Opens or creates the database at `path` (MEM-096). Throws `MemoryFailure`. */
export function openVaultStore(path: string): VaultStore {
  const db = openDatabase(path)
  guarded(path, 'open', () => db.exec(roots))

  const byHash = db.prepare<[string], Row>(`SELECT ${columns} FROM checkpoints WHERE hash = ?`)
  const add = insertInto(db)
  const rootOf = db.prepare<[string, string], string>('SELECT hash FROM gx_root WHERE device = ? AND repo = ?').pluck()
  const pin = db.prepare('INSERT INTO gx_root (device, repo, hash, pinned_at) VALUES (?, ?, ?, ?)')
  const nextRepo = db.prepare<[string], string | null>('SELECT min(repo) FROM checkpoints WHERE repo > ?').pluck()
  const firstRepo = db.prepare<[], string | null>('SELECT min(repo) FROM checkpoints').pluck()
  const counted = db.prepare<[], { checkpoints: bigint; devices: bigint }>(
    'SELECT count(*) AS checkpoints, count(DISTINCT device) AS devices FROM checkpoints'
  )

  /** From one name to the next in the index, not through every row. */
  function* everyRepo(): Iterable<string> {
    let repo = firstRepo.get() ?? null
    while (repo !== null) {
      yield repo
      repo = nextRepo.get(repo) ?? null
    }
  }

  const insert = db.transaction(
    (record: Checkpoint, { verified, allowSegments, now }: InsertOptions): InsertOutcome => {
      if (record.parent === zeroHash) {
        const root = rootOf.get(record.device, record.repo)
        if (root === undefined) pin.run(record.device, record.repo, record.hash, now)
        else if (root !== record.hash && !allowSegments) return 'root-pinned'
      }
      return add(record, { verified, imported: BigInt(now) }) ? 'stored' : 'already-exists'
    }
  )

  return {
    path,
    insert: (record, options) => guarded(path, 'insert', () => insert.immediate(record, options)),
    find: (hash) =>
      guarded(path, 'read', () => {
        const row = byHash.get(hash)
        return row === undefined ? null : recordOf(row)
      }),
    repositories: (repo) =>
      guarded(path, 'read', () => [...everyRepo()].filter((name) => name === repo || sha256Hex(name) === repo)),
    counts: () =>
      guarded(path, 'read', () => {
        const { checkpoints = 0n, devices = 0n } = counted.get() ?? {}
        return { checkpoints: Number(checkpoints), devices: Number(devices) }
      }),
    close: () => db.close()
  }
}
