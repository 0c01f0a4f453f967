import { letBugsThrough } from '../../lib/assert.ts'
import { messageOf } from '../../lib/error.ts'
import type { NoteEntry, UserEntry } from '../../protocol/entry.ts'
import type { Waiting } from '../../protocol/event.ts'
import { backfillBudget } from '../context/index.ts'
import { evaluate } from '../dialects/index.ts'
import { makeCheckpoint } from './checkpoint.ts'
import { compact } from './compact.ts'
import { requestEntries } from './entries.ts'
import { type Item, notice } from './facts.ts'
import { handOff } from './handoff.ts'
import type { Machine } from './loop.ts'
import { performCall } from './perform-call.ts'
import type { Ports } from './ports.ts'
import { recover } from './recover.ts'
import { resume } from './resume.ts'
import { runTool } from './run-tools.ts'
import { type SessionState, servingModel } from './state.ts'
import type { Outcome, Results, Step, StepOf } from './steps.ts'
import type { Surroundings } from './surroundings.ts'
import { settlements } from './tool-results.ts'
import type { Voice } from './voice.ts'
import { showing } from './waiting.ts'

/** Touches the world for one step, and judges nothing. Never rejects for expected trouble. */
export async function perform(step: Step, state: SessionState, around: Surroundings): Promise<Outcome> {
  const { machine, ports, voice } = around
  const signal = machine.signal()
  switch (step.kind) {
    case 'open':
      return { kind: step.kind, step, result: { items: await open(state, around) } }
    case 'await':
      await machine.woken()
      return { kind: step.kind, step, result: null }
    case 'run-command':
      return { kind: step.kind, step, result: { items: await around.runErrand(step.errand, signal) } }
    case 'take-input':
      return { kind: step.kind, step, result: { entries: userEntries(step, ports) } }
    case 'present-verdicts':
      await drainVerdicts(ports, signal)
      return { kind: step.kind, step, result: null }
    case 'measure':
      return { kind: step.kind, step, result: measure(state, voice) }
    case 'route':
      return { kind: step.kind, step, result: route(state, ports) }
    case 'compact': {
      const waiting: Waiting = {
        what: 'compaction',
        label: servingModel(state).name,
        since: ports.clock.now(),
        count: null
      }
      const result = await showing(waiting, machine, () => compact(step, state, ports, voice, signal))
      return { kind: step.kind, step, result }
    }
    case 'hand-off':
      return { kind: step.kind, step, result: await handOff(step, state, ports, voice) }
    case 'open-step':
      return { kind: step.kind, step, result: { id: ports.ids.step() } }
    case 'call-model':
      return { kind: step.kind, step, result: await performCall(step, state, around) }
    case 'wait':
      await wait(step, machine, ports, signal)
      return { kind: step.kind, step, result: null }
    case 'run-tool': {
      const tools = { ports, voice, signal, record: machine.record }
      const what = step.call.name === 'agent' ? 'sub-agent' : 'tool'
      const waiting: Waiting = { what, label: step.call.name, since: ports.clock.now(), count: null }
      const result = await showing(waiting, machine, () => runTool(step, state, tools))
      return { kind: step.kind, step, result }
    }
    case 'settle-calls':
      return { kind: step.kind, step, result: { entries: settlements(step.calls, step.why, state.turn, ports) } }
    case 'checkpoint':
      return { kind: step.kind, step, result: await makeCheckpoint(step.why, state, ports) }
    case 'measure-drift':
      return { kind: step.kind, step, result: await measureDrift(step, state, ports, signal) }
    // These decide nothing outside and touch nothing: their meaning is in `settle`.
    case 'resume-turn':
    case 'fall-back':
    case 'end-step':
    case 'give-up':
    case 'end-turn':
    case 'close':
    case 'end':
      return { kind: step.kind, step, result: null } as Outcome
  }
}

async function open(state: SessionState, around: Surroundings): Promise<readonly Item[]> {
  const { ports } = around
  const recovered = around.settlesPredecessors ? await recover(state, ports) : []
  return [...recovered, ...(await resume(ports)), ...around.greeting()]
}

/** One user entry per row, never merged (SESS-035). */
function userEntries(step: StepOf<'take-input'>, ports: Ports): readonly UserEntry[] {
  return step.rows.map((row) => ({ kind: 'user', id: ports.ids.entry(), turn: step.turn, text: row.text }))
}

async function drainVerdicts(ports: Ports, signal: AbortSignal): Promise<void> {
  try {
    await ports.gate.drainVerdicts(signal)
  } catch (error) {
    letBugsThrough(error)
    // What waits for a verdict waits on; the words of the operator are not held up by it.
    if (!signal.aborted) ports.log(`verdicts: ${messageOf(error)}`)
  }
}

function measure(state: SessionState, voice: Voice): Results['measure'] {
  const { name, maxContext } = servingModel(state)
  return {
    tokens: voice.tokens(name, 'session', state.planMode, requestEntries(state)),
    limit: maxContext,
    warnings: voice.system(name, 'session', state.planMode).warnings
  }
}

function route(state: SessionState, ports: Ports): Results['route'] {
  const { routing, locked } = state.rules
  const floor = ports.gate.floor()
  const depth = state.run.measured ?? 0
  const decision = evaluate({
    contextDepth: depth,
    toolDepth: state.toolDepth,
    modelLocked: locked,
    deepOverride: state.deepOverride,
    activeModel: state.model,
    defaultModel: routing.defaultModel,
    deepModel: routing.deepModel,
    backfillTriggered: state.run.backfilled,
    contextDepthThreshold: routing.contextDepthThreshold,
    toolDepthThreshold: routing.toolDepthThreshold,
    contextCompactedBelow: state.run.rerouting?.deescalate === true ? depth : state.compactedBelow,
    gateFloor: floor,
    gateFloorEscalateAtRank: routing.gateFloorEscalateAtRank,
    gateFloorDisabled: routing.gateFloorDisabled,
    autoRouting: routing.enableAutoRouting
  })
  return { decision, floor }
}

/** Abortable, with the seconds left for all to see (SESS-047). Told once: whoever shows them counts down by its own clock. */
async function wait({ delayMs }: StepOf<'wait'>, machine: Machine, ports: Ports, signal: AbortSignal): Promise<void> {
  const label = `${servingModel(machine.state()).name}: retrying in`
  const waiting: Waiting = { what: 'retry', label, since: ports.clock.now(), count: Math.ceil(delayMs / 1000) }
  try {
    await showing(waiting, machine, () => ports.clock.sleep(delayMs, signal))
  } catch (error) {
    // Only the operator ends a wait early.
    if (!signal.aborted) throw error
  }
}

async function measureDrift(
  step: StepOf<'measure-drift'>,
  state: SessionState,
  ports: Ports,
  signal: AbortSignal
): Promise<Results['measure-drift']> {
  if (ports.drift === undefined) return { notes: [], items: [], crowded: false }
  const tokens = state.run.measured ?? 0
  const { maxContext } = servingModel(state)
  const depthThreshold = state.rules.routing.contextDepthThreshold
  const sizes = { maxContext, depthThreshold, tokens }
  const budget = backfillBudget(sizes)
  const found = await ports.drift.check(
    {
      session: state.session,
      turn: state.turn,
      reason: step.reason,
      entries: requestEntries(state),
      tokens,
      budget,
      canGrow: step.reason !== 'compaction' && backfillBudget({ ...sizes, tokens: 0 }) > budget
    },
    signal
  )
  const notes = found.notes.map((text): NoteEntry => {
    return { kind: 'note', id: ports.ids.entry(), turn: state.turn, sub: 'backfill', text }
  })
  const items = found.notices.map(({ level, text }) => notice(level, text))
  return { notes, items, crowded: found.crowded === true }
}
