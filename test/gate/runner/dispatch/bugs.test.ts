import { describe, expect, it } from 'vitest'
import { dispatch } from '../../../../src/gate/runner/dispatch/dispatch.ts'
import { recordVerdict } from '../../../../src/gate/runner/verdicts/record.ts'
import { AssertionFailed } from '../../../../src/lib/assert.ts'
import {
  arrowOf,
  attestedOf,
  clauseOf,
  gridOf,
  quiet,
  sensitiveOf,
  type World,
  worldOf
} from '../../../support/gates.ts'

const bug = new AssertionFailed('cannot be')
const run = (world: World, arrowId: string) => dispatch(world.gates, { arrowId, opId: '', signal: quiet() })

describe('a bug is no trouble of the outside: it stops the program instead of becoming the reason of an abort', () => {
  it.each([
    ['in the row of a pass that opens', (world: World) => Object.assign(world, { failOpen: bug })],
    ['in an evaluation row', (world: World) => Object.assign(world, { failRun: bug })],
    ['in the artifact', (world: World) => Object.assign(world, { artifact: bug })]
  ])('%s', async (_, breakIt) => {
    const arrow = arrowOf('analyst', 'architect', [clauseOf('C1')])
    const world = worldOf(gridOf([arrow]))
    breakIt(world)
    await expect(run(world, arrow.id)).rejects.toBe(bug)
    expect(world.kinds()).not.toContain('pass-closed')
  })

  it('in the cycle', async () => {
    const arrow = arrowOf('analyst', 'architect', [sensitiveOf('C1', 2)])
    const world = worldOf(gridOf([arrow]))
    world.adversary = { disabled: false, cycle: { run: async () => Promise.reject(bug) } }
    await expect(run(world, arrow.id)).rejects.toBe(bug)
    expect(world.kinds()).not.toContain('pass-closed')
  })

  it('in the writer of verdicts', async () => {
    const arrow = arrowOf('analyst', 'architect', [attestedOf('C1')])
    const world = worldOf(gridOf([arrow]))
    await run(world, arrow.id)
    world.failWrite = bug
    const command = { passId: 'p-1', clauseId: 'C1', verdict: 'pass', text: '', reason: '', opId: 'alice' } as const
    expect(() => recordVerdict(world.gates, command)).toThrow(bug)
    expect(world.gates.attestations.size()).toBe(0)
  })
})
