import { canonicalList, canonicalResumedFrom, hashMatches } from './canonical.ts'
import { parseExactJson } from './exact-json.ts'
import { type Checkpoint, formatVersion, type ResumedFrom } from './record.ts'

/** A row of `checkpoints` (MEM-040), integers as bigint. */
export type Row = {
  readonly hash: string
  readonly parent: string
  readonly device: string
  readonly author: string
  readonly ts: bigint
  readonly repo: string
  readonly branch: string
  readonly session: string
  readonly turn: bigint
  readonly model: string
  readonly plan_mode: bigint
  readonly resumed_from: string | null
  readonly summary: string
  readonly embedding: Buffer
  readonly files: string
  readonly tools: string
  readonly injections: string | null
  readonly sig: string
}

/** Columns of `checkpoints` that hold the record, for a statement; `rowOf` gives a value for each. */
export const columns =
  'hash, parent, device, author, ts, repo, branch, session, turn, model, plan_mode, resumed_from, summary, embedding, files, tools, injections, sig'

/** The record of a row (MEM-042, MEM-043). A row damaged beyond reading yields a record that does not verify. */
export function recordOf(row: Row): Checkpoint {
  const { plan_mode, resumed_from, embedding, files, tools, injections, turn, ...same } = row
  const record = {
    ...same,
    v: formatVersion,
    turn: Number(turn),
    planMode: plan_mode !== 0n,
    resumedFrom: resumed_from === null ? null : resumedFromOf(resumed_from),
    emb: vectorOf(embedding),
    files: listOf(files),
    tools: listOf(tools),
    injections: injections === null ? [] : (listOf(injections) ?? [])
  }
  return withVersion(record)
}

/** A record as the values of `columns`, by name (MEM-042, MEM-043). */
export function rowOf(record: Checkpoint): Row {
  const { v: _, planMode, resumedFrom, emb, files, tools, injections, turn, ...same } = record
  return {
    ...same,
    turn: BigInt(turn),
    plan_mode: planMode ? 1n : 0n,
    resumed_from: resumedFrom === null ? null : canonicalResumedFrom(resumedFrom),
    embedding: blobOf(emb),
    files: canonicalList(files),
    tools: canonicalList(tools),
    injections: injections.length === 0 ? null : canonicalList(injections)
  }
}

/** Little-endian float32 values one after the other; none is the empty blob (MEM-042). */
export function blobOf(vector: Float32Array | null): Buffer {
  if (vector === null) return Buffer.alloc(0)
  const blob = Buffer.alloc(vector.length * 4)
  vector.forEach((value, n) => {
    blob.writeFloatLE(value, n * 4)
  })
  return blob
}

/** The vector of a blob; null for an empty one and for one whose length is no multiple of four (MEM-042). */
export function vectorOf(blob: Buffer): Float32Array | null {
  if (blob.length === 0 || blob.length % 4 !== 0) return null
  return Float32Array.from({ length: blob.length / 4 }, (_, n) => blob.readFloatLE(n * 4))
}

// The table has no column for `v`, which the hash covers: the version is the one under which the hash holds.
const versions = [formatVersion, 1, 3, 4, 5, 6, 7, 8, 9]

function withVersion(record: Checkpoint): Checkpoint {
  for (const v of versions) {
    const candidate = { ...record, v }
    if (hashMatches(candidate)) return candidate
  }
  return record
}

function listOf(json: string): readonly string[] | null {
  const parsed = parseExactJson(json)
  if ('malformed' in parsed || !Array.isArray(parsed.value)) return null
  return parsed.value.every((item) => typeof item === 'string') ? parsed.value : null
}

function resumedFromOf(json: string): ResumedFrom | null {
  const parsed = parseExactJson(json)
  if ('malformed' in parsed || typeof parsed.value !== 'object' || parsed.value === null) return null
  const { session, hash } = parsed.value as Record<string, unknown>
  return typeof session === 'string' && typeof hash === 'string' ? { session, hash } : null
}
