import { endianness } from 'node:os'
import { assert } from '../lib/assert.ts'

// Vectors side by side in blocks, so that a search is one pass over memory and growing copies nothing. Rows are only ever added; a
// row whose hash is there already is left alone, as a checkpoint's text never changes.

/** 6 MiB of 384 dimensions: large enough to be one pass, small enough to waste little. */
const blockRows = 4096
const bigEndian = endianness() === 'BE'

type Block = {
  readonly values: Float32Array
  /** 1 / length of each row; 0 for a row that points nowhere (MEM-047). */
  readonly scale: Float64Array
}

export type MatrixHit = { readonly hash: string; readonly similarity: number; readonly ts: bigint }

export interface VectorMatrix {
  readonly rows: number
  /** Adds a vector as little-endian float32 bytes (MEM-042) of exactly the matrix's dimensions. */
  add(hash: string, ts: bigint, bytes: Uint8Array): void
  /** The `limit` most similar rows, best first, ties by newer time (MEM-047). */
  nearest(query: Float32Array, limit: number): MatrixHit[]
}

/** An empty matrix for vectors of this size (MEM-047). */
export function createMatrix(dimensions: number): VectorMatrix {
  const blocks: Block[] = []
  const hashes: string[] = []
  const times: bigint[] = []
  const known = new Set<string>()

  return {
    get rows() {
      return hashes.length
    },
    add(hash, ts, bytes) {
      assert(bytes.length === dimensions * 4, 'a vector of the matrix')
      if (known.has(hash)) return
      const at = hashes.length % blockRows
      if (at === 0) blocks.push(newBlock(dimensions))
      const block = blocks.at(-1)
      assert(block !== undefined, 'a block with room')
      fill(block, at, dimensions, bytes)
      known.add(hash)
      hashes.push(hash)
      times.push(ts)
    },
    nearest(query, limit) {
      assert(query.length === dimensions, 'a query of the matrix')
      const best: MatrixHit[] = []
      const scale = scaleOf(query, 0, dimensions)
      for (let row = 0; row < hashes.length; row += 1) {
        const { values, scale: scales } = blocks[Math.floor(row / blockRows)] as Block
        const at = row % blockRows
        const factor = scale * (scales[at] as number)
        const similarity = factor === 0 ? 0 : dot(values, at * dimensions, query, dimensions) * factor
        const least = best.length < limit ? undefined : best[limit - 1]
        if (least !== undefined && similarity < least.similarity) continue
        insert(best, { hash: hashes[row] as string, similarity, ts: times[row] as bigint }, limit)
      }
      return best
    }
  }
}

/** Cosine of two vectors of one size, in float64; 0 when one of them points nowhere (MEM-047). */
export function cosine(a: Float32Array, b: Float32Array): number {
  assert(a.length === b.length, 'vectors of one size')
  const factor = scaleOf(a, 0, a.length) * scaleOf(b, 0, b.length)
  return factor === 0 ? 0 : dot(a, 0, b, a.length) * factor
}

function newBlock(dimensions: number): Block {
  return { values: new Float32Array(blockRows * dimensions), scale: new Float64Array(blockRows) }
}

function fill({ values, scale }: Block, at: number, dimensions: number, bytes: Uint8Array): void {
  const row = new Uint8Array(values.buffer, at * dimensions * 4, dimensions * 4)
  row.set(bytes)
  if (bigEndian) Buffer.from(row.buffer, row.byteOffset, row.length).swap32()
  scale[at] = scaleOf(values, at * dimensions, dimensions)
}

function scaleOf(values: Float32Array, offset: number, dimensions: number): number {
  const square = dot(values, offset, values.subarray(offset, offset + dimensions), dimensions)
  // A foreign row may hold anything; one without a finite length is similar to nothing.
  return square > 0 && square < Number.POSITIVE_INFINITY ? 1 / Math.sqrt(square) : 0
}

/** In float64 (MEM-047); four sums, so that each multiplication need not wait for the one before. */
function dot(values: Float32Array, offset: number, query: Float32Array, dimensions: number): number {
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  let at = 0
  for (; at + 3 < dimensions; at += 4) {
    const from = offset + at
    a += (values[from] as number) * (query[at] as number)
    b += (values[from + 1] as number) * (query[at + 1] as number)
    c += (values[from + 2] as number) * (query[at + 2] as number)
    d += (values[from + 3] as number) * (query[at + 3] as number)
  }
  for (; at < dimensions; at += 1) a += (values[offset + at] as number) * (query[at] as number)
  return a + b + (c + d)
}

function insert(best: MatrixHit[], hit: MatrixHit, limit: number): void {
  const at = best.findIndex((other) => isBetter(hit, other))
  best.splice(at === -1 ? best.length : at, 0, hit)
  if (best.length > limit) best.pop()
}

function isBetter(hit: MatrixHit, other: MatrixHit): boolean {
  return hit.similarity === other.similarity ? hit.ts > other.ts : hit.similarity > other.similarity
}
