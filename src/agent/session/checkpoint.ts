import { messageOf } from '../../lib/error.ts'
import type { ContextEntry, HistoryEntry } from '../../protocol/entry.ts'
import {
  activeContext,
  checkpointFacts,
  checkpointSummary,
  handoffBody,
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
type From = { readonly session: string; readonly hash: string } | null

/** The checkpoint of an interval, a compaction or the end of the session (CTX-029, CTX-070, CTX-071). */
export async function makeCheckpoint(
  why: StepOf<'checkpoint'>['why'],
  state: SessionState,
  ports: CheckpointPorts,
  resumedFrom: From
): Promise<CheckpointResult> {
  const local = localBody({ goal: goalOf(state.history), entries: newEntries(state), error: openError(state) })
  switch (why) {
    case 'interval':
      return store({ kind: 'interval', from: firstTurn(state), to: state.turn }, local, state, ports, resumedFrom)
    case 'shutdown': {
      const how = state.run.leaving?.signal === true ? 'signal' : 'ended'
      return store({ kind: 'shutdown', how }, local, state, ports, resumedFrom)
    }
    case 'compaction': {
      // The note's own first line is that of the checkpoint (CTX-028, CTX-029).
      const body = (state.run.unsavedSummary ?? '').replace(/^compaction at turn \d+\n/, '')
      return store({ kind: 'compaction', turn: state.turn }, body, state, ports, resumedFrom)
    }
  }
}

/** The checkpoint a crashed session still owed (SESS-102). */
export async function makeRecoveredCheckpoint(state: SessionState, ports: CheckpointPorts): Promise<CheckpointResult> {
  const body = localBody({ goal: goalOf(state.history), entries: newEntries(state), error: openError(state) })
  return store({ kind: 'shutdown', how: 'recovered' }, body, state, ports, null)
}

/** The checkpoint a handoff starts from, made while the old model is still the active one (CTX-071a). */
export async function makeHandoffCheckpoint(
  switching: { readonly to: string; readonly reason: string },
  keep: readonly ContextEntry[],
  state: SessionState,
  ports: CheckpointPorts,
  resumedFrom: From
): Promise<CheckpointResult> {
  const { to, reason } = switching
  const body = handoffBody({ goal: goalOf(state.history), context: activeContext(state.history), keep })
  return store({ kind: 'handoff', from: state.model, to, reason }, body, state, ports, resumedFrom)
}

async function store(
  reason: SummaryReason,
  body: string,
  state: SessionState,
  ports: CheckpointPorts,
  resumedFrom: From
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
    resumedFrom: state.checkpoints.count === 0 ? resumedFrom : null
  }
  try {
    const receipt = await ports.checkpoints.create(draft)
    const turns = [...new Set(signals.map((signal) => signal.turn))]
    const items: readonly Item[] = turns.map((turn) =>
      notice('warning', `checkpoint ${receipt.index}: injection signal in turn ${turn}`)
    )
    return { stored: { receipt, draft }, items }
  } catch (error) {
    // Memory is an optional service: the session goes on without this checkpoint.
    return { stored: null, items: [notice('warning', `checkpoint not stored: ${messageOf(error)}`)] }
  }
}

/** What the last checkpoint does not cover yet. */
function newEntries(state: SessionState): readonly HistoryEntry[] {
  return state.history.slice(state.checkpoints.covers).filter((entry) => !isAnchor(entry))
}

function firstTurn(state: SessionState): number {
  const first = newEntries(state).find((entry) => entry.kind === 'user')
  return Math.min(first?.turn ?? state.turn, state.turn)
}

function openError(state: SessionState): string | null {
  const last = state.current === null ? state.lastTurn : null
  return last === null || last.outcome === 'completed' ? null : (last.code ?? last.outcome)
}
