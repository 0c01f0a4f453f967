import { messageOf } from '../lib/error.ts'
import type { DriftAnswer, DriftAsk } from '../protocol/drift.ts'
import type { ContextEntry } from '../protocol/entry.ts'
import type { SessionId } from '../protocol/ids.ts'
import { chooseBackfill, rankCandidates } from './backfill.ts'
import { MemoryFailure } from './errors.ts'
import type { Identity } from './identity.ts'
import type { Log } from './log.ts'
import type { Meaning } from './meaning.ts'
import { firstLine, noteOf } from './note.ts'
import type { Embedder } from './ports.ts'
import type { Checkpoint } from './record.ts'
import { embedMissing, vectorFor } from './reembed.ts'
import type { MemoryStore } from './store.ts'
import type { Trust } from './trust.ts'
import { cosine } from './vector-matrix.ts'

export type DriftParts = {
  readonly identity: Identity
  readonly store: MemoryStore
  readonly trust: Trust
  /** CTX-044 */
  readonly threshold: number
  /** `drift_check_interval_turns` (CTX-052). */
  readonly intervalTurns: number
  /** null while there is no embedder: nothing is measured then (CTX-040). */
  meaning(): Meaning | null
  /** MODEL-081 */
  clean(text: string): string
  readonly log: Log
}

/** Checkpoints that get a vector while a check waits for it; the rest follow in the background (MEM-115). */
const embeddedWhileWaiting = 16
const nothing: DriftAnswer = { notes: [], notices: [] }

/** Measures whether a conversation left its last checkpoint behind, and finds what to recall then (CTX-040…053). */
export function createDrift(parts: DriftParts) {
  const { identity, store, trust, threshold, intervalTurns, log } = parts
  /** Checkpoint 0 of sessions that have none yet (CTX-043). */
  const beginnings = new Map<SessionId, Float32Array>()
  /** The interval of each session's last backfill (CTX-052). */
  const filled = new Map<SessionId, number>()

  return {
    async check(ask: DriftAsk, signal: AbortSignal): Promise<DriftAnswer> {
      const meaning = parts.meaning()
      if (meaning === null) return nothing
      try {
        return await measure(ask, meaning, signal)
      } catch (error) {
        // An optional service: the conversation goes on without recall.
        if (!signal.aborted && !(error instanceof MemoryFailure)) throw error
        log(`memory: drift not measured: ${messageOf(error)}`, 'warning')
        return nothing
      }
    }
  }

  async function measure(ask: DriftAsk, meaning: Meaning, signal: AbortSignal): Promise<DriftAnswer> {
    const current = await meaning.embedder.embed(conversationText(ask.entries))
    const reference = await referenceOf(ask, meaning.embedder)
    if (current === null || reference === null || current.length !== reference.length) return nothing
    const similarity = cosine(current, reference)
    log(`memory: turn ${ask.turn} has similarity ${similarity.toFixed(3)} to the last checkpoint`)
    if (similarity >= threshold) return nothing

    const interval = Math.floor(ask.turn / intervalTurns)
    if (filled.get(ask.session) === interval) {
      log(`memory: drift at turn ${ask.turn}, backfilled already in this interval`)
      return nothing
    }
    const answer = await recall(ask, current, meaning, signal)
    if (answer.notes.length > 0) filled.set(ask.session, interval)
    return answer
  }

  /** The most recent checkpoint of the session, else its first user message (CTX-043). */
  async function referenceOf({ session, entries }: DriftAsk, embedder: Embedder): Promise<Float32Array | null> {
    const last = store.lastOfSession(session)
    if (last !== null) return vectorFor(store, embedder, last)
    const known = beginnings.get(session)
    if (known !== undefined) return known
    const first = entries.find((entry) => entry.kind === 'user')
    const vector = first === undefined ? null : await embedder.embed(first.text)
    if (vector !== null) beginnings.set(session, vector)
    return vector
  }

  async function recall(
    ask: DriftAsk,
    current: Float32Array,
    meaning: Meaning,
    signal: AbortSignal
  ): Promise<DriftAnswer> {
    const { repo, key } = identity
    await embedMissing(store, meaning.embedder, repo, embeddedWhileWaiting, signal)
    const { candidates, refused } = await rankCandidates({ repo, current, store, trust, meaning }, ask, signal)
    const { chosen, skipped } = chooseBackfill(
      candidates.map((record) => ({ record, note: noteOf(record, parts.clean) })),
      ask.budget
    )
    if (skipped.length > 0 && ask.canGrow) {
      log('memory: what was found does not fit, compacting first')
      return { notes: [], notices: [], crowded: true }
    }
    for (const { record } of skipped) log(`memory: checkpoint ${record.hash.slice(0, 12)} does not fit the budget`)
    const warnings = refused.map((text) => ({ level: 'warning', text }) as const)
    if (chosen.length === 0) {
      log(`memory: drift at turn ${ask.turn}, nothing to recall`)
      return { notes: [], notices: warnings }
    }
    const told = announcement(
      chosen.map(({ record }) => record),
      key.device,
      store
    )
    return {
      notes: chosen.map(({ note }) => note),
      notices: [...warnings, ...told.map((text) => ({ level: 'info', text }) as const)]
    }
  }
}

/** Characters beyond which the embedder's 512 tokens are surely full. */
const enoughText = 20_000

/** User and assistant text, newest first; the embedder cuts it at 512 tokens (CTX-042). */
function conversationText(entries: readonly ContextEntry[]): string {
  let text = ''
  for (const entry of entries.toReversed()) {
    if ((entry.kind !== 'user' && entry.kind !== 'assistant') || entry.text.trim() === '') continue
    text += `${entry.text.trim()}\n`
    if (text.length > enoughText) break
  }
  return text
}

/** The lines of CTX-050. */
function announcement(records: readonly Checkpoint[], device: string, store: MemoryStore): readonly string[] {
  const numbers = (some: readonly Checkpoint[]) => some.map((record) => store.indexInSession(record)).join(', ')
  const own = records.filter((record) => record.device === device)
  const foreign = records.filter((record) => record.device !== device)
  return [
    `drift detected, backfilling from checkpoints ${numbers(records)}`,
    ...(own.length === 0 ? [] : [`backfill from checkpoints ${numbers(own)}`]),
    ...foreign.map(({ author, turn, summary }) => `backfill from @${author} checkpoint ${turn}: ${firstLine(summary)}`)
  ]
}
