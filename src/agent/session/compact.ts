import type { AnchorEntry, ContextEntry } from '../../protocol/entry.ts'
import type { ModelFailure } from '../../protocol/model.ts'
import {
  activeContext,
  anchorEntry,
  chunkMessage,
  judgeSummary,
  selectForCompaction,
  splitTranscript,
  summaryNote
} from '../context/index.ts'
import { readReply } from '../dialects/index.ts'
import { interrupted } from './call-model.ts'
import { requestEntries } from './entries.ts'
import type { Ports } from './ports.ts'
import { type SessionState, servingModel } from './state.ts'
import type { CompactionResult, StepOf, Trip } from './steps.ts'
import { withinTeardown } from './teardown.ts'
import { usageOf } from './usage.ts'
import type { Voice } from './voice.ts'

/** Wait before the one retry of a summarising call, milliseconds (MODEL-055). */
const retryAfterMs = 500
/**
 * Fewer tokens than this are not worth a summary before a handoff, which remembers what it leaves out by itself. Without the
 * limit a long last turn behind a short first one would make every escalation fail on a summary longer than its subject.
 */
const worthSummarising = 500

/**
 * COMPACT: chooses what to summarise, has the serving model summarise it in a request of its own, and yields the anchor that
 * would replace it. The context itself is untouched until the anchor is recorded, so a failure changes nothing (SESS-081).
 */
export async function compact(
  step: Pick<StepOf<'compact'>, 'must' | 'why'>,
  state: SessionState,
  ports: Ports,
  voice: Voice,
  signal: AbortSignal
): Promise<CompactionResult> {
  const { name: model, maxContext } = servingModel(state)
  const counter = voice.counter(model)
  const correction = voice.correction(model)
  const entries = requestEntries(state)
  const selection = selectForCompaction(entries, { maxContext, counter, correction, must: step.must })
  if (selection.kind === 'nothing') return { kind: 'nothing' }
  if (step.why === 'hand-off' && counter.entries(selection.summarise) < worthSummarising) return { kind: 'nothing' }

  const written = await summarise(selection.summarise, model, ports, voice, signal)
  const { trips } = written
  if (written.kind === 'interrupted') return { kind: 'interrupted', trips }
  if (written.kind === 'failed') return { kind: 'failed', text: `compaction failed: ${written.text}`, trips }

  const judged = judgeSummary(written.summary, counter.entries(selection.summarise), (text) => counter.text(text))
  if (judged.kind === 'refused') {
    const why = judged.reason === 'empty' ? 'the summary is empty' : 'the summary is too long for what it replaces'
    return { kind: 'failed', text: `compaction failed: ${why}`, trips }
  }

  const note = summaryNote(ports.ids.entry(), state.turn, judged.summary)
  const tokensOf = (some: readonly ContextEntry[]) => voice.tokens(model, 'session', state.planMode, some)
  if (state.current?.fallback != null) {
    const shorter = [note, ...selection.keep]
    const covers = new Set(activeContext(state.history).map((entry) => entry.id))
    return { kind: 'copied', covers, entries: shorter, tokens: tokensOf(shorter), trips }
  }
  const entry: AnchorEntry = anchorEntry('compaction', {
    id: ports.ids.entry(),
    turn: state.turn,
    notes: [note],
    keep: selection.keep,
    history: state.history
  })
  return { kind: 'anchored', entry, tokens: tokensOf(activeContext([...state.history, entry])), trips }
}

type Written =
  | { readonly kind: 'written'; readonly summary: string; readonly trips: readonly Trip[] }
  | { readonly kind: 'failed'; readonly text: string; readonly trips: readonly Trip[] }
  | { readonly kind: 'interrupted'; readonly trips: readonly Trip[] }

/** The summary of all pieces, each led in by the one before it (CTX-026). */
async function summarise(
  entries: readonly ContextEntry[],
  model: string,
  ports: Ports,
  voice: Voice,
  signal: AbortSignal
): Promise<Written> {
  const prompt = voice.dialect(model).compactionPrompt()
  const countText = (text: string) => voice.counter(model).text(text, voice.correction(model))
  const options = { maxContext: voice.facts(model).maxContext, prompt, countText }
  const trips: Trip[] = []
  const summaries: string[] = []
  for (const chunk of splitTranscript(entries, options)) {
    const message = chunkMessage(chunk, summaries.at(-1) ?? null, options)
    const answer = await ask(model, prompt, message, ports, voice, signal)
    if (answer.kind === 'failure')
      return signal.aborted ? { kind: 'interrupted', trips } : { kind: 'failed', text: answer.failure.message, trips }
    trips.push(answer.trip)
    if (signal.aborted) return { kind: 'interrupted', trips }
    summaries.push(answer.text)
  }
  return { kind: 'written', summary: summaries.join('\n\n'), trips }
}

type Answer =
  | { readonly kind: 'text'; readonly text: string; readonly trip: Trip }
  | { readonly kind: 'failure'; readonly failure: ModelFailure }

/** One summarising request without tools, retried once (CTX-023, MODEL-055). */
async function ask(
  model: string,
  prompt: string,
  message: string,
  ports: Ports,
  voice: Voice,
  signal: AbortSignal
): Promise<Answer> {
  const messages = [
    { role: 'system', content: prompt },
    { role: 'user', content: message }
  ] as const
  for (let retries = 0; ; retries++) {
    const work = ports.model.request({ model, messages }, signal, () => undefined)
    const outcome = await withinTeardown(ports, work, signal, 'a compaction', interrupted)
    if (outcome.kind === 'reply' && !outcome.reply.partial) {
      const text = summaryText(model, outcome.reply, voice)
      const count = (some: string) => voice.counter(model).text(some)
      const estimate = { prompt: count(prompt) + count(message), completion: count(text) }
      return { kind: 'text', text, trip: { model, ...usageOf(outcome.reply.usage, estimate) } }
    }
    const failure = outcome.kind === 'failure' ? outcome.failure : cutOff
    if (!failure.retryable || retries > 0 || signal.aborted) return { kind: 'failure', failure }
    try {
      await ports.clock.sleep(retryAfterMs, signal)
    } catch {
      // The operator dropped the compaction while it waited.
      return { kind: 'failure', failure }
    }
  }
}

/** The text of an answer without its reasoning. What looks like a tool call is text like any other (CTX-035). */
function summaryText(model: string, reply: Parameters<typeof readReply>[2], voice: Voice): string {
  const { text, calls } = readReply(voice.dialect(model), { turn: 0, callsSoFar: 0 }, reply)
  return [text, ...calls.map((call) => `${call.name} ${call.arguments}`)].join('\n').trim()
}

const cutOff: ModelFailure = {
  code: 'stream-failed',
  message: 'the summary was cut off',
  statusCode: null,
  retryable: true,
  retryAfterSeconds: null,
  contextTooLong: false,
  requestId: null
}
