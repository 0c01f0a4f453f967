import { describe, expect, test } from 'vitest'
import {
  depthProblem,
  floorOf,
  mislabelled,
  offeredRank,
  parseDepthType,
  reachesDepth,
  stratumOf
} from '../../../src/gate/runner/depth.ts'
import { defaultLadder, rankOfLabel, readLadder } from '../../../src/gate/runner/ladder.ts'
import type { DepthRank } from '../../../src/protocol/grid.ts'
import { attestedClause } from '../../support/grid.ts'
import { fc } from '../../support/laws.ts'

describe('GATE-15, GATE-16: no axis has a default', () => {
  test.each([
    ['depth-robust', 'depth-robust'],
    [' Depth_Sensitive\n', 'depth-sensitive'],
    ['robust', null],
    ['depth robust', null],
    ['', null]
  ])('%j reads as %j', (text, type) => expect(parseDepthType(text)).toBe(type))

  test.each([undefined, null, '', 'deep', 3])('%j is clause-depth-type-unknown', (depth) => {
    expect(depthProblem(depth, 0)?.code).toBe('clause-depth-type-unknown')
  })
})

describe('GATE-17: min tiers', () => {
  test.each([
    ['depth-robust', 0, true],
    ['depth-robust', 1, false],
    ['depth-sensitive', 0, false],
    ['depth-sensitive', 1, true],
    ['depth-sensitive', 3, true],
    ['depth-sensitive', 4, false],
    ['depth-sensitive', 1.5, false],
    ['depth-sensitive', undefined, false],
    ['depth-sensitive', '2', false]
  ])('%s with %j: %s', (depth, minTier, fits) => {
    expect(depthProblem(depth, minTier)?.code ?? null).toBe(fits ? null : 'clause-depth-requirement-invalid')
  })
})

const sensitive = fc.record({
  id: fc.string(),
  depth: fc.constant('depth-sensitive' as const),
  minTier: fc.constantFrom<DepthRank>(1, 2, 3)
})
const robust = fc.record({
  id: fc.string(),
  depth: fc.constant('depth-robust' as const),
  minTier: fc.constant<DepthRank>(0)
})

describe('GATE-71, GATE-72: the floor', () => {
  test('law: it is the maximum over the sensitive clauses in any order, set by the first that has it', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(sensitive, robust)), fc.nat(), (clauses, seed) => {
        const tiers = clauses.filter(({ depth }) => depth === 'depth-sensitive').map(({ minTier }) => minTier)
        const wanted = Math.max(0, ...tiers)
        const shuffled = clauses.toSorted((a, b) => ((a.id.length * seed) % 7) - ((b.id.length * seed) % 7))
        for (const order of [clauses, shuffled, clauses.toReversed()]) {
          const first = order.find(({ minTier }) => minTier === wanted)
          const clause = wanted === 0 ? null : first?.id
          expect(floorOf(order)).toEqual({ kind: 'floor', floor: wanted, clause })
        }
      })
    )
  })

  test('one invalid declaration fails the whole, which is not floor 0', () => {
    const result = floorOf([
      { id: 'C1', depth: 'depth-sensitive', minTier: 3 },
      { id: 'C2', depth: 'depth-robust', minTier: 1 }
    ])
    expect(result).toMatchObject({
      kind: 'failed',
      clause: 'C2',
      problem: { code: 'clause-depth-requirement-invalid' }
    })
    expect(floorOf([])).toEqual({ kind: 'floor', floor: 0, clause: null })
  })

  test('GATE-9: strata', () => {
    expect(([0, 1, 2, 3] as const).map(stratumOf)).toEqual(['L0', 'L0', 'L1', 'L2'])
    const clauses = [{ ...attestedClause(), minTier: 3 as const }]
    expect(
      mislabelled([
        { id: 'a', stratum: 'L2', clauses },
        { id: 'b', stratum: 'L1', clauses },
        { id: 'c', stratum: 'L0', clauses: [] }
      ])
    ).toEqual([{ id: 'b', recorded: 'L1', derived: 'L2' }])
  })
})

test('GATE-22: a robust clause runs at any rank, a sensitive one from its tier on', () => {
  expect(reachesDepth({ depth: 'depth-robust', minTier: 0 }, 0)).toBe(true)
  expect(reachesDepth({ depth: 'depth-sensitive', minTier: 2 }, 1)).toBe(false)
  expect(reachesDepth({ depth: 'depth-sensitive', minTier: 2 }, 2)).toBe(true)
})

describe('GATE-23: the rank a tier offers', () => {
  test.each([
    ['deep', true, 2, true, 3],
    ['fast', true, 2, true, 1],
    ['fast', true, 1, true, 0],
    ['fast', true, 3, true, 2],
    ['fast', false, 2, true, 3],
    ['fast', true, 0, true, 3],
    ['deep', true, 2, false, 1],
    ['deep', false, 2, false, 3]
  ] as const)(
    '%s, enabled %s, escalate at %d, vouched %s: %d',
    (tier, gateFloorEnabled, escalateAtRank, vouched, rank) => {
      expect(offeredRank(tier, { gateFloorEnabled, escalateAtRank }, vouched)).toBe(rank)
    }
  )
})

describe('GATE-21: the ladder', () => {
  test.each([
    [['None', 'thin', 'Mock-1', 'Real'], true],
    [[' A ', 'B', 'C', 'D'], true],
    [['A', 'B', 'C'], false],
    [['A', 'B', 'C', 'D', 'E'], false],
    [['A', 'a', 'C', 'D'], false],
    [['A', '', 'C', 'D'], false],
    [['A', '1b', 'C', 'D'], false],
    [['A', 'b_', 'C', 'D'], false],
    [['A', 7, 'C', 'D'], false]
  ])('%j: %s', (labels, ok) => expect('ladder' in readLadder(labels)).toBe(ok))

  test('labels are looked up by rank, case and space ignored', () => {
    expect(['none', ' REALISTIC ', 'mocked', 'deep'].map((label) => rankOfLabel(defaultLadder, label))).toEqual([
      0,
      3,
      2,
      null
    ])
  })
})
