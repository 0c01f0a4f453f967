import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import * as sqliteVec from 'sqlite-vec'
import { sha256Hex } from '../../../src/lib/hash.ts'
import { hashOf } from '../../../src/memory/canonical.ts'
import type { VectorSearch } from '../../../src/memory/ports.ts'
import type { Checkpoint } from '../../../src/memory/record.ts'
import { signHash } from '../../../src/memory/sign.ts'
import { type MemoryStore, openMemoryStore } from '../../../src/memory/store.ts'
import { openVectorSearch } from '../../../src/memory/vector-search.ts'
import { vector1, vectorKey } from '../../memory/support.ts'
import { type Figure, median, percentile, type Row } from '../figure.ts'

const dimensions = 384
const limit = 10
const { repo } = vector1

/**
 * MEM-047: search among many checkpoints beside one pass over the same bytes and beside sqlite-vec on the same vectors; by full text; and what
 * creating one more costs.
 */
export const memory: Figure = {
  name: 'memory',
  id: 'MEM-047',
  async measure(_bench, { runs, checkpoints }) {
    const folder = mkdtempSync(join(tmpdir(), 'ghyll-bench-'))
    const store = openMemoryStore(join(folder, 'memory.db'))
    const search = openVectorSearch({ databasePath: store.path, embedder: null })
    try {
      const next = numbers()
      const vectors = fill(store, checkpoints, next)
      const queries = Array.from({ length: runs + 1 }, () => vectorOf(next))
      return [
        ...(await byVector(search, queries, checkpoints)),
        onePass(vectors, runs),
        bySqliteVec(vectors, queries),
        byFullText(store, runs),
        creation(store, 20 * runs)
      ]
    } finally {
      await search.close()
      store.close()
      rmSync(folder, { recursive: true })
    }
  }
}

async function byVector(search: VectorSearch, queries: readonly Float32Array[], count: number): Promise<Row[]> {
  const took: number[] = []
  for (const query of queries) {
    const began = performance.now()
    await search.search(repo, query, limit)
    took.push(performance.now() - began)
  }
  const [first = Number.NaN, ...rest] = took
  const among = `among ${count.toLocaleString('en')} checkpoints × ${dimensions}`
  return [
    { what: `search by vector ${among}`, value: median(rest), unit: 'ms', note: worst(rest) },
    { what: 'the first one, which reads them from disk', value: first, unit: 'ms' }
  ]
}

function onePass(vectors: Float32Array, runs: number): Row {
  const took = timed(runs, () => {
    let sum = 0
    for (let at = 0; at < vectors.length; at += 1) sum += vectors[at] as number
    return sum
  })
  return { what: 'one pass over the same bytes', value: median(took), unit: 'ms', note: 'for comparison' }
}

/** Its own virtual table, in memory, as it is meant to be used. */
function bySqliteVec(vectors: Float32Array, queries: readonly Float32Array[]): Row {
  const db = new Database(':memory:')
  try {
    sqliteVec.load(db)
    db.exec(`CREATE VIRTUAL TABLE v USING vec0(vector float[${dimensions}] distance_metric=cosine)`)
    const insert = db.prepare('INSERT INTO v (vector) VALUES (?)')
    db.transaction(() => {
      for (let at = 0; at < vectors.length; at += dimensions) insert.run(bytesOf(vectors.subarray(at, at + dimensions)))
    })()
    const select = db.prepare('SELECT rowid FROM v WHERE vector MATCH ? AND k = ?')
    let n = 0
    const took = timed(queries.length - 1, () =>
      select.all(bytesOf(queries[n++ % queries.length] as Float32Array), limit)
    )
    return { what: 'sqlite-vec on the same vectors', value: median(took), unit: 'ms', note: 'for comparison' }
  } finally {
    db.close()
  }
}

function byFullText(store: MemoryStore, runs: number): Row {
  const took = timed(runs, () => store.fullText.search('word7 word400 word1200 word4000', repo, limit))
  return { what: 'search by full text, without an embedder', value: median(took), unit: 'ms', note: worst(took) }
}

function creation(store: MemoryStore, runs: number): Row {
  const chain = { device: vector1.device, repo }
  const took = timed(runs, () =>
    store.append(chain, BigInt(Date.now()) * 1_000_000n, (link) => {
      const record = { ...vector1, ...link }
      const hash = hashOf(record)
      return { ...record, hash, sig: signHash(vectorKey, hash) }
    })
  )
  return { what: 'create a checkpoint: hash, sign, store durably', value: median(took), unit: 'ms', note: worst(took) }
}

/** Fills the store and returns all its vectors in one piece. */
function fill(store: MemoryStore, count: number, next: () => number): Float32Array {
  const vectors = Float32Array.from({ length: count * dimensions }, () => next() - 0.5)
  for (let from = 0; from < count; from += 5000) {
    const batch = Array.from({ length: Math.min(5000, count - from) }, (_, n) => recordAt(from + n, vectors, next))
    store.importAll(
      batch.map((record) => ({ record, verified: true })),
      0
    )
  }
  return vectors
}

/** Some words are in nearly every text and most in few. */
const wordOf = (share: number) => `word${Math.floor(share ** 3 * 5000)}`

function recordAt(index: number, vectors: Float32Array, next: () => number): Checkpoint {
  const summary = Array.from({ length: 40 }, () => wordOf(next())).join(' ')
  const emb = vectors.subarray(index * dimensions, (index + 1) * dimensions)
  return { ...vector1, device: 'dev-2', ts: BigInt(index), hash: sha256Hex(`${index}`), summary, emb }
}

function timed(runs: number, work: () => unknown): number[] {
  work()
  return Array.from({ length: runs }, () => {
    const began = performance.now()
    work()
    return performance.now() - began
  })
}

/** The same numbers every time, between 0 and 1. */
function numbers(): () => number {
  let state = 1
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const vectorOf = (next: () => number) => Float32Array.from({ length: dimensions }, () => next() - 0.5)
const bytesOf = (vector: Float32Array) => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
const worst = (values: readonly number[]) => `worst ${percentile(values, 1).toFixed(1)} ms`
