import type { NoteEntry } from '../../protocol/entry.ts'
import { activeContext, anchorEntry, handoffNotes, notesOf, preservedTurns, splitTurns } from '../context/index.ts'
import { makeHandoffCheckpoint } from './checkpoint.ts'
import type { Ports } from './ports.ts'
import type { SessionState } from './state.ts'
import type { HandoffResult, StepOf } from './steps.ts'
import type { Voice } from './voice.ts'

/**
 * HANDOFF: a checkpoint on the old model, then what the new one takes over with: its note and the last three turns verbatim,
 * the current one whole (SESS-082, SESS-084). Makes no model call, so an interrupt lets it finish (SESS-093).
 */
export async function handOff(
  step: StepOf<'hand-off'>,
  state: SessionState,
  ports: Ports,
  voice: Voice
): Promise<HandoffResult> {
  const context = activeContext(state.history)
  const keep = splitTurns(context).slice(-preservedTurns).flat()
  const isFirst = state.turn === 0
  const checkpoint = isFirst ? null : await makeHandoffCheckpoint(step, keep, state, ports)
  const summary = checkpoint?.stored?.draft.summary ?? ''

  const handed = voice
    .dialect(step.to)
    .handoffSummary(
      { note: ports.ids.entry(), turn: isFirst ? 0 : state.turn, previousModel: state.model, summary },
      keep
    )
  const note = handed.find((entry): entry is NoteEntry => entry.kind === 'note')
  const entry = anchorEntry('handoff', {
    id: ports.ids.entry(),
    turn: state.turn,
    notes: note === undefined ? notesOf(context) : handoffNotes(context, note),
    keep,
    history: state.history
  })
  const after = activeContext([...state.history, entry])
  return { checkpoint, entry, tokens: voice.tokens(step.to, 'session', state.planMode, after) }
}
