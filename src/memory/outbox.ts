import { type Db, guarded } from './database.ts'
import type { Checkpoint } from './record.ts'

export type Target = 'git' | 'vault'

/** Which own checkpoints are known to have arrived where (MEM-046, MEM-076, MEM-100). */
export interface Outbox {
  /** Inside the transaction that inserts the record. */
  queue(record: Pick<Checkpoint, 'hash' | 'repo' | 'ts'>): void
  /** Hashes of `repo` (null: of every one) that have not arrived, oldest first. */
  pending(target: Target, repo: string | null, limit: number): readonly string[]
  pendingCount(target: Target, repo: string): number
  /** They have arrived; asked again, nothing changes. */
  arrived(target: Target, hashes: readonly string[], nowMs: number): void
}

/** What still has to reach git or the vault, on an open database (MEM-046). Its methods throw `MemoryFailure`. */
export function openOutbox(path: string, db: Db): Outbox {
  const column = (target: Target) => (target === 'git' ? 'pushed_git' : 'pushed_vault')
  const insert = db.prepare('INSERT OR IGNORE INTO gx_outbox (hash, repo, queued_at) VALUES (?, ?, ?)')
  return {
    queue: ({ hash, repo, ts }) => void insert.run(hash, repo, ts),
    pending: (target, repo, limit) =>
      guarded(path, 'read', () =>
        db
          .prepare<[string | null, string | null, number], { hash: string }>(
            `SELECT hash FROM gx_outbox WHERE ${column(target)} = 0 AND (? IS NULL OR repo = ?)
             ORDER BY queued_at, rowid LIMIT ?`
          )
          .all(repo, repo, limit)
          .map(({ hash }) => hash)
      ),
    pendingCount: (target, repo) =>
      guarded(path, 'read', () =>
        Number(
          db
            .prepare(`SELECT count(*) FROM gx_outbox WHERE ${column(target)} = 0 AND repo = ?`)
            .pluck()
            .get(repo)
        )
      ),
    arrived(target, hashes, nowMs) {
      if (hashes.length === 0) return
      const update = db.prepare(`UPDATE gx_outbox SET ${column(target)} = ? WHERE hash = ? AND ${column(target)} = 0`)
      guarded(path, 'update', () =>
        db
          .transaction(() => {
            for (const hash of hashes) update.run(nowMs, hash)
          })
          .immediate()
      )
    }
  }
}
