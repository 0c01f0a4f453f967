import type { AnchorEntry, ContextEntry } from '../../protocol/entry.ts'
import { activeContext, anchorEntry, judgeSummary, selectForCompaction, summaryNote } from '../context/index.ts'
import { requestEntries } from './entries.ts'
import type { Ports } from './ports.ts'
import { type SessionState, servingModel } from './state.ts'
import type { CompactionResult, StepOf } from './steps.ts'
import { summarise } from './summarise.ts'
import type { Voice } from './voice.ts'

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

  const written = await summarise(selection.summarise, { model, ports, voice, signal })
  const { trips } = written
  if (written.kind === 'interrupted') return { kind: 'interrupted', trips }
  if (written.kind === 'failed') return { kind: 'failed', text: `compaction failed: ${written.text}`, trips }

  const { lacks } = written
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
    return { kind: 'copied', covers, entries: shorter, tokens: tokensOf(shorter), trips, lacks }
  }
  const entry: AnchorEntry = anchorEntry('compaction', {
    id: ports.ids.entry(),
    turn: state.turn,
    notes: [note],
    keep: selection.keep,
    history: state.history
  })
  return { kind: 'anchored', entry, tokens: tokensOf(activeContext([...state.history, entry])), trips, lacks }
}
