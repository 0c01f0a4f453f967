import { describe, expect, it } from 'vitest'
import { queriesOf } from '../../../src/gate/runner/queries.ts'
import { runArrow } from '../../support/adversary.ts'
import { arrowOf, attestedOf, clauseOf, gridOf, sensitiveOf, worldOf } from '../../support/gates.ts'

const strict = arrowOf('analyst', 'architect', [attestedOf('C1')], { severityThreshold: 'low' })
const deep = arrowOf('architect', 'implementer', [sensitiveOf('C1', 2)])
const odd = arrowOf('implementer', 'integrator', [clauseOf('C1', { depth: 'depth-sensitive', minTier: 0 })])
const grid = gridOf([strict, deep, odd], { severityThreshold: 'high' })
const finding = {
  type: 'local-bug',
  severity: 'low',
  description: 'x',
  raisedByRole: 'operator',
  gridVersion: 1
} as const

describe('what evaluators may ask about the gates (CONC-50)', () => {
  it('findings of one arrow at its threshold, or of all at the project’s (GATE-70)', () => {
    const { gates } = worldOf(grid)
    gates.findings.raise([
      { ...finding, id: 'F1', arrowId: strict.id },
      { ...finding, id: 'F2', arrowId: deep.id }
    ])
    const { findings } = queriesOf(gates)
    expect(findings(strict.id)).toMatchObject({ storeVersion: 2, threshold: 'low', findings: [{ id: 'F1' }] })
    expect(findings(deep.id)).toMatchObject({ threshold: 'high', findings: [{ id: 'F2' }] })
    expect(findings('elsewhere')).toMatchObject({ threshold: 'high', findings: [] })
    expect(findings(null)).toMatchObject({ threshold: 'high', findings: [{ id: 'F1' }, { id: 'F2' }] })
  })

  it('requirements with what was observed of them, if anything was and counts (RUN-662, RUN-663)', () => {
    const { gates } = worldOf(grid)
    for (const id of ['R1', 'R2', 'R3']) gates.depths.declare(deep.id, { id, minDepth: 2, description: '' })
    gates.depths.observe({ arrowId: deep.id, requirementId: 'R1', observed: 3, evidence: 'e' })
    gates.depths.observe({ arrowId: deep.id, requirementId: 'R2', observed: 'unevaluated', evidence: '' })
    expect(queriesOf(gates).requirements(deep.id)).toEqual([
      { id: 'R1', minDepth: 2, classified: 3, evidence: 'e' },
      { id: 'R2', minDepth: 2, classified: 'unevaluated', evidence: '' },
      { id: 'R3', minDepth: 2, classified: null, evidence: '' }
    ])
  })

  it('arrows with their status and floor, one that cannot be computed counting as the highest (GATE-72); open passes; contexts', async () => {
    const world = worldOf(grid)
    await runArrow(world, strict.id)
    const { arrows, passes, contexts } = queriesOf(world.gates)
    expect(arrows()?.map(({ id, status, depth }) => [id, status, depth])).toEqual([
      [strict.id, 'unevaluated', 0],
      [deep.id, 'unevaluated', 2],
      [odd.id, 'unevaluated', 3]
    ])
    const open = { id: 'p-1', arrowId: strict.id, role: 'analyst', context: 'shop', state: 'open' }
    expect(passes()).toEqual([open])
    expect(contexts()).toEqual(grid.boundedContexts.map(({ id }) => ({ id })))
  })

  it('have no answer before the stores are attached, nor without a grid', () => {
    for (const { gates } of [worldOf(grid, { attach: false }), worldOf(null)]) {
      const { findings, arrows, contexts } = queriesOf(gates)
      expect([findings(null), findings(strict.id), arrows(), contexts()]).toEqual([null, null, null, null])
    }
    const { requirements, passes } = queriesOf(worldOf(grid, { attach: false }).gates)
    expect([requirements(deep.id), passes()]).toEqual([null, null])
  })
})
