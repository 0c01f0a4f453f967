import type { RoutingConfig } from '../../protocol/settings.ts'

// Which tier serves the next step, as one table: the first row whose condition holds decides. No I/O and no
// clock; plan mode, usage, prices and what a model thinks of itself are no inputs (ROUTE-010).

export type RoutingInputs = {
  readonly contextDepth: number
  readonly toolDepth: number
  /** `--model` was given. */
  readonly modelLocked: boolean
  /** `/deep` was given. */
  readonly deepOverride: boolean
  readonly activeModel: string
  readonly defaultModel: string
  /** null or empty without a deep tier. */
  readonly deepModel: string | null
  readonly backfillTriggered: boolean
  readonly contextDepthThreshold: number
  readonly toolDepthThreshold: number
  /** Depth after a compaction on the deep model, else null (ROUTE-008a). */
  readonly contextCompactedBelow: number | null
  /** Minimum tier of the open arrow, 0…3. */
  readonly gateFloor: number
  readonly gateFloorEscalateAtRank: number
  readonly gateFloorDisabled: boolean
  readonly autoRouting: boolean
}

type RoutingAction = 'none' | 'escalate' | 'de_escalate' | 'gate_unsatisfiable' | 'gate_locked_conflict' | 'invalid'

type RoutingReason =
  | 'invalid-input'
  | 'gate-locked-conflict'
  | 'model-locked'
  | 'gate-unsatisfiable'
  | 'gate-floor'
  | 'deep-override'
  | 'backfill'
  | 'context-depth'
  | 'tool-depth'
  | 'context-compacted'
  | 'steady-state'

export type RoutingDecision = {
  readonly action: RoutingAction
  readonly targetModel: string
  /** Compact on the current model before the handoff (ROUTE-008). */
  readonly needCompaction: boolean
  readonly reason: RoutingReason
  /** The floor that is out of range, with action `invalid` only. */
  readonly rejectedFloor?: number
}

/** The router's decision (ROUTE-001). Total: some row always matches, the last one without condition. */
export function evaluate(inputs: RoutingInputs): RoutingDecision {
  const situation = situationOf(inputs)
  const row = table.find(({ when }) => when(inputs, situation)) ?? steadyState
  return {
    action: row.action,
    targetModel: target(row, inputs),
    needCompaction: row.compact ?? false,
    reason: row.reason,
    ...(row.action === 'invalid' && { rejectedFloor: inputs.gateFloor })
  }
}

/**
 * What the operator is told about a decision that sends no request: the `detail` of SESS-073, without glyph (ROUTE-009). null
 * for every decision that dispatches.
 */
export function routingDetail(decision: RoutingDecision): string | null {
  switch (decision.action) {
    case 'gate_unsatisfiable':
      return `gate-unsatisfiable: no configured tier meets this arrow's floor (active ${decision.targetModel}); operator attestation needed`
    case 'gate_locked_conflict':
      return `gate-locked-conflict: --model ${decision.targetModel} forbids the tier this arrow needs; operator attestation needed`
    case 'invalid':
      return `routing: gate floor ${decision.rejectedFloor} is out of range 0..3`
    default:
      return null
  }
}

/** Whether there is a second tier to go to (ROUTE-003). */
export function hasDeepTier<Tiers extends Pick<RoutingConfig, 'deepModel' | 'defaultModel'>>(
  tiers: Tiers
): tiers is Tiers & { readonly deepModel: string } {
  const { deepModel, defaultModel } = tiers
  return deepModel !== null && deepModel !== '' && deepModel !== defaultModel
}

/** Whether a floor of this rank asks for the deep tier (ROUTE-002). */
export function isFloorActive(
  rules: Pick<RoutingConfig, 'gateFloorDisabled' | 'gateFloorEscalateAtRank'>,
  gateFloor: number
): boolean {
  const { gateFloorDisabled, gateFloorEscalateAtRank: rank } = rules
  return !gateFloorDisabled && rank > 0 && gateFloor >= rank
}

type Situation = {
  /** ROUTE-002. */
  readonly floorActive: boolean
  /** ROUTE-003. */
  readonly canEscalate: boolean
  /** Rows 6–9 apply: there is somewhere to go, routing is on (MODEL-064), and the fast tier is at work. */
  readonly mayRise: boolean
  /** Row 10 applies: likewise, and the deep tier is at work. */
  readonly mayFall: boolean
}

function situationOf(inputs: RoutingInputs): Situation {
  const { deepModel, defaultModel, activeModel } = inputs
  const canEscalate = hasDeepTier(inputs)
  const isFree = canEscalate && inputs.autoRouting
  return {
    floorActive: isFloorActive(inputs, inputs.gateFloor),
    canEscalate,
    mayRise: isFree && activeModel === defaultModel,
    mayFall: isFree && activeModel === deepModel
  }
}

type Row = {
  readonly when: (inputs: RoutingInputs, situation: Situation) => boolean
  readonly action: RoutingAction
  readonly reason: RoutingReason
  readonly compact?: boolean
}

const isFloor = (floor: number) => Number.isInteger(floor) && floor >= 0 && floor <= 3

const steadyState: Row = { when: () => true, action: 'none', reason: 'steady-state' }

/** ROUTE-004, rows 1 to 11. */
const table: readonly Row[] = [
  { when: (i) => !isFloor(i.gateFloor), action: 'invalid', reason: 'invalid-input' },
  {
    when: (i, s) => i.modelLocked && s.floorActive,
    action: 'gate_locked_conflict',
    reason: 'gate-locked-conflict'
  },
  { when: (i) => i.modelLocked, action: 'none', reason: 'model-locked' },
  { when: (_, s) => s.floorActive && !s.canEscalate, action: 'gate_unsatisfiable', reason: 'gate-unsatisfiable' },
  { when: (i, s) => s.floorActive && i.activeModel !== i.deepModel, action: 'escalate', reason: 'gate-floor' },
  { when: (i, s) => s.mayRise && i.deepOverride, action: 'escalate', reason: 'deep-override' },
  { when: (i, s) => s.mayRise && i.backfillTriggered, action: 'escalate', reason: 'backfill' },
  {
    when: (i, s) => s.mayRise && i.contextDepth > i.contextDepthThreshold,
    action: 'escalate',
    reason: 'context-depth',
    compact: true
  },
  { when: (i, s) => s.mayRise && i.toolDepth > i.toolDepthThreshold, action: 'escalate', reason: 'tool-depth' },
  {
    when: (i, s) =>
      s.mayFall &&
      i.contextCompactedBelow !== null &&
      i.contextCompactedBelow < i.contextDepthThreshold &&
      !i.deepOverride &&
      !s.floorActive,
    action: 'de_escalate',
    reason: 'context-compacted'
  },
  steadyState
]

function target(row: Row, inputs: RoutingInputs): string {
  if (row.action === 'escalate') return inputs.deepModel ?? inputs.activeModel
  return row.action === 'de_escalate' ? inputs.defaultModel : inputs.activeModel
}
