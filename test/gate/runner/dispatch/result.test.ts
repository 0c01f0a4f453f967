import { describe, expect, it } from 'vitest'
import { abortPass } from '../../../../src/gate/runner/acts.ts'
import { resultOf } from '../../../../src/gate/runner/dispatch/result.ts'
import { recordVerdict } from '../../../../src/gate/runner/verdicts/record.ts'
import { runArrow } from '../../../support/adversary.ts'
import { arrowOf, attestedOf, clauseOf, failResult, gridOf, worldOf } from '../../../support/gates.ts'

const arrow = arrowOf(
  'analyst',
  'architect',
  [attestedOf('C1'), clauseOf('C2', { concept: 'lint-clean' }), attestedOf('C3')],
  {
    severityThreshold: 'high'
  }
)
const finding = (id: string, severity: 'medium' | 'high', more: object = {}) => ({
  ...{ id, arrowId: arrow.id, type: 'local-bug', severity, description: `${id} first\nsecond` },
  ...{ raisedByRole: 'operator', gridVersion: 1 },
  ...more
})

function scene() {
  const world = worldOf(gridOf([arrow]))
  world.results.set('C2', failResult)
  world.gates.findings.raise([
    finding('F1', 'medium'),
    finding('F2', 'high'),
    finding('F3', 'medium', { severity: 'unevaluated' })
  ])
  return world
}

describe('the result of a pass (RUN-201, RUN-263)', () => {
  it('of one that waits: its rows, its open requests, and what holds it up, the worst first (OPUI-323)', async () => {
    const world = scene()
    const result = await runArrow(world, arrow.id)
    expect(result).toMatchObject({
      ...{ isParked: true, closeReason: '', clauses: 3, arrowStatus: 'blocked', remediation: null, held: null },
      pendingRefs: [`att-${arrow.id}-C1-v1`, `att-${arrow.id}-C3-v1`],
      runs: world.rows.map(({ id }) => id)
    })
    expect(result.runs).toHaveLength(3)
    expect(result.blocking).toEqual([
      { id: 'C2', status: 'fail', why: 'two markers found' },
      { id: 'C1', status: 'awaiting-attestation', why: 'what C1 demands' },
      { id: 'C3', status: 'awaiting-attestation', why: 'what C3 demands' },
      { id: 'F2', status: 'open', why: 'F2 first second' },
      { id: 'F3', status: 'unevaluated', why: 'F3 first second' }
    ])
  })

  it('of one that ended: nothing is asked any more, and the arrow is what it was before when the pass decided nothing', async () => {
    const world = scene()
    await runArrow(world, arrow.id)
    const pass = world.gates.passes.get('p-1')!
    abortPass(world.gates, 'p-1')
    expect(resultOf(world.gates, pass)).toMatchObject({
      ...{ isParked: false, pendingRefs: [], closeReason: 'operator-interrupt', arrowStatus: 'unevaluated' },
      closedAt: pass.record.closedAt
    })
  })
})

it('a row of a clause that waits is not completed, until its verdict is; every other is from the start (PERS-200, RUN-102)', async () => {
  const world = scene()
  await runArrow(world, arrow.id)
  expect(
    world.rows.map(({ clauseId, endStatus, completedAt, concept }) => [
      clauseId,
      endStatus,
      completedAt === '',
      concept
    ])
  ).toEqual([
    ['C1', 'running', true, ''],
    ['C2', 'fail', false, 'lint-clean'],
    ['C3', 'running', true, '']
  ])
  for (const { id } of world.rows) expect(id).toMatch(/^ev-\d{8}-\d{6}-\d{9}-1\.[123]$/)
  const command = { passId: 'p-1', clauseId: 'C1', verdict: 'pass', text: '', reason: '', opId: 'bob' } as const
  recordVerdict(world.gates, command)
  abortPass(world.gates, 'p-1')
  // The same artifact, the same verdict: nobody is asked, and the row says so at once (RUN-232).
  await runArrow(world, arrow.id)
  expect(world.rows[3]).toMatchObject({
    clauseId: 'C1',
    passId: 'p-2',
    endStatus: 'pass',
    attestationRef: `att-${arrow.id}-C1-v1`
  })
  expect(world.rows[3]?.completedAt).not.toBe('')
})
