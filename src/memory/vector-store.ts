import { type Db, guarded } from './database.ts'
import { blobOf, vectorOf } from './rows.ts'

/** Vectors that this machine made, by the embedder that made them (MEM-046, MEM-114, MEM-115). */
export interface VectorStore {
  get(hash: string, embedder: string): Float32Array | null
  put(hash: string, embedder: string, vector: Float32Array): void
  /** Checkpoints of `repo` that the embedder has not seen, newest first. */
  missing(repo: string, embedder: string, limit: number): readonly { readonly hash: string; readonly summary: string }[]
}

/** The vectors on an open database (MEM-046, MEM-114). Its methods throw `MemoryFailure`. */
export function openVectorStore(path: string, db: Db): VectorStore {
  return {
    get: (hash, embedder) =>
      guarded(path, 'read', () => {
        const row = db
          .prepare<[string, string], { vector: Buffer }>(
            'SELECT vector FROM gx_embedding WHERE hash = ? AND embedder = ?'
          )
          .get(hash, embedder)
        return row === undefined ? null : vectorOf(row.vector)
      }),
    put: (hash, embedder, vector) =>
      guarded(path, 'update', () => {
        db.prepare('INSERT OR IGNORE INTO gx_embedding (hash, embedder, vector) VALUES (?, ?, ?)').run(
          hash,
          embedder,
          blobOf(vector)
        )
      }),
    missing: (repo, embedder, limit) =>
      guarded(path, 'read', () =>
        db
          .prepare<[string, string, number], { hash: string; summary: string }>(
            `SELECT hash, summary FROM checkpoints AS c WHERE repo = ?
             AND NOT EXISTS (SELECT 1 FROM gx_embedding AS g WHERE g.hash = c.hash AND g.embedder = ?)
             ORDER BY ts DESC LIMIT ?`
          )
          .all(repo, embedder, limit)
      )
  }
}
