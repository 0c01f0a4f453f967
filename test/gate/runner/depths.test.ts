import { describe, expect, it } from 'vitest'
import type { DepthChange } from '../../../src/gate/runner/depths.ts'
import type { Classification, DeclaredRequirement } from '../../../src/gate/runner/records.ts'
import { arrowOf, clauseOf, gridOf, worldOf } from '../../support/gates.ts'

const arrow = arrowOf('analyst', 'architect', [clauseOf('C1')])
const requirement = { id: 'R-1', minDepth: 2 as const, description: 'orders survive a restart' }
const observation = { arrowId: arrow.id, requirementId: 'R-1', observed: 3 as const, evidence: 'tests' }

function storeOf(loaded?: { requirements: DeclaredRequirement[]; classifications: Classification[] }) {
  const { gates } = worldOf(gridOf([arrow]), {
    before: ({ depths }) => loaded !== undefined && depths.load(loaded.requirements, loaded.classifications)
  })
  const changes: DepthChange[] = []
  gates.depths.watch((change) => changes.push(change))
  return { depths: gates.depths, changes }
}

const storedRequirement = (storeVersion: number): DeclaredRequirement => ({
  ...requirement,
  arrowId: arrow.id,
  declaredAt: '2026-01-01T00:00:00.000000000Z',
  storeVersion
})
const storedClassification = (storeVersion: number): Classification => ({
  ...{ arrowId: arrow.id, requirementId: 'R-1', observed: 1, unevaluated: false, evidence: 'e' },
  ...{ overwriteCount: 4, classifiedAt: '2026-01-01T00:00:00.000000000Z', storeVersion }
})

describe('requirements of an arrow (RUN-660, RUN-661)', () => {
  it('are declared once, at a depth that asks for something', () => {
    const { depths, changes } = storeOf()
    expect(depths.declare(arrow.id, requirement)).toBeNull()
    expect(depths.declare(arrow.id, requirement)).toMatchObject({
      code: 'requirement-duplicate-id',
      text: 'requirement-duplicate-id: "R-1"'
    })
    for (const minDepth of [0, 4, 1.5] as never[])
      expect(depths.declare(arrow.id, { ...requirement, id: 'R-2', minDepth })?.code).toBe(
        'requirement-min-depth-invalid'
      )
    expect(depths.requirements(arrow.id)).toMatchObject([{ ...requirement, arrowId: arrow.id, storeVersion: 1 }])
    expect(changes.map(({ kind }) => kind)).toEqual(['declared'])
    expect(depths.requirements('elsewhere')).toEqual([])
  })

  it('change with a definition that asks for something else, and only then (RUN-723)', () => {
    const { depths, changes } = storeOf()
    expect(depths.redeclare(arrow.id, requirement)?.code).toBe('requirement-unknown')
    depths.declare(arrow.id, requirement)
    depths.observe(observation)
    expect(depths.redeclare(arrow.id, requirement)).toBeNull()
    expect(changes).toHaveLength(2)
    depths.redeclare(arrow.id, { ...requirement, minDepth: 3 })
    depths.redeclare(arrow.id, { ...requirement, minDepth: 3, description: 'and refunds' })
    expect(depths.requirements(arrow.id)).toMatchObject([{ minDepth: 3, description: 'and refunds', storeVersion: 4 }])
    expect(depths.classification(arrow.id, 'R-1')?.observed).toBe(3)
  })

  it('go with what was observed of them when a definition leaves them out', () => {
    const { depths, changes } = storeOf()
    depths.declare(arrow.id, requirement)
    depths.declare(arrow.id, { ...requirement, id: 'R-2' })
    depths.observe(observation)
    changes.length = 0
    depths.retain(arrow.id, ['R-2', 'R-9'])
    depths.retain('elsewhere', [])
    expect(changes).toEqual([{ kind: 'withdrawn', arrowId: arrow.id, requirementId: 'R-1' }])
    expect(depths.requirements(arrow.id).map(({ id }) => id)).toEqual(['R-2'])
    expect(depths.classification(arrow.id, 'R-1')).toBeNull()
    expect(depths.observe(observation)?.code).toBe('requirement-unknown')
  })
})

describe('observations (RUN-661, RUN-663)', () => {
  it('are of what is declared, and one that replaces another is audited as such', () => {
    const { depths, changes } = storeOf()
    expect(depths.observe(observation)).toMatchObject({
      code: 'requirement-unknown',
      text: 'requirement-unknown: "R-1"'
    })
    depths.declare(arrow.id, requirement)
    depths.observe(observation)
    depths.observe({ ...observation, observed: 1, evidence: 'less' })
    expect(depths.classification(arrow.id, 'R-1')).toMatchObject({ observed: 1, overwriteCount: 1, storeVersion: 3 })
    expect(changes.slice(1)).toMatchObject([
      { kind: 'observed', classification: { observed: 3, overwriteCount: 0 }, before: null },
      {
        kind: 'observed',
        classification: { observed: 1, overwriteCount: 1 },
        before: { observed: 3, evidence: 'tests' }
      }
    ])
  })

  it('of too shallow an adversary say nothing of a rank', () => {
    const { depths } = storeOf()
    depths.declare(arrow.id, requirement)
    depths.observe({ ...observation, observed: 'unevaluated' })
    expect(depths.classification(arrow.id, 'R-1')).toMatchObject({ observed: 0, unevaluated: true })
    depths.observe(observation)
    expect(depths.classification(arrow.id, 'R-1')).toMatchObject({ observed: 3, unevaluated: false })
  })
})

describe('what is on disk', () => {
  it.each([
    [7, 3],
    [3, 7]
  ])(
    'is never older than what comes after it, whichever table is ahead: %i, %i (PERS-302)',
    (requirements, observed) => {
      const { depths } = storeOf({
        requirements: [storedRequirement(requirements), { ...storedRequirement(1), id: 'R-0' }],
        classifications: [storedClassification(observed), { ...storedClassification(1), requirementId: 'R-0' }]
      })
      depths.observe(observation)
      expect(depths.classification(arrow.id, 'R-1')).toMatchObject({ storeVersion: 8, overwriteCount: 5 })
    }
  )

  it('is loaded before the journal listens, and not after (PERS-305)', () => {
    expect(() => storeOf().depths.load([], [])).toThrow('replay-after-attach')
  })

  it('is handed out as copies (RUN-115)', () => {
    const { depths } = storeOf({ requirements: [storedRequirement(1)], classifications: [storedClassification(1)] })
    Object.assign(depths.requirements(arrow.id)[0] ?? {}, { minDepth: 1 })
    Object.assign(depths.classification(arrow.id, 'R-1') ?? {}, { observed: 3 })
    expect(depths.requirements(arrow.id)[0]?.minDepth).toBe(2)
    expect(depths.classification(arrow.id, 'R-1')?.observed).toBe(1)
  })
})
