import { systemCodeOf } from '../lib/error.ts'
import { type Db, guarded } from './database.ts'

/** Search over the summaries without any embedder (FTS5, bm25). */
export interface FullText {
  /** Hashes of the checkpoints that hold any word of the query, best first; of one repository or (null) of all. Throws `MemoryFailure`. */
  search(query: string, repo: string | null, limit: number): readonly string[]
  /** Indexes what came in since; trouble waits for the next search, where somebody hears of it. */
  tryRefresh(): void
}

/** The full-text index on an open database (MEM-046). */
export function openFullText(path: string, db: Db): FullText {
  // Rows are only added, and by other programs too: what is beyond the last indexed row is new.
  const behind = db.prepare(
    `SELECT 1 FROM checkpoints WHERE rowid > (SELECT coalesce(max(rowid), 0) FROM gx_fts) LIMIT 1`
  )
  const fill = db.prepare(
    `INSERT INTO gx_fts (rowid, hash, summary) SELECT rowid, hash, summary FROM checkpoints
     WHERE rowid > (SELECT coalesce(max(rowid), 0) FROM gx_fts)`
  )
  const refresh = () => {
    if (behind.get() !== undefined) db.transaction(() => fill.run()).immediate()
  }
  return {
    search(query, repo, limit) {
      const match = matchExpression(query)
      if (match === null) return []
      return guarded(path, 'search', () => {
        refresh()
        return db
          .prepare<[string, string | null, string | null, number], { hash: string }>(
            `SELECT c.hash AS hash FROM gx_fts JOIN checkpoints AS c ON c.hash = gx_fts.hash
             WHERE gx_fts MATCH ? AND (? IS NULL OR c.repo = ?) ORDER BY bm25(gx_fts), c.ts DESC LIMIT ?`
          )
          .all(match, repo, repo, limit)
          .map(({ hash }) => hash)
      })
    },
    tryRefresh() {
      try {
        refresh()
      } catch (error) {
        // Locked, full or damaged: the checkpoint itself is kept, and the next search tries again and tells.
        if (systemCodeOf(error) === undefined) throw error
      }
    }
  }
}

/** Any word of the query, each quoted so that FTS5 sees no operators; null when there is no word. */
function matchExpression(query: string): string | null {
  const words = query.toWellFormed().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const terms = [...new Set(words)].slice(0, 64).map((word) => {
    // Scripts without spaces form one long word; its beginning has to do.
    return /^[\x00-\u024f]*$/.test(word) ? `"${word}"` : `"${word}"*`
  })
  return terms.length === 0 ? null : terms.join(' OR ')
}
