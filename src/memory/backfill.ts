import type { DriftAsk } from '../protocol/drift.ts'
import type { ContextEntry } from '../protocol/entry.ts'
import type { Meaning } from './meaning.ts'
import { noteMark } from './note.ts'
import type { Checkpoint } from './record.ts'
import type { MemoryStore } from './store.ts'
import { distrustFailure, type Trust } from './trust.ts'

/** Best similarity below this is not enough, and the vault is asked too (CTX-045). */
const sufficientSimilarity = 0.5
/** Notes of one backfill (CTX-047). */
const notes = 2
/** How far down the ranking is looked for candidates that can be used. */
const looked = 24

type Around = {
  readonly repo: string
  readonly current: Float32Array
  readonly store: MemoryStore
  readonly trust: Trust
  readonly meaning: Meaning
}

type Candidate = { readonly record: Checkpoint; readonly similarity: number }

/**
 * The best checkpoints that verify and are not in the conversation yet, at most two (CTX-045…047), and a line for each that was
 * dropped because it does not verify (CTX-046).
 */
export async function rankCandidates(
  around: Around,
  { entries, session }: Pick<DriftAsk, 'entries' | 'session'>,
  signal: AbortSignal
): Promise<{ readonly candidates: readonly Checkpoint[]; readonly refused: readonly string[] }> {
  const { repo, current, store, trust, meaning } = around
  const refused = new Set<string>()
  const isUsable = (record: Checkpoint) => !isPresent(record, entries, session)

  const similar = await meaning.vectors.search(repo, current, looked)
  const local = similar.flatMap(({ hash, similarity }): Candidate[] => {
    const record = store.get(hash)
    return record === null ? [] : [{ record, similarity }]
  })
  let ranked: readonly Candidate[] = local
  if ((local[0]?.similarity ?? 0) < sufficientSimilarity && meaning.vault !== null) {
    const answer = await meaning.vault.search({ embedding: current, repo, topK: looked }, signal)
    for (const { record, verdict } of answer.refused) refused.add(distrustFailure(record, verdict).message)
    ranked = merged(local, answer.hits)
  }

  const candidates: Checkpoint[] = []
  for (const { record } of ranked) {
    if (candidates.length === notes) break
    if (!isUsable(record)) continue
    // What the vault sent was verified when it came in; what is stored is verified now.
    const verdict = store.has(record.hash) ? await trust.verdictOn(record) : ({ trusted: true } as const)
    if (verdict.trusted) candidates.push(record)
    else refused.add(distrustFailure(record, verdict).message)
  }
  return { candidates, refused: [...refused] }
}

/** By rank, what fits; the others are told (CTX-048). */
export function chooseBackfill<T extends { readonly note: string }>(
  candidates: readonly T[],
  budget: number
): { readonly chosen: readonly T[]; readonly skipped: readonly T[] } {
  const chosen: T[] = []
  const skipped: T[] = []
  let room = budget
  for (const candidate of candidates) {
    const tokens = tokensOf(candidate.note)
    if (tokens > room) {
      skipped.push(candidate)
      continue
    }
    chosen.push(candidate)
    room -= tokens
  }
  return { chosen, skipped }
}

/** An estimate on the safe side: whoever counts exactly belongs to another wing. */
function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 3)
}

/** Best first; one that both have counts once, as ours. */
function merged(local: readonly Candidate[], remote: readonly Candidate[]): readonly Candidate[] {
  const known = new Set(local.map(({ record }) => record.hash))
  return [...local, ...remote.filter(({ record }) => !known.has(record.hash))].toSorted(
    (a, b) => b.similarity - a.similarity
  )
}

/** A note names it already, or it is about turns that are still in the conversation (CTX-047). */
function isPresent(record: Checkpoint, entries: readonly ContextEntry[], session: string): boolean {
  const mark = noteMark(record)
  if (entries.some((entry) => entry.kind === 'note' && entry.text.includes(mark))) return true
  if (record.session !== session) return false
  const first = entries.find((entry) => entry.kind === 'user')
  return first !== undefined && record.turn >= first.turn
}
