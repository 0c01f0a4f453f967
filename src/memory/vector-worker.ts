import { workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { createMatrix, type VectorMatrix } from './vector-matrix.ts'
import { serveCalls } from './worker-calls.ts'

// The thread that holds the vectors. It reads the database by itself: a search first takes in the rows that were added since the last
// one, whichever process wrote them, and as rows of these tables are never moved, the last row number says where to go on.

export type VectorSource = {
  readonly databasePath: string
  /** Tag of the embedder whose local vectors are compared (MEM-115); null compares the ones that came with the checkpoints. */
  readonly embedder: string | null
}
export type VectorAsk = { readonly repo: string; readonly query: Float32Array; readonly limit: number }
export type VectorAnswer = readonly { readonly hash: string; readonly similarity: number }[]

type Loaded = { readonly matrix: VectorMatrix; lastRow: bigint }
type Row = { readonly row: bigint; readonly hash: string; readonly ts: bigint; readonly vector: Buffer }

const { databasePath, embedder } = workerData as VectorSource
/** Repositories whose vectors stay in memory; a vault may serve many. The one unused for longest goes first. */
const maxLoaded = 8
const loaded = new Map<string, Loaded>()
let database: Database.Database | null = null

serveCalls<VectorAsk, VectorAnswer>(
  ({ repo, query, limit }) => {
    database ??= new Database(databasePath, { readonly: true, fileMustExist: true, timeout: 5000 })
    const { matrix } = refresh(database, repo, query.length)
    return matrix.nearest(query, limit).map(({ hash, similarity }) => ({ hash, similarity }))
  },
  () => {
    database?.close()
  }
)

function refresh(db: Database.Database, repo: string, dimensions: number): Loaded {
  const key = JSON.stringify([dimensions, repo])
  const known = loaded.get(key) ?? { matrix: createMatrix(dimensions), lastRow: 0n }
  loaded.delete(key)
  loaded.set(key, known)
  const [oldest] = loaded.keys()
  if (loaded.size > maxLoaded && oldest !== undefined) loaded.delete(oldest)

  for (const { row, hash, ts, vector } of newRows(db, { repo, bytes: dimensions * 4, after: known.lastRow })) {
    known.matrix.add(hash, ts, vector)
    known.lastRow = row
  }
  return known
}

function newRows(db: Database.Database, where: { repo: string; bytes: number; after: bigint }): Iterable<Row> {
  // CROSS JOIN: in the order of the vectors, so that only the new ones are looked at.
  const text =
    embedder === null
      ? `SELECT rowid AS row, hash, ts, embedding AS vector FROM checkpoints
         WHERE repo = @repo AND rowid > @after AND length(embedding) = @bytes ORDER BY rowid`
      : `SELECT g.rowid AS row, c.hash AS hash, c.ts AS ts, g.vector AS vector
         FROM gx_embedding AS g CROSS JOIN checkpoints AS c ON c.hash = g.hash
         WHERE g.rowid > @after AND g.embedder = @embedder AND c.repo = @repo AND length(g.vector) = @bytes ORDER BY g.rowid`
  const statement = db.prepare(text).safeIntegers()
  return statement.iterate({ ...where, ...(embedder === null ? {} : { embedder }) }) as Iterable<Row>
}
