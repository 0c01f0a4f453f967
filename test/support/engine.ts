import { type Engine, type EngineOptions, openEngine } from '../../src/gate/engine/index.ts'
import { attestationRef } from '../../src/gate/runner/arrow-id.ts'
import type { Recorded } from '../../src/gate/runner/attestation/store.ts'
import { payloadOf, unitOf } from '../../src/gate/runner/attestation/unit.ts'
import { publishRequest } from '../../src/gate/runner/dispatch/requests.ts'
import { createGates, type Gates } from '../../src/gate/runner/gates.ts'
import type { LivePass } from '../../src/gate/runner/live-pass.ts'
import type { KernelPorts } from '../../src/gate/runner/ports.ts'
import type { RunRow } from '../../src/gate/runner/records.ts'
import { assert } from '../../src/lib/assert.ts'
import type { Clock } from '../../src/lib/clock.ts'
import type { EvaluatorRegistry } from '../../src/protocol/evaluation.ts'
import type { OperatorEvent, Verdict } from '../../src/protocol/gate.ts'
import type { Grid } from '../../src/protocol/grid.ts'
import { manualClock } from './clock.ts'
import { arrowOf, attestedClause, gridOf, machineClause } from './grid.ts'

/** A clock whose every answer is one millisecond later than the one before. */
export function tickingClock(start = Date.UTC(2026, 7, 21)): Clock {
  const clock = manualClock(start)
  let ticks = 0
  return { ...clock, nowNs: () => BigInt(start + ++ticks) * 1_000_000n, now: () => start + ticks }
}

const noEvaluators: EvaluatorRegistry = {
  keyOf: (concept) => concept,
  lookUp: () => null,
  missing: () => []
}

/** Ports of a kernel that meets nobody: no model, no cycle, an artifact that never changes. */
function quietPorts(projectDir: string, clock: Clock): KernelPorts {
  return {
    clock,
    projectDir,
    processPrefix: 'test',
    warn(message, cause) {
      throw new Error(message, { cause })
    },
    artifacts: { take: async () => ({ digest: 'd'.repeat(64), dependencies: {} }) },
    gateFiles: { changed: () => null },
    bindingPrompt: null,
    routing: () => ({
      gateFloorEnabled: true,
      escalateAtRank: 2,
      fastModel: 'fast',
      deepModel: 'deep',
      lockedModel: null
    }),
    adversary: () => ({ disabled: false, cycle: null }),
    amendments: null,
    argsOf: (_concept, args) => args,
    strictEvents: true
  }
}

/** Two attested clauses and a machine one, in two contexts, none of them sensitive. */
export function robustGrid(changes: Partial<Grid> = {}): Grid {
  const attested = (id: string) =>
    attestedClause({ id, depth: 'depth-robust', minTier: 0, source: 'operator-extension' })
  const arrow = arrowOf({ stratum: 'L0', clauses: [attested('C11'), attested('C12'), machineClause()] })
  return gridOf({
    boundedContexts: [
      { id: 'default', description: null },
      { id: 'shop', description: null }
    ],
    arrows: [arrow, { ...arrow, id: 'analyst→architect/shop', context: 'shop' }],
    ...changes
  })
}

export type RunningGate = {
  readonly engine: Engine
  readonly gates: Gates
  readonly events: OperatorEvent[]
}

export type GateOptions = {
  readonly grid?: Grid
  readonly clock?: Clock
  readonly session?: string
  readonly steps?: EngineOptions['steps']
}

/** The engine with a kernel on it, attached, as a session has them. Close the engine, or leave it as a killed process would. */
export function startGate(
  projectDir: string,
  { grid = robustGrid(), clock = tickingClock(), session = 'dev-1', steps }: GateOptions = {}
): RunningGate {
  const engine = openEngine({ projectDir, grid, clock, session, ...(steps === undefined ? {} : { steps }) })
  const gates = createGates({
    ports: quietPorts(projectDir, clock),
    grid,
    registry: noEvaluators,
    earlier: engine.earlier
  })
  engine.load(gates)
  engine.attach(gates)
  const events: OperatorEvent[] = []
  gates.bus.subscribe((event) => events.push(event))
  return { engine, gates, events }
}

/** Opens a pass on an arrow, as a dispatch would; the machine clause passes, the attested ones wait. */
export function openWaitingPass(
  gates: Gates,
  arrowId: string,
  clauseIds: readonly string[] = ['C11', 'C12']
): LivePass {
  const pass = openPass(gates, arrowId)
  runMachineClause(gates, pass)
  for (const clauseId of clauseIds) {
    appendWaitingRun(gates, pass, clauseId)
    requestVerdict(gates, pass, clauseId)
  }
  return pass
}

/** Opens a pass of alice on an arrow; no clause of it has run. */
export function openPass(gates: Gates, arrowId: string): LivePass {
  const arrow = gates.grid.arrow(arrowId)
  assert(arrow !== null, `no arrow ${arrowId}`)
  const { sourceRole: role, context } = arrow
  const opened = gates.passes.open({ role, context, arrow, gridVersion: 1, actualTier: 1, opId: 'alice' })
  assert('pass' in opened, 'the pass did not open')
  return opened.pass
}

/** C1 runs and passes. */
export function runMachineClause(gates: Gates, pass: LivePass): void {
  pass.board.move('C1', 'running')
  gates.journal().appendRun(runOf(gates, pass, 'C1', { endStatus: 'pass', completedAt: gates.stamps.now() }))
  pass.board.move('C1', 'pass')
}

/** The row of a clause that waits for the operator. */
export function appendWaitingRun(gates: Gates, pass: LivePass, clauseId: string): void {
  const attestationRef = refOf(pass, clauseId)
  gates.journal().appendRun(runOf(gates, pass, clauseId, { attestationRef, endStatus: 'running' }))
}

/** Asks the operator about a clause, as a dispatch does. */
export function requestVerdict(gates: Gates, pass: LivePass, clauseId: string): void {
  const hint = {
    arrow_id: pass.record.arrowId,
    clause_id: clauseId,
    concept: 'attested',
    attestation_ref: refOf(pass, clauseId),
    artifact_digest: 'd'.repeat(64)
  }
  publishRequest(gates, pass, { clauseId, ref: refOf(pass, clauseId), hint, adversaryRole: '' })
}

/** Records a verdict as the prompt does, and says so as an operator would see it. */
export function answer(
  gates: Gates,
  pass: LivePass,
  clauseId: string,
  verdict: Verdict,
  isEscalation = false
): Recorded {
  const { record, arrow } = pass
  const unit = unitOf(verdict, isEscalation)
  return gates.attestations.record({
    kind: 'depth-type',
    arrowId: record.arrowId,
    clauseId,
    opId: 'alice',
    attestedByRole: 'operator',
    sourceRole: arrow.sourceRole,
    targetRole: arrow.targetRole,
    verdict,
    reason: '',
    gridVersion: record.gridVersion,
    passId: record.id,
    context: record.context,
    stratum: arrow.stratum,
    adversaryRole: '',
    unit,
    unitPayloadJson: payloadOf(unit, 'src/a.ts:1'),
    hintJson: '{}',
    ref: refOf(pass, clauseId)
  })
}

function refOf({ record }: LivePass, clauseId: string): string {
  return attestationRef(record.arrowId, clauseId, record.gridVersion)
}

function runOf(gates: Gates, { record, runs }: LivePass, clauseId: string, facts: Partial<RunRow>): RunRow {
  const row: RunRow = {
    id: `ev-${record.id}-${runs.length}`,
    clauseId,
    passId: record.id,
    arrowId: record.arrowId,
    gridVersion: record.gridVersion,
    attestationRef: '',
    actualTier: 1,
    minTier: 0,
    concept: '',
    generation: 1,
    startedAt: gates.stamps.now(),
    completedAt: '',
    startStatus: 'pending',
    endStatus: 'running',
    result: null,
    runError: '',
    unevaluatedReason: null,
    ...facts
  }
  runs.push(row.id)
  return row
}
