import { letBugsThrough } from '../../lib/assert.ts'
import { messageOf } from '../../lib/error.ts'
import type { CheckpointDraft } from '../../protocol/checkpoint.ts'
import type { ContextEntry, HistoryEntry } from '../../protocol/entry.ts'
import {
  activeContext,
  checkpointFacts,
  checkpointSummary,
  handoffBody,
  type InjectionSignal,
  isAnchor,
  localBody,
  type SummaryReason,
  scanForSignals,
  signalLabels
} from '../context/index.ts'
import { goalOf } from './entries.ts'
import { type Item, notice } from './facts.ts'
import type { Ports } from './ports.ts'
import type { SessionState } from './state.ts'
import type { CheckpointResult, StepOf } from './steps.ts'

type CheckpointPorts = Pick<Ports, 'checkpoints' | 'redact'>

/** The checkpoint of an interval, a compaction or the end of the session (CTX-029, CTX-070, CTX-071). */
export async function makeCheckpoint(
  why: StepOf<'checkpoint'>['why'],
  state: SessionState,
  ports: CheckpointPorts
): Promise<CheckpointResult> {
  const local = localBody({ goal: goalOf(state.history), entries: newEntries(state), error: openError(state) })
  switch (why) {
    case 'interval':
      return store({ kind: 'interval', from: firstTurn(state), to: state.turn }, local, state, ports)
    case 'shutdown': {
      const how = state.run.leaving?.signal === true ? 'signal' : 'ended'
      return store({ kind: 'shutdown', how }, local, state, ports)
    }
    case 'compaction': {
      // The note's own first line is that of the checkpoint (CTX-028, CTX-029).
      const body = (state.run.unsavedSummary ?? '').replace(/^compaction at turn \d+\n/, '')
      return store({ kind: 'compaction', turn: state.turn }, body, state, ports)
    }
  }
}

/** The checkpoint a crashed session still owed (SESS-102). */
export async function makeRecoveredCheckpoint(state: SessionState, ports: CheckpointPorts): Promise<CheckpointResult> {
  const body = localBody({ goal: goalOf(state.history), entries: newEntries(state), error: openError(state) })
  return store({ kind: 'shutdown', how: 'recovered' }, body, state, ports)
}

/** The checkpoint a handoff starts from, made while the old model is still the active one (CTX-071a). */
export async function makeHandoffCheckpoint(
  switching: { readonly to: string; readonly reason: string },
  keep: readonly ContextEntry[],
  state: SessionState,
  ports: CheckpointPorts
): Promise<CheckpointResult> {
  const { to, reason } = switching
  const body = handoffBody({ goal: goalOf(state.history), context: activeContext(state.history), keep })
  return store({ kind: 'handoff', from: state.model, to, reason }, body, state, ports)
}

async function store(
  reason: SummaryReason,
  body: string,
  state: SessionState,
  ports: CheckpointPorts
): Promise<CheckpointResult> {
  const entries = newEntries(state)
  const signals = scanForSignals(entries)
  const draft = {
    session: state.session,
    turn: state.turn,
    // The model that answered, which is the alternate in a turn that fell back (MODEL-061).
    model: state.current?.fallback ?? state.model,
    planMode: state.planMode,
    summary: checkpointSummary(reason, body, ports.redact),
    ...checkpointFacts(entries),
    injections: signalLabels(signals),
    resumedFrom: state.checkpoints.count === 0 ? originOf(state.history) : null
  }
  try {
    const receipt = await ports.checkpoints.create(draft)
    return { stored: { receipt, draft }, items: signalNotices(signals, receipt.index) }
  } catch (error) {
    letBugsThrough(error)
    // Memory is an optional service: the session goes on without this checkpoint.
    return { stored: null, items: [notice('warning', `checkpoint not stored: ${messageOf(error)}`)] }
  }
}

/** One line per turn with signals; below it what was found, each class once (CTX-065). */
function signalNotices(signals: readonly InjectionSignal[], checkpoint: number): readonly Item[] {
  const turns = [...new Set(signals.map((signal) => signal.turn))]
  return turns.map((turn) => {
    const found = new Map(
      signals.filter((signal) => signal.turn === turn).map((signal) => [signal.label, signal.snippet])
    )
    const details = [...found].map(([label, snippet]) => `${label}: ${snippet}`)
    return notice('warning', `checkpoint ${checkpoint}: injection signal in turn ${turn}`, details.join('\n'))
  })
}

/** What the last checkpoint does not cover yet. */
function newEntries(state: SessionState): readonly HistoryEntry[] {
  return state.history.slice(state.checkpoints.covers).filter((entry) => !isAnchor(entry))
}

/** What the session was resumed from; told by its first checkpoint, whoever comes to make that (SESS-125). */
function originOf(history: readonly HistoryEntry[]): CheckpointDraft['resumedFrom'] {
  for (const entry of history) if (entry.kind === 'note' && entry.from !== undefined) return entry.from
  return null
}

function firstTurn(state: SessionState): number {
  const first = newEntries(state).find((entry) => entry.kind === 'user')
  return Math.min(first?.turn ?? state.turn, state.turn)
}

function openError(state: SessionState): string | null {
  const last = state.current === null ? state.lastTurn : null
  return last === null || last.outcome === 'completed' ? null : (last.code ?? last.outcome)
}
