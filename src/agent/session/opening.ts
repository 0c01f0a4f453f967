import type { SessionPhase } from '../../protocol/event.ts'
import type { Item } from './facts.ts'
import { pendingCompaction } from './inbox.ts'
import type { SessionState } from './state.ts'
import type { Step } from './steps.ts'

/** What is recorded before a step is performed: the phase it puts the session in (SESS-017), and an intent that a crash would leave behind. */
export function opening(state: SessionState, step: Step, isLong: (name: string) => boolean): readonly Item[] {
  const from = state.run.phase
  const to = phaseOf(state, step, isLong)
  const moved: readonly Item[] = from === to ? [] : [{ kind: 'phase-changed', from, to, reason: step.kind }]
  if (step.kind !== 'run-tool') return moved
  return [...moved, { kind: 'tool-started', message: step.message.id, call: step.call }]
}

/** The state of the session, as the status line names it, that a step belongs to. */
function phaseOf(state: SessionState, step: Step, isLong: (name: string) => boolean): SessionPhase {
  switch (step.kind) {
    case 'open':
      return 'init'
    case 'await':
      return 'ready'
    case 'close':
    case 'end':
      return 'shutdown'
    case 'compact':
      return 'compact'
    case 'hand-off':
      return 'handoff'
    case 'measure-drift':
      return 'backfill'
    case 'take-input':
    case 'resume-turn':
      return 'turn'
    case 'run-tool':
      return step.call.name === 'agent' ? 'sub-agent' : 'turn'
    case 'run-command':
      return step.errand.kind === 'shell' || isLong(step.errand.name) ? 'command' : 'ready'
    case 'checkpoint':
      if (step.why === 'shutdown') return 'shutdown'
      break
  }
  if (state.current !== null) return 'turn'
  if (state.run.rerouting !== null) return 'handoff'
  // Outside a turn only a compaction counts, saves and measures.
  return pendingCompaction(state.inbox) !== null || state.run.phase === 'compact' ? 'compact' : state.run.phase
}
