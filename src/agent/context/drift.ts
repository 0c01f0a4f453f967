import type { ContextEntry } from '../../protocol/entry.ts'
import { share } from './tokens.ts'

/** Best similarity below this is not enough, and the vault is asked too (CTX-045). */
const sufficientSimilarity = 0.5
/** Notes of one backfill (CTX-047). */
const backfillNotes = 2

/** Cosine of two vectors; null when one is missing, all zero, or of another size (CTX-044). */
export function cosine(a: ArrayLike<number> | null, b: ArrayLike<number> | null): number | null {
  if (a === null || b === null || a.length === 0 || a.length !== b.length) return null
  let [dot, aa, bb] = [0, 0, 0]
  for (let i = 0; i < a.length; i++) {
    const [x = 0, y = 0] = [a[i], b[i]]
    dot += x * y
    aa += x * x
    bb += y * y
  }
  const similarity = dot / Math.sqrt(aa * bb)
  return Number.isFinite(similarity) ? similarity : null
}

/** Whether the conversation left its reference behind; without a similarity it did not (CTX-044). */
export function hasDrifted(similarity: number | null, threshold: number): boolean {
  return similarity !== null && similarity < threshold
}

/**
 * What the current context is embedded as: user and assistant text, newest first, up to `limit` tokens of the embedder's
 * tokenizer; tool output is left out (CTX-042). The last text that does not fit whole is cut.
 */
export function driftText(
  entries: readonly ContextEntry[],
  countTokens: (text: string) => number,
  limit = 512
): string {
  const texts: string[] = []
  let room = limit
  for (const entry of entries.toReversed()) {
    if ((entry.kind !== 'user' && entry.kind !== 'assistant') || entry.text.trim() === '') continue
    const text = entry.text.trim()
    const tokens = countTokens(text)
    texts.push(tokens <= room ? text : beginning(text, room / tokens))
    room -= tokens
    if (room <= 0) break
  }
  return texts.join('\n')
}

export type Ranked<T> = { readonly candidate: T; readonly similarity: number }

/** Candidates by similarity to the current embedding, best first; those without a comparable vector are left out (CTX-045). */
export function rankBySimilarity<T extends { readonly embedding: ArrayLike<number> | null }>(
  current: ArrayLike<number>,
  candidates: readonly T[]
): readonly Ranked<T>[] {
  return candidates
    .flatMap((candidate) => {
      const similarity = cosine(current, candidate.embedding)
      return similarity === null ? [] : [{ candidate, similarity }]
    })
    .sort((a, b) => b.similarity - a.similarity)
}

/** Whether local memory has nothing close enough, so that the vault is worth asking (CTX-045). */
export function isInsufficient(ranked: readonly Ranked<unknown>[]): boolean {
  return (ranked[0]?.similarity ?? 0) < sufficientSimilarity
}

/** Tokens that backfill may add: `min(8000, 10 % of the window, room below the routing threshold)`, at least 500 (CTX-048). */
export function backfillBudget(sizes: {
  readonly maxContext: number
  readonly depthThreshold: number
  readonly tokens: number
}): number {
  return Math.max(500, Math.min(8000, share(sizes.maxContext, 10), sizes.depthThreshold - sizes.tokens))
}

/**
 * The at most two notes to add, by rank, while they fit; `skipped` are those of the choice that did not, to be logged (CTX-047,
 * CTX-048). Whoever calls has dropped unverified candidates and those already present.
 */
export function chooseBackfill<T>(
  ranked: readonly Ranked<T>[],
  budget: number,
  countTokens: (candidate: T) => number
): { readonly chosen: readonly T[]; readonly skipped: readonly T[] } {
  const chosen: T[] = []
  const skipped: T[] = []
  let room = budget
  for (const { candidate } of ranked.slice(0, backfillNotes)) {
    const tokens = countTokens(candidate)
    if (tokens > room) {
      skipped.push(candidate)
      continue
    }
    chosen.push(candidate)
    room -= tokens
  }
  return { chosen, skipped }
}

function beginning(text: string, part: number): string {
  const points = [...text]
  return points.slice(0, Math.floor(points.length * part)).join('')
}
