import { describe, expect, it } from 'vitest'
import { abortPass } from '../../../../src/gate/runner/acts.ts'
import { dispatch } from '../../../../src/gate/runner/dispatch/dispatch.ts'
import { settle, settleParked } from '../../../../src/gate/runner/dispatch/settle.ts'
import type { DispatchResult } from '../../../../src/gate/runner/dispatch/types.ts'
import { recordVerdict } from '../../../../src/gate/runner/verdicts/record.ts'
import { runArrow } from '../../../support/adversary.ts'
import {
  arrowOf,
  attestedOf,
  clauseOf,
  failResult,
  gridOf,
  passResult,
  quiet,
  type World,
  worldOf
} from '../../../support/gates.ts'

const machine = arrowOf('analyst', 'architect', [clauseOf('C1')])
const asked = arrowOf('analyst', 'architect', [attestedOf('C1'), attestedOf('C2')])

/** The artifact can be read when verification begins, and no more once the clause was evaluated. */
function breaking(world: World, also: () => void = () => undefined) {
  world.results.set('C1', async () => {
    world.artifact = new Error('EIO: specs/a.md')
    also()
    return passResult
  })
}

describe('closing on the artifact that was verified (RUN-243, RUN-247)', () => {
  it('an artifact that cannot be read any more ends the pass as trouble, not as a change', async () => {
    const world = worldOf(gridOf([machine]))
    breaking(world)
    expect(await runArrow(world, machine.id)).toMatchObject({ closeReason: 'clause-error: artifact: EIO: specs/a.md' })
    expect(world.gates.locks.inspect()).toEqual([])
  })

  it('a stop that came meanwhile is what ends it', async () => {
    const world = worldOf(gridOf([machine]))
    const stop = new AbortController()
    breaking(world, () => stop.abort('manual-stop'))
    const outcome = await dispatch(world.gates, { arrowId: machine.id, opId: '', signal: stop.signal })
    expect(outcome).toMatchObject({ result: { closeReason: 'manual-stop' } })
  })

  it('looks at the files of no pass that is asked something, and closes none twice', async () => {
    const world = worldOf(gridOf([asked]))
    await runArrow(world, asked.id)
    const told: DispatchResult[] = []
    world.gates.settled.observe((result) => told.push(result))
    const pass = world.gates.passes.get('p-1')!
    world.artifact = new Error('nobody should look')
    expect(await settle(world.gates, pass, quiet())).toBeNull()
    const give = (clauseId: string) =>
      recordVerdict(world.gates, { passId: 'p-1', clauseId, verdict: 'pass', text: '', reason: '', opId: 'bob' })
    give('C1')
    world.artifact = { digest: 'artifact-1', dependencies: {} }
    const last = give('C2')
    if (last.kind !== 'recorded') throw new Error(last.kind)
    const [first, second] = await Promise.all([last.settling, settleParked(world.gates, pass)])
    expect([first?.closeReason, second]).toEqual(['ok', null])
    world.artifact = new Error('nobody should look')
    expect(await settleParked(world.gates, pass)).toBeNull()
    expect(told.map(({ closeReason }) => closeReason)).toEqual(['ok'])
    expect(world.kinds().filter((kind) => kind === 'pass-closed')).toHaveLength(1)
  })

  it('a pass whose dispatch still runs is settled by it alone', async () => {
    const world = worldOf(gridOf([machine]))
    let early: unknown
    world.results.set('C1', async () => {
      early = await settleParked(world.gates, world.gates.passes.get('p-1')!)
      return passResult
    })
    expect(await runArrow(world, machine.id)).toMatchObject({ closeReason: 'ok' })
    expect(early).toBeNull()
  })
})

it('what an evaluator found out about an attested clause after its pass was taken away is kept, and nobody is asked (RUN-112)', async () => {
  const judged = arrowOf('analyst', 'architect', [attestedOf('C1', { concept: 'lint-clean' })])
  const world = worldOf(gridOf([judged]))
  world.results.set('C1', async () => {
    abortPass(world.gates, 'p-1')
    return failResult
  })
  expect(await runArrow(world, judged.id)).toMatchObject({ closeReason: 'operator-interrupt' })
  expect(world.rows).toMatchObject([{ clauseId: 'C1', endStatus: 'running', result: failResult }])
  expect(world.kinds()).toEqual(['pass-opened', 'pass-closed'])
})
