import { z } from 'zod'
import { parseExactJson } from './exact-json.ts'

/** `parent` of the first checkpoint of a chain. */
export const zeroHash = '0'.repeat(64)

/** What we write; readers accept 1 and greater ones too (MEM-005). */
export const formatVersion = 2

export type ResumedFrom = { readonly session: string; readonly hash: string }

/**
 * A checkpoint as signed, stored and sent; immutable once created (MEM-001). Lists are null only where another
 * writer left them out (MEM-018), `resumedFrom` is null and `planMode` false where the key is absent.
 */
export type Checkpoint = {
  readonly v: number
  /** 64 lower-case hex digits. */
  readonly hash: string
  readonly parent: string
  readonly device: string
  readonly author: string
  /** Unix nanoseconds; never a `number` (MEM-016). */
  readonly ts: bigint
  readonly repo: string
  /** Empty when detached or no repository. */
  readonly branch: string
  readonly session: string
  readonly turn: number
  readonly model: string
  readonly planMode: boolean
  readonly resumedFrom: ResumedFrom | null
  readonly summary: string
  /** Ranks and nothing else: not covered by hash and signature (MEM-002). */
  readonly emb: Float32Array | null
  readonly files: readonly string[] | null
  readonly tools: readonly string[] | null
  readonly injections: readonly string[]
  readonly sig: string
}

/** What the hash is made of: the record without `hash`, `sig` and `emb` (MEM-002). */
export type HashedFields = Omit<Checkpoint, 'hash' | 'sig' | 'emb'>

const hashPattern = /^[0-9a-f]{64}$/

/** Whether a text is a checkpoint hash, and so fit for a file name (MEM-013). */
export function isHash(text: string): boolean {
  return hashPattern.test(text)
}

/** Whether a text is one harmless path segment (MEM-013); asked of device ids before a path is built from them. */
export function isSafeSegment(text: string): boolean {
  return text !== '' && text !== '.' && !text.includes('..') && !/[/\\\0]/.test(text)
}

/** A record, or the reason why a text or value is none. */
export type Parsed = { readonly record: Checkpoint } | { readonly malformed: string }

/** Reads a record from JSON of any layout; integers keep their digits (MEM-016), unknown keys are ignored (MEM-005). */
export function parseRecord(json: string): Parsed {
  const parsed = parseExactJson(json)
  return 'malformed' in parsed ? parsed : recordFrom(parsed.value)
}

/** Reads a record from what `parseExactJson` made of the text around it (MEM-005, MEM-016). */
export function recordFrom(value: unknown): Parsed {
  const result = schema.safeParse(value)
  if (result.success) return { record: result.data }
  const issue = result.error.issues[0]
  return { malformed: `${issue?.path.join('.') || 'record'}: ${issue?.message ?? 'malformed'}` }
}

// SQLite and our own strings hold no lone surrogates; what a JSON escape brings is replaced as the canonical form does.
const text = z.string().transform((value) => value.toWellFormed())
const hash = z.string().regex(hashPattern)
const integer = z.union([z.int(), z.bigint()])
// Lists are looked at by hand: others may send millions of items, for which a schema of each takes seconds.
const list = z
  .custom<readonly string[] | null | undefined>(
    isListOf((item) => typeof item === 'string'),
    'not a list of strings'
  )
  .transform((items) => items?.map((item) => item.toWellFormed()) ?? null)
  .optional()
/** Numbers as they come in JSON, or none (MEM-016). */
export const numbers = z
  .custom<readonly (number | bigint)[] | null | undefined>(
    isListOf((item) => typeof item === 'number' || typeof item === 'bigint'),
    'not a list of numbers'
  )
  .optional()
const minTs = -(2n ** 63n)
const maxTs = 2n ** 63n - 1n

const schema = z
  .object({
    v: z.int(),
    hash,
    parent: hash,
    device: text.refine(isSafeSegment, 'not a safe path segment'),
    author: text,
    ts: integer.transform(BigInt).refine((ts) => ts >= minTs && ts <= maxTs, 'beyond 64 bits'),
    repo: text,
    branch: text,
    session: text,
    turn: z.int(),
    model: text,
    plan_mode: z.boolean().nullish(),
    resumed_from: z.object({ session: text, hash: text }).nullish(),
    summary: text,
    emb: numbers,
    files: list,
    tools: list,
    injections: list,
    sig: z.string()
  })
  .transform(
    ({ plan_mode, resumed_from, emb, files, tools, injections, ...rest }): Checkpoint => ({
      ...rest,
      planMode: plan_mode === true,
      resumedFrom: resumed_from ?? null,
      emb: vectorOf(emb ?? []),
      files: files ?? null,
      tools: tools ?? null,
      injections: injections ?? []
    })
  )

function isListOf(isItem: (item: unknown) => boolean): (value: unknown) => boolean {
  return (value) => value === null || value === undefined || (Array.isArray(value) && value.every(isItem))
}

/** Numbers as an embedding; none when there are none, or when one is no finite float32. */
function vectorOf(numbers: readonly (number | bigint)[]): Float32Array | null {
  if (numbers.length === 0) return null
  const vector = Float32Array.from(numbers, Number)
  return vector.every(Number.isFinite) ? vector : null
}
