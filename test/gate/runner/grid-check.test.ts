import { describe, expect, test } from 'vitest'
import { vocabularyOf } from '../../../src/gate/bootstrap/vocabulary.ts'
import { loadCatalogue } from '../../../src/gate/catalogue/index.ts'
import { arrowProblem, gridProblem } from '../../../src/gate/runner/grid-check.ts'
import { blocks, isLaxer, severities, thresholdOf } from '../../../src/gate/runner/severity.ts'
import type { Arrow, Clause, Grid, Requirement } from '../../../src/protocol/grid.ts'
import { arrowOf, attestedClause, gridOf, machineClause } from '../../support/grid.ts'

const vocabulary = vocabularyOf(loadCatalogue())
const untyped = <T>(value: unknown) => value as T

describe('GATE-13: a definition is refused when', () => {
  const cases: [string, Partial<Arrow>, string][] = [
    ['the id is empty', { id: ' ' }, 'id'],
    ['the id says something else', { id: 'analyst→architect/other' }, 'id'],
    ['the source is empty', { sourceRole: untyped('') }, 'source-role'],
    ['the target is empty', { targetRole: untyped(' ') }, 'target-role'],
    ['the context is empty', { context: '' }, 'context'],
    ['the stratum is empty', { stratum: '  ' }, 'stratum'],
    ['the source is no role', { sourceRole: 'adversary' }, 'source-role'],
    ['the target is no role', { targetRole: untyped('init') }, 'target-role'],
    ['source and target are the same', { targetRole: 'analyst' }, 'target-role'],
    ['there is no clause', { clauses: [] }, 'clauses'],
    ['a clause id repeats', { clauses: [machineClause(), machineClause()] }, 'clauses[1].id'],
    ['a clause id has a hyphen', { clauses: [machineClause({ id: 'C-1' })] }, 'clauses[0].id'],
    [
      'a machine clause has no concept',
      { clauses: [machineClause({ concept: null, args: {} })] },
      'clauses[0].concept'
    ],
    ['the concept is unknown', { clauses: [machineClause({ concept: 'x' })] }, 'clauses[0].concept'],
    ['arguments break the schema', { clauses: [machineClause({ args: { scope: 3 } })] }, 'clauses[0].args'],
    ['an argument is missing', { clauses: [machineClause({ args: {} })] }, 'clauses[0].args'],
    ['arguments have no concept', { clauses: [attestedClause({ args: { scope: 'x' } })] }, 'clauses[0].args'],
    [
      'the first axis is wrong',
      { clauses: [machineClause({ eval: untyped<Clause['eval']>('auto') })] },
      'clauses[0].eval'
    ],
    [
      'the second axis is wrong',
      { clauses: [machineClause({ depth: untyped<Clause['depth']>('deep') })] },
      'clauses[0].depth'
    ],
    ['the tier does not fit', { clauses: [attestedClause({ minTier: 0 })] }, 'clauses[0].min-tier'],
    ['a cost is negative', { clauses: [machineClause({ cost: -1 })] }, 'clauses[0].cost'],
    [
      'it says something else is missing than is',
      { clauses: [machineClause({ missing: ['language:language-id'] })] },
      'clauses[0].missing'
    ],
    [
      'a requirement has no id (GATE-28)',
      { requirements: [{ id: ' ', minDepth: 1, description: 'x' }] },
      'requirements[0].id'
    ],
    [
      'a requirement asks for nothing',
      { requirements: [untyped<Requirement>({ id: 'R1', minDepth: 0, description: 'x' })] },
      'requirements[0].min-depth'
    ],
    [
      'a requirement says nothing',
      { requirements: [{ id: 'R1', minDepth: 1, description: '' }] },
      'requirements[0].description'
    ],
    [
      'a requirement says too much (GATE-25)',
      { requirements: [{ id: 'R1', minDepth: 1, description: 'é'.repeat(4097) }] },
      'requirements[0].description'
    ]
  ]
  test.each(cases)('%s', (_name, changes, at) => {
    expect(arrowProblem(arrowOf(changes), vocabulary)?.at).toBe(at)
  })

  test('a sound one, a deferred clause, and an attested clause with evidence are not', () => {
    const deferred = machineClause({ id: 'C3', concept: 'compiles', missing: ['language:language-id'] })
    const evidence = attestedClause({ id: 'C12', concept: 'no-todo-marker', args: { scope: 'src/**' } })
    expect(arrowProblem(arrowOf({ clauses: [machineClause(), deferred, evidence] }), vocabulary)).toBeNull()
    expect(
      arrowProblem(arrowOf({ id: 'init→analyst/default', sourceRole: 'init', targetRole: 'analyst' }), vocabulary)
    ).toBeNull()
  })
})

describe('a grid is refused when', () => {
  const laxer = {
    kind: 'threshold-laxer',
    arrow: '*',
    clauseId: null,
    concept: null,
    description: 'x',
    cost: null,
    reason: 'r'
  }
  const cases: [string, Partial<Grid>, string, RegExp][] = [
    [
      'a setting is 0 (INIT-70)',
      { remediationRoundsMax: 0 },
      'remediation-rounds-max',
      /^remediation-rounds-max-must-be-positive$/
    ],
    ['a setting is negative', { insufficientBasisRoundsMax: -1 }, 'insufficient-basis-rounds-max', /must-be-positive/],
    [
      'a setting is a fraction',
      { modalPendingMaxLen: 1.5 },
      'modal-pending-max-len',
      /^modal-pending-max-len-must-be-integer$/
    ],
    ['no context is declared', { boundedContexts: [] }, 'bounded-contexts', /at least one/],
    [
      'a context is declared twice',
      {
        boundedContexts: [
          { id: 'default', description: null },
          { id: 'default', description: null }
        ]
      },
      'bounded-contexts[1].id',
      /twice/
    ],
    ['an arrow is declared twice', { arrows: [arrowOf(), arrowOf()] }, 'arrows[1].id', /twice/],
    [
      'an arrow is in no context',
      { boundedContexts: [{ id: 'pay', description: null }] },
      'arrows[0].context',
      /not declared/
    ],
    [
      'the threshold is lax without a reason (GATE-70)',
      { severityThreshold: 'high' },
      'severity-threshold',
      /^severity-threshold-weakened/
    ],
    [
      'an arrow is laxer than the project',
      { severityThreshold: 'low', arrows: [arrowOf({ severityThreshold: 'medium' })] },
      'arrows[0].severity-threshold',
      /^severity-threshold-weakened/
    ],
    ['the ladder repeats', { depthLadder: ['A', 'A', 'B', 'C'] }, 'depth-ladder', /repeats/]
  ]
  test.each(cases)('%s', (_name, changes, at, text) => {
    expect(gridProblem(gridOf(changes), vocabulary)).toEqual({ at, text: expect.stringMatching(text) })
  })

  test('GATE-70: a lax threshold with its reason, and a stricter one anywhere, are not', () => {
    expect(gridProblem(gridOf({ severityThreshold: 'critical', residue: [laxer] }), vocabulary)).toBeNull()
    expect(gridProblem(gridOf({ arrows: [arrowOf({ severityThreshold: 'info' })] }), vocabulary)).toBeNull()
  })
})

describe('GATE-65, GATE-70: severities', () => {
  test('a finding blocks at or above the threshold, one without a rank always', () => {
    expect(severities.filter((severity) => blocks(severity, 'medium'))).toEqual(['medium', 'high', 'critical'])
    expect(blocks('unevaluated', 'critical')).toBe(true)
    expect(isLaxer('high', 'medium') && !isLaxer('low', 'medium') && !isLaxer('medium', 'medium')).toBe(true)
  })

  test('the bootstrap arrow always uses medium', () => {
    const grid = gridOf({ severityThreshold: 'low' })
    expect(thresholdOf(grid, arrowOf())).toBe('low')
    expect(thresholdOf(grid, arrowOf({ severityThreshold: 'info' }))).toBe('info')
    expect(thresholdOf(grid, arrowOf({ sourceRole: 'init', severityThreshold: 'info' }))).toBe('medium')
  })
})
