import * as z from 'zod'
import { type Checkpoint, numbers, parseExactJson, recordFrom } from '../memory/index.ts'

/** Dimensions of an embedding, in a query and in a record (MEM-092). */
const maxDimensions = 4096
const usualResults = 5
const mostResults = 100

export type SearchRequest = { readonly query: Float32Array; readonly repo: string; readonly topK: number }

/** Reads the body of a search, or says in one line why it is none (MEM-092). */
export function readSearch(body: string): SearchRequest | { readonly problem: string } {
  const parsed = parseExactJson(body)
  const read = 'value' in parsed ? searchSchema.safeParse(parsed.value) : null
  if (read === null || !read.success) return badRequest
  const { embedding, repo, top_k } = read.data
  if (embedding === undefined || embedding === null || embedding.length === 0) return badRequest
  if (embedding.length > maxDimensions) return { problem: 'embedding too long' }
  const query = Float32Array.from(embedding, Number)
  // What no float32 can hold is as little a coordinate as what no double can.
  if (!query.every(Number.isFinite)) return badRequest
  return { query, repo, topK: Math.min(Number(top_k || usualResults), mostResults) }
}

/** Reads the body of a push, or says in one line why it is none (MEM-093). */
export function readPush(body: string): Checkpoint | { readonly problem: string } {
  const parsed = parseExactJson(body)
  const read = 'value' in parsed ? pushSchema.safeParse(parsed.value) : null
  if (read === null || !read.success) return badRequest
  const made = recordFrom(read.data.checkpoint)
  if ('malformed' in made) return badRequest
  return (made.record.emb?.length ?? 0) > maxDimensions ? { problem: 'embedding too long' } : made.record
}

const badRequest = { problem: 'bad request' } as const
const count = z
  .union([z.number(), z.bigint()])
  .refine((value) => (typeof value === 'bigint' || Number.isInteger(value)) && value >= 0)
const searchSchema = z.object({
  embedding: numbers,
  repo: z.string().min(1),
  top_k: count.nullish()
})
const pushSchema = z.object({ checkpoint: z.unknown() })
