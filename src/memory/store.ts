import { type Db, guarded, openDatabase } from './database.ts'
import { type KeyStore, openKeyStore } from './device-keys.ts'
import { type FullText, openFullText } from './full-text.ts'
import { insertInto } from './insert.ts'
import { type Outbox, openOutbox } from './outbox.ts'
import { type Checkpoint, zeroHash } from './record.ts'
import type { ChainLine } from './record-file.ts'
import { columns, type Row, recordOf } from './rows.ts'
import { openVectorStore, type VectorStore } from './vector-store.ts'

/** One chain: everything that one device remembered about one repository (MEM-050). */
export type ChainId = { readonly device: string; readonly repo: string }

/** What a new checkpoint of a chain has to continue. */
export type NextLink = { readonly parent: string; readonly ts: bigint }

/** What lists show of a checkpoint. */
export type Listing = {
  readonly hash: string
  readonly device: string
  readonly author: string
  readonly ts: bigint
  readonly repo: string
  readonly session: string
  readonly turn: number
  readonly model: string
  /** First line of the summary. */
  readonly title: string
}

/** The checkpoints of this user's machine, `~/.ghyll/memory.db`. Rows are only ever added (MEM-044). Its methods throw `MemoryFailure`. */
export interface MemoryStore {
  readonly path: string
  /**
   * Reads the chain's head, lets `make` build the record that follows it and keeps that, all in one transaction that no other
   * process can cut into (MEM-048); its time is after the head's whatever the clock says (MEM-017).
   */
  append(chain: ChainId, nowNs: bigint, make: (next: NextLink) => Checkpoint): Checkpoint
  /** Keeps checkpoints of other devices; those already there stay as they are (MEM-044, MEM-045). Returns how many were new. */
  importAll(records: readonly { readonly record: Checkpoint; readonly verified: boolean }[], nowMs: number): number
  get(hash: string): Checkpoint | null
  has(hash: string): boolean
  /** The chain's links by time. */
  links(chain: ChainId): readonly ChainLine[]
  /** The chain's records by time, read one by one. */
  records(chain: ChainId): Iterable<Checkpoint>
  chains(repo: string | null): readonly ChainId[]
  repos(): readonly string[]
  /** 0-based number of a checkpoint within its session (SESS-083). */
  indexInSession(record: Pick<Checkpoint, 'device' | 'repo' | 'session' | 'ts'>): number
  /** The newest checkpoint of a session, or null. */
  lastOfSession(session: string): Checkpoint | null
  /** The last checkpoint of each session of the chain, newest session first (SESS-121). */
  lastOfSessions(chain: ChainId): readonly string[]
  /** Every checkpoint by time, of one repository or (null) of all. */
  list(repo: string | null): Iterable<Listing>
  listing(hash: string): Listing | null
  /** Checkpoints whose hash begins so, by time, at most `limit`. */
  withPrefix(prefix: string, limit: number): readonly Listing[]
  readonly outbox: Outbox
  readonly keys: KeyStore
  readonly vectors: VectorStore
  readonly fullText: FullText
  close(): void
}

/** Opens or creates the store (MEM-040…048). Throws `MemoryFailure` (`store-locked`, `store-corrupt`, `store-unavailable`). */
export function openMemoryStore(path: string, options: { readonly busyTimeoutMs?: number } = {}): MemoryStore {
  const db = openDatabase(path, options.busyTimeoutMs)
  return guarded(path, 'open', () => createStore(path, db))
}

function createStore(path: string, db: Db): MemoryStore {
  const outbox = openOutbox(path, db)
  const fullText = openFullText(path, db)
  const insert = insertInto(db)
  const headOf = db.prepare<[string, string], { hash: string; ts: bigint }>(
    'SELECT hash, ts FROM checkpoints WHERE device = ? AND repo = ? ORDER BY ts DESC, rowid DESC LIMIT 1'
  )
  const byHash = db.prepare<[string], Row>(`SELECT ${columns} FROM checkpoints WHERE hash = ?`)
  const byChain = db.prepare<[string, string], Row>(
    `SELECT ${columns} FROM checkpoints WHERE device = ? AND repo = ? ORDER BY ts, rowid`
  )
  const guard = <T>(operation: string, work: () => T) => guarded(path, operation, work)

  return {
    path,
    append(chain, nowNs, make) {
      const record = guard('insert', () =>
        db
          .transaction(() => {
            const head = headOf.get(chain.device, chain.repo)
            const ts = head === undefined || nowNs > head.ts ? nowNs : head.ts + 1n
            const made = make({ parent: head?.hash ?? zeroHash, ts })
            insert(made, { verified: true, imported: 0n })
            outbox.queue(made)
            return made
          })
          .immediate()
      )
      fullText.tryRefresh()
      return record
    },
    importAll(records, nowMs) {
      if (records.length === 0) return 0
      const seconds = BigInt(Math.floor(nowMs / 1000))
      const added = guard('import', () =>
        db
          .transaction(
            () => records.filter(({ record, verified }) => insert(record, { verified, imported: seconds })).length
          )
          .immediate()
      )
      fullText.tryRefresh()
      return added
    },
    get: (hash) =>
      guard('read', () => {
        const row = byHash.get(hash)
        return row === undefined ? null : recordOf(row)
      }),
    has: (hash) => guard('read', () => db.prepare('SELECT 1 FROM checkpoints WHERE hash = ?').get(hash) !== undefined),
    links: ({ device, repo }) =>
      guard('read', () =>
        db
          .prepare<[string, string], ChainLine>(
            'SELECT hash, parent, ts FROM checkpoints WHERE device = ? AND repo = ? ORDER BY ts, rowid'
          )
          .all(device, repo)
      ),
    *records({ device, repo }) {
      for (const row of guardedRows(path, byChain.iterate(device, repo))) yield recordOf(row)
    },
    chains: (repo) =>
      guard('read', () =>
        db
          .prepare<[string | null, string | null], ChainId>(
            'SELECT DISTINCT device, repo FROM checkpoints WHERE ? IS NULL OR repo = ? ORDER BY repo, device'
          )
          .all(repo, repo)
      ),
    repos: () =>
      guard('read', () =>
        db
          .prepare<[], { repo: string }>('SELECT DISTINCT repo FROM checkpoints ORDER BY repo')
          .all()
          .map(({ repo }) => repo)
      ),
    indexInSession: ({ device, repo, session, ts }) =>
      guard('read', () =>
        Number(
          db
            .prepare('SELECT count(*) FROM checkpoints WHERE session = ? AND device = ? AND repo = ? AND ts < ?')
            .pluck()
            .get(session, device, repo, ts)
        )
      ),
    lastOfSession: (session) =>
      guard('read', () => {
        const row = db
          .prepare<[string], Row>(
            `SELECT ${columns} FROM checkpoints WHERE session = ? ORDER BY ts DESC, rowid DESC LIMIT 1`
          )
          .get(session)
        return row === undefined ? null : recordOf(row)
      }),
    lastOfSessions: ({ device, repo }) =>
      guard('read', () =>
        // With one `max`, SQLite takes the other columns from the row that has it.
        db
          .prepare<[string, string], { hash: string }>(
            'SELECT hash, max(ts) AS last FROM checkpoints WHERE device = ? AND repo = ? GROUP BY session ORDER BY last DESC'
          )
          .all(device, repo)
          .map(({ hash }) => hash)
      ),
    *list(repo) {
      const statement = db.prepare<[string | null, string | null], ListingRow>(
        `SELECT ${listingColumns} FROM checkpoints WHERE ? IS NULL OR repo = ? ORDER BY ts, rowid`
      )
      for (const row of guardedRows(path, statement.iterate(repo, repo))) yield listingOf(row)
    },
    listing: (hash) =>
      guard('read', () => {
        const row = db
          .prepare<[string], ListingRow>(`SELECT ${listingColumns} FROM checkpoints WHERE hash = ?`)
          .get(hash)
        return row === undefined ? null : listingOf(row)
      }),
    withPrefix: (prefix, limit) =>
      guard('read', () =>
        db
          .prepare<[string, string, number], ListingRow>(
            `SELECT ${listingColumns} FROM checkpoints WHERE hash >= ? AND hash < ? ORDER BY ts, rowid LIMIT ?`
          )
          .all(prefix, `${prefix}g`, limit)
          .map(listingOf)
      ),
    outbox,
    keys: openKeyStore(path, db),
    vectors: openVectorStore(path, db),
    fullText,
    close: () => db.close()
  }
}

/** Rows one by one; what SQLite reports on the way comes out as a `MemoryFailure`. */
function* guardedRows<Row>(path: string, rows: IterableIterator<Row>): Generator<Row> {
  try {
    for (;;) {
      const next = guarded(path, 'read', () => rows.next())
      if (next.done === true) return
      yield next.value
    }
  } finally {
    // A statement that is not read to its end would keep the database busy.
    rows.return?.()
  }
}

type ListingRow = Omit<Listing, 'turn'> & { readonly turn: bigint }

const listingColumns = `hash, device, author, ts, repo, session, turn, model,
  substr(summary, 1, CASE instr(summary, char(10)) WHEN 0 THEN 400 ELSE min(instr(summary, char(10)) - 1, 400) END) AS title`

const listingOf = (row: ListingRow): Listing => ({ ...row, turn: Number(row.turn) })
