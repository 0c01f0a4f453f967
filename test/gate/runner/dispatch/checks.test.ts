import { describe, expect, it } from 'vitest'
import { dispatch } from '../../../../src/gate/runner/dispatch/dispatch.ts'
import type { DispatchRequest } from '../../../../src/gate/runner/dispatch/types.ts'
import { outdatedLabel, outdatedLine, outdatedOf } from '../../../../src/gate/runner/outdated.ts'
import type { Cycle } from '../../../../src/gate/runner/ports.ts'
import type { Arrow } from '../../../../src/protocol/grid.ts'
import {
  arrowOf,
  attestedOf,
  clauseOf,
  failResult,
  gridOf,
  quiet,
  sensitiveOf,
  type World,
  worldOf
} from '../../../support/gates.ts'

const robust = arrowOf('analyst', 'architect', [clauseOf('C1')])
const run = (world: World, arrow: Arrow | string, more: Partial<DispatchRequest> = {}) =>
  dispatch(world.gates, {
    arrowId: typeof arrow === 'string' ? arrow : arrow.id,
    opId: 'alice',
    signal: quiet(),
    ...more
  })

/** A refusal leaves no trace: no pass, no id used up, no row, no lock, and no event but these (RUN-210, EVT-207). */
function expectNoTrace(world: World, kinds: readonly string[] = []) {
  expect(world.kinds()).toEqual(kinds)
  expect(world.passRows).toEqual([])
  expect(world.rows).toEqual([])
  expect(world.gates.locks.inspect()).toEqual([])
}

const converging: Cycle = { run: async () => ({ outcome: 'converged', roundsUsed: 1, detail: '', results: new Map() }) }

describe('the checks before a pass opens (RUN-210), each leaving no trace', () => {
  it('1: engine not initialized', async () => {
    const world = worldOf(gridOf([robust]), { attach: false })
    expect(await run(world, robust)).toMatchObject({ refusal: { text: 'engine not initialized' } })
    expect(world.kinds()).toEqual([])
  })

  it('2: no-audit-subscriber', async () => {
    const world = worldOf(gridOf([robust]), { audit: false })
    world.gates.bus.subscribe(() => undefined)
    expect(await run(world, robust)).toMatchObject({ refusal: { code: 'no-audit-subscriber' } })
    expectNoTrace(world)
  })

  it('3: dispatch-recursion-exceeded from the fourth nested pass on', async () => {
    const world = worldOf(gridOf([robust]))
    expect(await run(world, robust, { depth: 4 })).toMatchObject({ refusal: { code: 'dispatch-recursion-exceeded' } })
    expectNoTrace(world)
    expect(await run(world, robust, { depth: 3 })).toMatchObject({ kind: 'dispatched' })
  })

  it('4: no grid, an empty one, an unknown arrow, an undeclared context', async () => {
    expect(await run(worldOf(null), robust)).toMatchObject({ refusal: { code: 'no-grid' } })
    expect(await run(worldOf(gridOf([])), robust)).toMatchObject({ refusal: { code: 'no-grid' } })
    const world = worldOf(gridOf([robust]))
    expect(await run(world, 'analyst→integrator/shop')).toMatchObject({ refusal: { code: 'unknown-arrow' } })
    expect(await run(world, robust, { context: 'pay' })).toMatchObject({ refusal: { code: 'unknown-context' } })
    expectNoTrace(world)
  })

  it.each([
    [clauseOf('C2', { depth: 'deep' as never }), 'clause-depth-type-unknown: clause C2: "deep"'],
    [
      clauseOf('C2', { depth: 'depth-sensitive', minTier: 0 }),
      'clause-depth-requirement-invalid: clause C2: depth-sensitive needs min-tier 1..3, got 0'
    ]
  ])('5: %j', async (clause, text) => {
    const arrow = { ...robust, clauses: [clauseOf('C1'), clause] }
    const world = worldOf(gridOf([arrow]))
    expect(await run(world, arrow)).toMatchObject({ refusal: { text } })
    expectNoTrace(world)
  })

  it('6: missing-binding names every key, sorted, and is told; deferred clauses need none', async () => {
    const clauses = [
      clauseOf('C1', { concept: 'lint-clean', args: { language: 'go' } }),
      clauseOf('C2', { concept: 'compiles', args: { language: 'go' } }),
      clauseOf('C3', { concept: 'tests-pass', missing: ['scope:path-glob'] })
    ]
    const arrow = { ...robust, clauses }
    const world = worldOf(gridOf([arrow]))
    for (const key of ['lint-clean.go', 'compiles.go', 'tests-pass']) world.missing.add(key)
    expect(await run(world, arrow)).toMatchObject({ refusal: { text: 'missing-binding: compiles.go, lint-clean.go' } })
    expectNoTrace(world, ['binding-missing'])
    expect(world.events[0]?.payload).toEqual({ count: '2', keys: 'compiles.go,lint-clean.go' })
  })

  it('6: asks first where somebody can be asked, holding no lock meanwhile, and starts again', async () => {
    const arrow = { ...robust, clauses: [clauseOf('C1', { concept: 'compiles' })] }
    const world = worldOf(gridOf([arrow]))
    world.missing.add('compiles')
    const asked: (readonly string[])[] = []
    world.bindingPrompt = {
      declare: async (keys) => {
        asked.push(keys)
        expect(world.gates.locks.inspect()).toEqual([])
        world.missing.clear()
        return true
      }
    }
    expect(await run(world, arrow)).toMatchObject({ kind: 'dispatched', result: { arrowStatus: 'complete' } })
    expect(asked).toEqual([['compiles']])
    expect(world.kinds()).toEqual(['binding-missing', 'pass-opened', 'pass-closed'])
  })

  it('6: skipping the prompt ends the attempt, told once (INIT-130)', async () => {
    const arrow = { ...robust, clauses: [clauseOf('C1', { concept: 'compiles' })] }
    const world = worldOf(gridOf([arrow]))
    world.missing.add('compiles')
    world.bindingPrompt = { declare: async () => false }
    expect(await run(world, arrow)).toMatchObject({ refusal: { code: 'missing-binding' } })
    expectNoTrace(world, ['binding-missing'])
  })

  it.each([
    ['with no bundle', { disabled: false, cycle: null }, {}],
    ['disabled by the operator', { disabled: true, cycle: converging }, {}],
    ['disabled, whatever the routing says', { disabled: true, cycle: converging }, { lockedModel: 'deep' }]
  ])('8: adversarial-hooks-not-wired %s; there is no way around it', async (_, adversary, routing) => {
    const arrow = { ...robust, clauses: [clauseOf('C1'), sensitiveOf('C2', 2)] }
    const world = worldOf(gridOf([arrow]))
    world.adversary = adversary
    world.routing = { ...world.routing, ...routing }
    expect(await run(world, arrow)).toMatchObject({ refusal: { code: 'adversarial-hooks-not-wired' } })
    expectNoTrace(world)
  })

  it('9: role-context-busy carries the holder; another context runs', async () => {
    const arrow = { ...robust, clauses: [attestedOf('C1')] }
    const world = worldOf(gridOf([arrow, arrowOf('analyst', 'architect', [clauseOf('C1')], { context: 'pay' })]))
    expect(await run(world, arrow)).toMatchObject({ result: { isParked: true, passId: 'p-1' } })
    expect(await run(world, arrow)).toMatchObject({ refusal: { code: 'role-context-busy', passId: 'p-1' } })
    expect(world.passRows).toHaveLength(1)
    expect(await run(world, 'analyst→architect/pay')).toMatchObject({
      result: { passId: 'p-2', arrowStatus: 'complete' }
    })
  })

  it('gate-file-changed, told once, for every attempt until the next start (RUN-214)', async () => {
    const world = worldOf(gridOf([robust]))
    world.changedFile = { path: '.ghyll/grid.v1.yaml', reason: 'digest differs' }
    expect(await run(world, robust)).toMatchObject({ refusal: { text: 'gate-file-changed: .ghyll/grid.v1.yaml' } })
    world.changedFile = null
    expect(await run(world, robust)).toMatchObject({ refusal: { code: 'gate-file-changed' } })
    expectNoTrace(world, ['gate-file-changed'])
  })

  it('pass-persist-failed releases the lock and registers nothing (RUN-234)', async () => {
    const world = worldOf(gridOf([robust]))
    world.failOpen = new Error('disk full')
    expect(await run(world, robust)).toMatchObject({ refusal: { text: 'pass-persist-failed: disk full' } })
    expectNoTrace(world)
    expect(world.gates.passes.size()).toBe(0)
    world.failOpen = null
    expect(await run(world, robust)).toMatchObject({ kind: 'dispatched' })
  })
})

describe('a valid arrow answered without a pass (RUN-213)', () => {
  const declared = { ...robust, dependencies: [] }

  it('while it declares what it rests on and none of it changed', async () => {
    const world = worldOf(gridOf([declared]))
    await run(world, declared)
    expect(await run(world, declared)).toEqual({ kind: 'cached', arrowId: declared.id, passId: 'p-1' })
    expect(world.passRows).toHaveLength(1)
  })

  it.each([
    ['its artifact', { digest: 'artifact-2', dependencies: {} }],
    ['a dependency', { digest: 'artifact-1', dependencies: { 'specs/a.md': 'x' } }],
    ['what can be read', new Error('unreadable')]
  ])('not after a change of %s', async (_, artifact) => {
    const world = worldOf(gridOf([declared]))
    await run(world, declared)
    world.artifact = artifact
    await run(world, declared)
    expect(world.passRows).toHaveLength(2)
  })

  it('not when it declares no dependencies at all, is invalidated, or has a finding since', async () => {
    const world = worldOf(gridOf([robust]))
    await run(world, robust)
    await run(world, robust)
    expect(world.passRows).toHaveLength(2)
    const other = worldOf(gridOf([declared]))
    await run(other, declared)
    other.gates.findings.raise([
      {
        arrowId: declared.id,
        type: 'open-sweep',
        severity: 'high',
        description: '',
        raisedByRole: 'operator',
        gridVersion: 1
      }
    ])
    expect(await run(other, declared)).toMatchObject({ kind: 'dispatched', result: { arrowStatus: 'blocked' } })
  })
})

describe('who has to come first (GATE-82, GATE-83, RUN-250)', () => {
  const init = arrowOf('init', 'analyst', [clauseOf('I1')])
  const analyst = arrowOf('analyst', 'architect', [clauseOf('A1')])
  const architect = arrowOf('architect', 'implementer', [clauseOf('B1')])
  const implementer = arrowOf('implementer', 'integrator', [clauseOf('D1')])

  it('runs the chain of arrows nobody has to be asked for from the top, each an ordinary pass, told as it goes', async () => {
    const world = worldOf(gridOf([implementer, architect, analyst, init]))
    const told: string[] = []
    const outcome = await run(world, implementer, { onPredecessor: (id) => told.push(id) })
    expect(told).toEqual([init.id, analyst.id, architect.id])
    expect(world.passRows.map(({ arrowId }) => arrowId)).toEqual([init.id, analyst.id, architect.id, implementer.id])
    expect(outcome).toMatchObject({ result: { passId: 'p-4', arrowStatus: 'complete' } })
  })

  it('ends at the first that does not become complete, with its refusal', async () => {
    const world = worldOf(gridOf([init, analyst, architect, implementer]))
    world.results.set('A1', failResult)
    expect(await run(world, implementer)).toMatchObject({
      refusal: {
        code: 'transition-refused',
        upstreamArrow: analyst.id,
        downstreamArrow: architect.id,
        upstreamStatus: 'blocked',
        blockingClauses: 1,
        invalidatingGridVersion: 0,
        text: `transition-refused: upstream arrow "${analyst.id}" has status "blocked" (1 blocking clauses); downstream "${architect.id}" refused`
      }
    })
    expect(world.kinds().at(-1)).toBe('transition-refused')
    expect(world.passRows.map(({ arrowId }) => arrowId)).toEqual([init.id, analyst.id])
  })

  it('lets an analyst start whatever became of the hand-off from init', async () => {
    const world = worldOf(gridOf([init, analyst]))
    world.results.set('I1', failResult)
    expect(await run(world, analyst)).toMatchObject({ result: { arrowStatus: 'complete' } })
    expect(world.gates.current(init.id)?.status).toBe('blocked')
    expect(await run(world, analyst)).toMatchObject({ kind: 'dispatched' })
    expect(world.passRows).toHaveLength(3)
  })

  it('lets an analyst start when the dispatch of that hand-off was itself refused', async () => {
    const missing = arrowOf('init', 'analyst', [clauseOf('I1', { concept: 'compiles' })])
    const world = worldOf(gridOf([missing, analyst]))
    world.missing.add('compiles')
    expect(await run(world, analyst)).toMatchObject({ result: { arrowStatus: 'complete' } })
  })

  it('runs nothing first when the arrow itself would be refused by a later check', async () => {
    const sensitive = { ...analyst, clauses: [sensitiveOf('A1', 2)] }
    const world = worldOf(gridOf([init, sensitive]))
    expect(await run(world, sensitive)).toMatchObject({ refusal: { code: 'adversarial-hooks-not-wired' } })
    expectNoTrace(world)
  })

  it('refuses over a predecessor that needs an operator, traversed or not, and names its status', async () => {
    const asks = { ...analyst, clauses: [attestedOf('A1')] }
    const world = worldOf(gridOf([init, asks, architect]))
    expect(await run(world, architect)).toMatchObject({
      refusal: { code: 'transition-refused', upstreamStatus: 'unevaluated', blockingClauses: 1 }
    })
    expectNoTrace(world, ['transition-refused'])
  })

  it('allows what has no declared predecessor in its context, and asks only within the context', async () => {
    const elsewhere = arrowOf('analyst', 'architect', [attestedOf('A1')], { context: 'pay' })
    const world = worldOf(gridOf([elsewhere, architect]))
    expect(await run(world, architect)).toMatchObject({ result: { arrowStatus: 'complete' } })
  })

  it('names the version that invalidated the predecessor', async () => {
    const world = worldOf(gridOf([analyst, architect]))
    await run(world, analyst)
    world.gates.invalidations.record({
      arrowId: analyst.id,
      opId: 'a',
      reason: 'r',
      gridVersion: 2,
      source: 'amendment'
    })
    expect(await run(world, architect)).toMatchObject({
      refusal: {
        code: 'transition-refused-invalidated',
        invalidatingGridVersion: 2,
        text: `transition-refused-invalidated: upstream arrow "${analyst.id}" invalidated by grid-version v2; downstream "${architect.id}" refused`
      }
    })
    expect(world.events.at(-1)?.payload?.outcome).toBe('refused-invalidated')
  })

  it('measures an arrow outside the chain by the chain arrow into its source role', async () => {
    const around = arrowOf('architect', 'integrator', [clauseOf('X1')])
    const asks = { ...analyst, clauses: [attestedOf('A1')] }
    const world = worldOf(gridOf([asks, around]))
    expect(await run(world, around)).toMatchObject({ refusal: { upstreamArrow: asks.id } })
  })

  it('stops with the operator between two of them', async () => {
    const world = worldOf(gridOf([init, analyst]))
    const stop = new AbortController()
    const outcome = await run(world, analyst, { signal: stop.signal, onPredecessor: () => stop.abort() })
    expect(outcome).toMatchObject({ refusal: { code: 'operator-interrupt' } })
    expect(world.passRows.map(({ arrowId }) => arrowId)).toEqual([init.id])
  })
})

describe('a predecessor that is valid on an artifact that has moved (RUN-252)', () => {
  const analyst = arrowOf('analyst', 'architect', [clauseOf('A1')], { dependencies: [] })
  const architect = arrowOf('architect', 'implementer', [clauseOf('B1')])

  async function relying(artifact: World['artifact']) {
    const world = worldOf(gridOf([analyst, architect]))
    await run(world, analyst)
    world.artifact = artifact
    const told: [string, boolean][] = []
    const isOpened = () => world.passRows.some(({ arrowId }) => arrowId === architect.id)
    const outcome = await run(world, architect, {
      onOutdated: (upstream) => told.push([outdatedLine(upstream), isOpened()])
    })
    return { outcome, told, label: await outdatedOf(world.gates, analyst, quiet()).catch(() => null) }
  }

  it('is told before the pass opens, and holds nothing up', async () => {
    const { outcome, told, label } = await relying({ digest: 'artifact-2', dependencies: {} })
    const line = `⚠ upstream ${analyst.id} is valid but outdated: 1 file(s) changed since p-1`
    expect(told).toEqual([[line, false]])
    expect(outcome).toMatchObject({ result: { arrowStatus: 'complete' } })
    expect(label === null ? '' : outdatedLabel(label)).toBe('valid (outdated: 1 file(s) changed since p-1)')
  })

  it('is not told when nothing moved', async () => {
    expect((await relying({ digest: 'artifact-1', dependencies: {} })).told).toEqual([])
  })
})
