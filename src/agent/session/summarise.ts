import type { ContextEntry } from '../../protocol/entry.ts'
import { type ModelFailure, modelFailure } from '../../protocol/model.ts'
import { chunkMessage, splitTranscript } from '../context/index.ts'
import { readReply } from '../dialects/index.ts'
import { interrupted } from './call-model.ts'
import type { Ports } from './ports.ts'
import { shortfall } from './shortfall.ts'
import type { Trip } from './steps.ts'
import { withinTeardown } from './teardown.ts'
import { usageOf } from './usage.ts'
import type { Voice } from './voice.ts'

/** Wait before the one retry of a summarising call, milliseconds (MODEL-055). */
const retryAfterMs = 500

export type Written =
  | {
      readonly kind: 'written'
      readonly summary: string
      readonly trips: readonly Trip[]
      /** What the server kept back of it, or null. */
      readonly lacks: string | null
    }
  | { readonly kind: 'failed'; readonly text: string; readonly trips: readonly Trip[] }
  | { readonly kind: 'interrupted'; readonly trips: readonly Trip[] }

type Summarising = {
  readonly model: string
  readonly ports: Pick<Ports, 'clock' | 'log' | 'model'>
  readonly voice: Voice
  readonly signal: AbortSignal
}

/**
 * What the model makes of `entries`, in as few requests as fit its window (CTX-023…026). An endpoint that finds a piece too long counts
 * more tokens than the estimate; that is learnt (MODEL-011) and the pieces are cut anew, as long as there is something to learn.
 */
export async function summarise(entries: readonly ContextEntry[], on: Summarising): Promise<Written> {
  const { model, voice } = on
  const trips: Trip[] = []
  for (;;) {
    const before = voice.correction(model)
    const pass = await summarisePieces(entries, on)
    trips.push(...pass.trips)
    if (pass.kind !== 'rejected') return { ...pass, trips }
    voice.rejected(model, pass.estimated)
    // A piece fills nine tenths of the window at most, so every rejection moves the correction by a tenth, up to its clamp.
    if (voice.correction(model) <= before) return { kind: 'failed', text: pass.text, trips }
  }
}

type Pass =
  | Written
  | { readonly kind: 'rejected'; readonly text: string; readonly estimated: number; readonly trips: Trip[] }

/** Piece by piece, each led in by the summary of the one before it (CTX-026). */
async function summarisePieces(entries: readonly ContextEntry[], on: Summarising): Promise<Pass> {
  const { model, voice, signal } = on
  const prompt = voice.dialect(model).compactionPrompt()
  const countText = (text: string) => voice.counter(model).text(text, voice.correction(model))
  const options = { maxContext: voice.facts(model).maxContext, prompt, countText }
  const trips: Trip[] = []
  const summaries: string[] = []
  let lacks: string | null = null
  for (const chunk of splitTranscript(entries, options)) {
    const message = chunkMessage(chunk, summaries.at(-1) ?? null, options)
    const answer = await ask(prompt, message, on)
    if (answer.kind === 'failure') {
      if (signal.aborted) return { kind: 'interrupted', trips }
      const { failure, estimated } = answer
      const text = failure.message
      return failure.contextTooLong ? { kind: 'rejected', text, estimated, trips } : { kind: 'failed', text, trips }
    }
    trips.push(answer.trip)
    if (signal.aborted) return { kind: 'interrupted', trips }
    summaries.push(answer.text)
    lacks ??= answer.lacks
  }
  return { kind: 'written', summary: summaries.join('\n\n'), trips, lacks }
}

type Answer =
  | { readonly kind: 'text'; readonly text: string; readonly trip: Trip; readonly lacks: string | null }
  | { readonly kind: 'failure'; readonly failure: ModelFailure; readonly estimated: number }

/** One summarising request without tools, retried once (CTX-023, MODEL-055). */
async function ask(prompt: string, message: string, { model, ports, voice, signal }: Summarising): Promise<Answer> {
  const messages = [
    { role: 'system', content: prompt },
    { role: 'user', content: message }
  ] as const
  const count = (text: string) => voice.counter(model).text(text)
  const estimated = count(prompt) + count(message)
  for (let retries = 0; ; retries++) {
    const work = ports.model.request({ model, messages }, signal, () => undefined)
    const outcome = await withinTeardown(ports, work, signal, 'a compaction', interrupted)
    if (outcome.kind === 'reply' && !outcome.reply.partial) {
      const { reply } = outcome
      const text = summaryText(model, reply, voice)
      const trip = { model, ...usageOf(reply.usage, { prompt: estimated, completion: count(text) }) }
      return { kind: 'text', text, trip, lacks: shortfall(reply, { text, reasoning: '', calls: 0 }) }
    }
    const failure = outcome.kind === 'failure' ? outcome.failure : cutOff
    if (!failure.retryable || retries > 0 || signal.aborted) return { kind: 'failure', failure, estimated }
    try {
      await ports.clock.sleep(retryAfterMs, signal)
    } catch {
      // The operator dropped the compaction while it waited.
      return { kind: 'failure', failure, estimated }
    }
  }
}

/** The text of an answer without its reasoning. What looks like a tool call is text like any other (CTX-035). */
function summaryText(model: string, reply: Parameters<typeof readReply>[2], voice: Voice): string {
  const { text, calls } = readReply(voice.dialect(model), { turn: 0, callsSoFar: 0 }, reply)
  return [text, ...calls.map((call) => `${call.name} ${call.arguments}`)].join('\n').trim()
}

const cutOff = modelFailure('the summary was cut off', { retryable: true })
