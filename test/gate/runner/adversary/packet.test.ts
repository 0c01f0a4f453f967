import { expect, it } from 'vitest'
import { playIn, runArrow } from '../../../support/adversary.ts'
import { arrowOf, gridOf, sensitiveOf, worldOf } from '../../../support/gates.ts'

const requirement = { id: 'R-1', minDepth: 3 as const, description: 'orders survive a restart' }
const arrow = arrowOf('analyst', 'architect', [sensitiveOf('C5', 2)], { requirements: [requirement] })

const file = (path: string, bytes: number, text: string | null) => ({ path, bytes, sha256: path, text })

it('texts go in as long as there is room, to the last byte; what cannot be read takes none of it (RUN-620)', async () => {
  const world = worldOf(gridOf([arrow]))
  const play = playIn(world)
  play.files = [file('a', 30, 'a'), file('b', 60, null), file('c', 80, 'c'), file('d', 70, 'd'), file('e', 1, 'e')]
  await runArrow(world, arrow.id)
  expect(play.packets[0]?.files.map(({ path, content }) => [path, content])).toEqual([
    ['a', 'a'],
    ['b', null],
    ['c', null],
    ['d', 'd'],
    ['e', null]
  ])
})

it('the ladder is the grid’s, in the packet, in the words of the classification and in what is told (GATE-21, RUN-620)', async () => {
  const depthLadder = ['none', 'thin', 'half', 'deep'] as const
  const world = worldOf(gridOf([arrow], { depthLadder }))
  const play = playIn(world, {
    classify: () => ({ classifications: [{ requirement_id: 'R-1', observed: 'deep', evidence: 'e' }] })
  })
  expect((await runArrow(world, arrow.id)).remediation?.outcome).toBe('converged')
  expect(play.packets[0]?.ladder).toEqual(depthLadder)
  expect(world.gates.depths.classification(arrow.id, 'R-1')?.observed).toBe(3)
  const start = world.events.find(({ kind }) => kind === 'adversarial-round-start')
  expect(start?.payload?.tier_label).toBe('deep')
})
