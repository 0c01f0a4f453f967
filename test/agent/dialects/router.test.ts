import { describe, expect, test } from 'vitest'
import { evaluate, type RoutingInputs, routingDetail } from '../../../src/agent/dialects/router.ts'
import { fc, runs } from '../../support/laws.ts'

const calm: RoutingInputs = {
  contextDepth: 0,
  toolDepth: 0,
  modelLocked: false,
  deepOverride: false,
  activeModel: 'fast',
  defaultModel: 'fast',
  deepModel: 'deep',
  backfillTriggered: false,
  contextDepthThreshold: 32_000,
  toolDepthThreshold: 5,
  contextCompactedBelow: null,
  gateFloor: 0,
  gateFloorEscalateAtRank: 2,
  gateFloorDisabled: false,
  autoRouting: true
}

const rows: [string, Partial<RoutingInputs>, string, string, boolean, string][] = [
  // name, inputs, action, target, needCompaction, reason
  ['row 1: floor below the range', { gateFloor: -1 }, 'invalid', 'fast', false, 'invalid-input'],
  ['row 1: floor above the range', { gateFloor: 4 }, 'invalid', 'fast', false, 'invalid-input'],
  ['row 1: floor no integer', { gateFloor: 1.5 }, 'invalid', 'fast', false, 'invalid-input'],
  ['row 1: floor no number', { gateFloor: Number.NaN }, 'invalid', 'fast', false, 'invalid-input'],
  ['row 1 before row 2', { gateFloor: 7, modelLocked: true }, 'invalid', 'fast', false, 'invalid-input'],
  [
    'row 2: lock and floor',
    { modelLocked: true, gateFloor: 2 },
    'gate_locked_conflict',
    'fast',
    false,
    'gate-locked-conflict'
  ],
  [
    'row 2 (ROUTE-007): lock on the deep model and floor',
    { modelLocked: true, activeModel: 'deep', gateFloor: 3 },
    'gate_locked_conflict',
    'deep',
    false,
    'gate-locked-conflict'
  ],
  [
    'row 3: lock, whatever else',
    { modelLocked: true, deepOverride: true, contextDepth: 99_999, toolDepth: 40, backfillTriggered: true },
    'none',
    'fast',
    false,
    'model-locked'
  ],
  ['row 3: lock and inactive floor', { modelLocked: true, gateFloor: 1 }, 'none', 'fast', false, 'model-locked'],
  [
    'row 4: floor without deep model',
    { gateFloor: 2, deepModel: null },
    'gate_unsatisfiable',
    'fast',
    false,
    'gate-unsatisfiable'
  ],
  [
    'row 4: floor with an empty deep model',
    { gateFloor: 2, deepModel: '' },
    'gate_unsatisfiable',
    'fast',
    false,
    'gate-unsatisfiable'
  ],
  [
    'row 4 (ROUTE-003): deep model is the default',
    { gateFloor: 2, deepModel: 'fast' },
    'gate_unsatisfiable',
    'fast',
    false,
    'gate-unsatisfiable'
  ],
  ['row 5: floor', { gateFloor: 2 }, 'escalate', 'deep', false, 'gate-floor'],
  ['row 5: floor 3, rank 3', { gateFloor: 3, gateFloorEscalateAtRank: 3 }, 'escalate', 'deep', false, 'gate-floor'],
  ['row 5 (ROUTE-006): third model', { gateFloor: 2, activeModel: 'third' }, 'escalate', 'deep', false, 'gate-floor'],
  [
    'row 5 (MODEL-064): also without routing',
    { gateFloor: 2, autoRouting: false },
    'escalate',
    'deep',
    false,
    'gate-floor'
  ],
  ['row 5 not: already deep', { gateFloor: 2, activeModel: 'deep' }, 'none', 'deep', false, 'steady-state'],
  ['row 5 not: floor 2, rank 3', { gateFloor: 2, gateFloorEscalateAtRank: 3 }, 'none', 'fast', false, 'steady-state'],
  [
    'row 5 not (ROUTE-011): rank 0',
    { gateFloor: 3, gateFloorEscalateAtRank: 0 },
    'none',
    'fast',
    false,
    'steady-state'
  ],
  ['row 5 not: disabled', { gateFloor: 3, gateFloorDisabled: true }, 'none', 'fast', false, 'steady-state'],
  ['row 6: deep override', { deepOverride: true }, 'escalate', 'deep', false, 'deep-override'],
  ['row 7: backfill', { backfillTriggered: true }, 'escalate', 'deep', false, 'backfill'],
  ['row 8: depth', { contextDepth: 32_001 }, 'escalate', 'deep', true, 'context-depth'],
  ['row 8 not (ROUTE-005): at the threshold', { contextDepth: 32_000 }, 'none', 'fast', false, 'steady-state'],
  ['row 9: tool depth', { toolDepth: 6 }, 'escalate', 'deep', false, 'tool-depth'],
  ['row 9 not (ROUTE-005): at the threshold', { toolDepth: 5 }, 'none', 'fast', false, 'steady-state'],
  [
    'rows 6–9 in order',
    { deepOverride: true, backfillTriggered: true, contextDepth: 40_000, toolDepth: 9 },
    'escalate',
    'deep',
    false,
    'deep-override'
  ],
  ['row 7 before 8', { backfillTriggered: true, contextDepth: 40_000 }, 'escalate', 'deep', false, 'backfill'],
  ['row 8 before 9', { contextDepth: 40_000, toolDepth: 9 }, 'escalate', 'deep', true, 'context-depth'],
  [
    'rows 6–9 not: no deep model',
    { deepModel: null, deepOverride: true, contextDepth: 40_000 },
    'none',
    'fast',
    false,
    'steady-state'
  ],
  [
    'rows 6–9 not (ROUTE-006): third model',
    { activeModel: 'third', deepOverride: true, backfillTriggered: true, contextDepth: 40_000, toolDepth: 9 },
    'none',
    'third',
    false,
    'steady-state'
  ],
  [
    'rows 6–9 not (MODEL-064): routing off',
    { autoRouting: false, deepOverride: true, backfillTriggered: true, contextDepth: 40_000, toolDepth: 9 },
    'none',
    'fast',
    false,
    'steady-state'
  ],
  [
    'row 10: compacted',
    { activeModel: 'deep', contextCompactedBelow: 31_999 },
    'de_escalate',
    'fast',
    false,
    'context-compacted'
  ],
  [
    'row 10 not (ROUTE-005): at the threshold',
    { activeModel: 'deep', contextCompactedBelow: 32_000 },
    'none',
    'deep',
    false,
    'steady-state'
  ],
  ['row 10 not: no compaction', { activeModel: 'deep' }, 'none', 'deep', false, 'steady-state'],
  [
    'row 10 not: blocked by the floor',
    { activeModel: 'deep', contextCompactedBelow: 100, gateFloor: 2 },
    'none',
    'deep',
    false,
    'steady-state'
  ],
  [
    'row 10 not: blocked by the override',
    { activeModel: 'deep', contextCompactedBelow: 100, deepOverride: true },
    'none',
    'deep',
    false,
    'steady-state'
  ],
  [
    'row 10 not: routing off',
    { activeModel: 'deep', contextCompactedBelow: 100, autoRouting: false },
    'none',
    'deep',
    false,
    'steady-state'
  ],
  [
    'row 10 not: third model',
    { activeModel: 'third', contextCompactedBelow: 100 },
    'none',
    'third',
    false,
    'steady-state'
  ],
  ['row 11: nothing to do', {}, 'none', 'fast', false, 'steady-state'],
  ['row 11: floor below the rank', { gateFloor: 1 }, 'none', 'fast', false, 'steady-state']
]

describe('ROUTE-004, ROUTE-012 the table, row by row', () => {
  test.each(rows)('%s', (_name, over, action, targetModel, needCompaction, reason) => {
    const decision = evaluate({ ...calm, ...over })
    expect(decision).toMatchObject({ action, targetModel, needCompaction, reason })
    if (action === 'invalid') expect(decision.rejectedFloor).toBe(over.gateFloor)
    else expect(decision).not.toHaveProperty('rejectedFloor')
  })
})

const model = fc.constantFrom('fast', 'deep', 'third')
const anyInputs: fc.Arbitrary<RoutingInputs> = fc.record({
  contextDepth: fc.oneof(fc.nat(100_000), fc.constantFrom(31_999, 32_000, 32_001)),
  toolDepth: fc.nat(12),
  modelLocked: fc.boolean(),
  deepOverride: fc.boolean(),
  activeModel: model,
  defaultModel: model,
  deepModel: fc.option(fc.oneof(model, fc.constant(''))),
  backfillTriggered: fc.boolean(),
  contextDepthThreshold: fc.constantFrom(32_000, 1, 0),
  toolDepthThreshold: fc.nat(8),
  contextCompactedBelow: fc.option(fc.nat(64_000)),
  gateFloor: fc.oneof(fc.integer({ min: -2, max: 5 }), fc.double()),
  gateFloorEscalateAtRank: fc.nat(3),
  gateFloorDisabled: fc.boolean(),
  autoRouting: fc.boolean()
})

/** Whether a decision may come out, said the other way round: from the decision to what must hold. */
function isJustified(inputs: RoutingInputs): boolean {
  const { action, targetModel, reason, needCompaction, rejectedFloor } = evaluate(inputs)
  const { activeModel, deepModel, defaultModel, gateFloor, gateFloorEscalateAtRank: rank } = inputs
  const outOfRange = ![0, 1, 2, 3].includes(gateFloor)
  const floorActive = !inputs.gateFloorDisabled && rank !== 0 && gateFloor >= rank
  const hasDeep = Boolean(deepModel) && deepModel !== defaultModel
  if (needCompaction !== (reason === 'context-depth')) return false
  switch (action) {
    case 'invalid':
      return outOfRange && Object.is(rejectedFloor, gateFloor) && targetModel === activeModel
    case 'gate_locked_conflict':
      return inputs.modelLocked && floorActive && targetModel === activeModel
    case 'gate_unsatisfiable':
      return !inputs.modelLocked && floorActive && !hasDeep && targetModel === activeModel
    case 'escalate': {
      const rises = targetModel === deepModel && activeModel !== deepModel && hasDeep && !inputs.modelLocked
      if (reason === 'gate-floor') return rises && floorActive
      return rises && !floorActive && inputs.autoRouting && activeModel === defaultModel
    }
    case 'de_escalate':
      return (
        !inputs.modelLocked &&
        !floorActive &&
        !inputs.deepOverride &&
        inputs.autoRouting &&
        hasDeep &&
        activeModel === deepModel &&
        targetModel === defaultModel
      )
    case 'none':
      // Nobody is left on a tier below an active floor unless the router was told to stay out of it.
      return targetModel === activeModel && !outOfRange && !(floorActive && activeModel !== deepModel)
  }
}

test('ROUTE-012 every input has exactly one justified answer, the same each time', () => {
  fc.assert(
    fc.property(anyInputs, (inputs) => {
      expect(isJustified(inputs)).toBe(true)
      expect(evaluate(inputs)).toEqual(evaluate({ ...inputs }))
    }),
    { numRuns: runs(3000) }
  )
})

test('ROUTE-009 decisions that send nothing say why, the others nothing', () => {
  const detail = (over: Partial<RoutingInputs>) => routingDetail(evaluate({ ...calm, ...over }))
  expect(detail({ gateFloor: 2, deepModel: null })).toBe(
    "gate-unsatisfiable: no configured tier meets this arrow's floor (active fast); operator attestation needed"
  )
  expect(detail({ gateFloor: 2, modelLocked: true })).toBe(
    'gate-locked-conflict: --model fast forbids the tier this arrow needs; operator attestation needed'
  )
  expect(detail({ gateFloor: 9 })).toBe('routing: gate floor 9 is out of range 0..3')
  expect(detail({})).toBeNull()
  expect(detail({ gateFloor: 2 })).toBeNull()
})
