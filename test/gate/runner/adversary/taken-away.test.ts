import { expect, it } from 'vitest'
import { abortPass, invalidateArrow } from '../../../../src/gate/runner/acts.ts'
import type { Gates } from '../../../../src/gate/runner/gates.ts'
import { foundOne, playIn, runArrow } from '../../../support/adversary.ts'
import { arrowOf, clauseOf, gridOf, worldOf } from '../../../support/gates.ts'

const arrow = arrowOf('analyst', 'architect', [clauseOf('C1', { depth: 'depth-sensitive', minTier: 2 })])

it.each([
  ['/abort-pass', 'operator-interrupt', (gates: Gates) => abortPass(gates, 'p-1')],
  [
    '/invalidate-arrow',
    'invalidated',
    (gates: Gates) => invalidateArrow(gates, { arrowId: arrow.id, opId: 'bob', reason: '', source: 'operator' })
  ]
])(
  '%s in the middle of a round: the cycle is told as cancelled, once, before its pass as closed (EVT-501, EVT-205)',
  async (_, reason, act) => {
    const world = worldOf(gridOf([arrow]))
    const play = playIn(world, {
      sweep: () => {
        act(world.gates)
        return foundOne()
      }
    })
    const result = await runArrow(world, arrow.id)
    expect(result).toMatchObject({
      closeReason: reason,
      isParked: false,
      remediation: { outcome: 'context-cancelled', roundsUsed: 1 }
    })
    const kinds = world.kinds().filter((kind) => kind !== 'arrow-invalidated' && kind !== 'gate-routing')
    expect(kinds).toEqual(['pass-opened', 'adversarial-round-start', 'remediation-escalated', 'pass-closed'])
    const escalated = world.events.find(({ kind }) => kind === 'remediation-escalated')
    expect(escalated?.payload).toMatchObject({ outcome: 'context-cancelled', rounds_used: '1', reason })
    expect(play.records).toHaveLength(1)
    // What the attack still brought is nobody's finding (RUN-112).
    expect(world.gates.findings.all()).toEqual([])
  }
)
