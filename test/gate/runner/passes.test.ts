import { describe, expect, it } from 'vitest'
import { dispatch } from '../../../src/gate/runner/dispatch/dispatch.ts'
import type { LivePass } from '../../../src/gate/runner/live-pass.ts'
import type { PassEvent } from '../../../src/gate/runner/passes.ts'
import type { PassRecord } from '../../../src/gate/runner/records.ts'
import { recordVerdict } from '../../../src/gate/runner/verdicts/record.ts'
import { arrowOf, attestedOf, clauseOf, gridOf, quiet, type World, worldOf } from '../../support/gates.ts'

const arrow = arrowOf('analyst', 'architect', [clauseOf('C1'), clauseOf('C2')])
const command = { role: 'analyst', context: 'shop', arrow, gridVersion: 1, actualTier: 1, opId: 'alice' } as const

function opened(world: World, more: object = {}): LivePass {
  const result = world.gates.passes.open({ ...command, ...more })
  if ('refused' in result) throw new Error(result.refused.text)
  return result.pass
}

describe('every pair of pass states (GATE-43…47, RUN-303)', () => {
  const acts = {
    close: (world: World, pass: LivePass) => world.gates.passes.close(pass, 'complete', {}),
    closeBlocked: (world: World, pass: LivePass) => world.gates.passes.close(pass, 'blocked', {}),
    abort: (world: World, pass: LivePass) => world.gates.passes.abort(pass, 'operator-interrupt'),
    abortAgain: (world: World, pass: LivePass) => world.gates.passes.abort(pass, 'invalidated')
  }
  const names = Object.keys(acts) as (keyof typeof acts)[]
  const pairs = names.flatMap((first) => names.map((second) => [first, second] as const))

  it.each(pairs)('after %s, %s changes nothing: the first wins', (first, second) => {
    const world = worldOf(gridOf([arrow]))
    const pass = opened(world)
    expect(acts[first](world, pass)).toBe(true)
    const ended = pass.record
    const events = world.events.length
    expect(acts[second](world, pass)).toBe(false)
    expect(pass.record).toEqual(ended)
    expect(world.events).toHaveLength(events)
  })

  it.each([
    ['complete', 'ok', { 'a.md': 'd' }],
    ['provisional', 'derived-provisional', null],
    ['unevaluated', 'derived-unevaluated', null],
    ['blocked', 'derived-blocked', null]
  ] as const)('closing as %s says %s (GATE-44)', (status, closeReason, dependencyDigests) => {
    const world = worldOf(gridOf([arrow]))
    const pass = opened(world)
    world.gates.passes.close(pass, status, { 'a.md': 'd' })
    expect(pass.record).toMatchObject({ state: 'closed', closeReason, arrowStatus: status, dependencyDigests })
  })
})

describe('the registry', () => {
  it('numbers passes after those of earlier processes (RUN-301)', () => {
    const world = worldOf(gridOf([arrow]), { before: ({ passes }) => passes.seed(41) })
    expect(opened(world).record).toMatchObject({ id: 'p-42', openedAt: expect.stringMatching(/\.\d{9}Z$/) })
  })

  it.each([
    [{ role: '' }, 'pass-role-empty'],
    [{ context: ' ' }, 'pass-context-empty'],
    [{ arrow: { ...arrow, id: '' } }, 'pass-arrow-empty']
  ])('refuses %j (RUN-302)', (more, code) => {
    const world = worldOf(gridOf([arrow]))
    expect(world.gates.passes.open({ ...command, ...more } as never)).toMatchObject({ refused: { code } })
    expect(world.events).toEqual([])
  })

  it('tells its observers before the bus, once each, and nothing of an update (RUN-306)', () => {
    const world = worldOf(gridOf([arrow]))
    const order: string[] = []
    world.gates.passes.observe(({ kind }) => order.push(kind))
    world.gates.bus.subscribe(({ kind }) => order.push(kind))
    const pass = opened(world)
    world.gates.passes.update(pass, { artifactDigest: 'd' })
    world.gates.passes.abort(pass, 'manual-stop')
    expect(order).toEqual(['open', 'pass-opened', 'update', 'abort', 'pass-closed'])
  })

  it('keeps the definition it opened with (RUN-200)', () => {
    const world = worldOf(gridOf([arrow]))
    const pass = opened(world)
    world.gates.grid.swap(
      gridOf([{ ...arrow, clauses: [clauseOf('C9')] }], { version: 2 }),
      world.gates.grid.registry()
    )
    expect(pass.arrow.clauses.map(({ id }) => id)).toEqual(['C1', 'C2'])
    expect(pass.arrow).not.toBe(arrow)
  })

  it('lists open passes by number', () => {
    const world = worldOf(gridOf([arrow]), { before: ({ passes }) => passes.seed(8) })
    opened(world)
    opened(world, { context: 'pay' })
    expect(world.gates.passes.all().map(({ record }) => record.id)).toEqual(['p-9', 'p-10'])
  })
})

describe('an invalidation and the pass that ends it (GATE-56, RUN-850, PERS-301)', () => {
  const invalidate = (world: World) =>
    world.gates.invalidations.record({ arrowId: arrow.id, opId: 'a', reason: 'r', gridVersion: 1, source: 'operator' })

  it('is ended by a pass that opened after it, in the same change', () => {
    const world = worldOf(gridOf([arrow]))
    const seen: PassEvent[] = []
    world.gates.passes.observe((event) => seen.push(event))
    invalidate(world)
    const pass = opened(world)
    expect(world.gates.current(arrow.id)?.status).toBe('invalidated')
    world.gates.passes.close(pass, 'blocked', null)
    expect(seen.at(-1)?.consumed).toMatchObject({ arrowId: arrow.id })
    expect(world.gates.invalidations.inForce(arrow.id)).toBeNull()
    expect(world.gates.invalidations.latest(arrow.id)?.consumedByPass).toBe(pass.record.id)
  })

  it('is not ended by a pass that was open already and closes all the same (GATE-93)', () => {
    const world = worldOf(gridOf([arrow]))
    const pass = opened(world)
    invalidate(world)
    world.gates.passes.close(pass, 'complete', {})
    expect(world.gates.current(arrow.id)?.status).toBe('invalidated')
  })

  it('is not ended by an abort that decides nothing, nor by a pass older than a second invalidation', () => {
    const world = worldOf(gridOf([arrow]))
    invalidate(world)
    world.gates.passes.abort(opened(world), 'operator-interrupt')
    expect(world.gates.invalidations.inForce(arrow.id)).not.toBeNull()
    const pass = opened(world)
    invalidate(world)
    world.gates.passes.close(pass, 'complete', {})
    expect(world.gates.invalidations.inForce(arrow.id)).not.toBeNull()
  })

  it('is ended by remediation that failed, which is a status of its own', () => {
    const world = worldOf(gridOf([arrow]))
    invalidate(world)
    world.gates.passes.abort(opened(world), 'aborted-remediation:escalated-rounds-max')
    expect(world.gates.current(arrow.id)?.status).toBe('aborted-remediation')
  })
})

describe('what a start takes up again', () => {
  const parkedArrow = arrowOf('analyst', 'architect', [clauseOf('C1'), attestedOf('C2')])

  async function parkedPass() {
    const world = worldOf(gridOf([parkedArrow]))
    await dispatch(world.gates, { arrowId: parkedArrow.id, opId: 'alice', signal: quiet() })
    const pass = world.gates.passes.get('p-1')
    if (pass === null) throw new Error('not parked')
    return { record: pass.record, arrow: parkedArrow, clauses: pass.board.all(), requests: [...pass.requests.values()] }
  }

  it('an open pass with its lock, clauses and requests, silently, and it settles as if nothing had been (RUN-305)', async () => {
    const seed = await parkedPass()
    const world = worldOf(gridOf([parkedArrow]), {
      before: ({ passes }) => {
        passes.seed(1)
        expect(passes.resume(seed)).toHaveProperty('pass')
      }
    })
    expect(world.events).toEqual([])
    expect(world.gates.locks.inspect()).toMatchObject([{ passId: 'p-1' }])
    const given = { passId: 'p-1', clauseId: 'C2', verdict: 'pass', text: '', reason: '', opId: 'bob' } as const
    const outcome = recordVerdict(world.gates, given)
    if (outcome.kind !== 'recorded') throw new Error('refused')
    expect(await outcome.settling).toMatchObject({ arrowStatus: 'complete', closeReason: 'ok' })
    expect(world.kinds()).toEqual(['attestation-recorded', 'pass-closed'])
  })

  it('no pass that is not open, none without an id, and not two on one lock', async () => {
    const seed = await parkedPass()
    const world = worldOf(gridOf([parkedArrow]))
    const { passes } = world.gates
    const as = (more: Partial<PassRecord>) => passes.resume({ ...seed, record: { ...seed.record, ...more } })
    expect(as({ state: 'closed' })).toMatchObject({ refused: { code: 'pass-resume-invalid-state' } })
    expect(as({ id: '' })).toMatchObject({ refused: { code: 'pass-id-empty' } })
    expect(as({})).toHaveProperty('pass')
    expect(as({ id: 'p-2' })).toMatchObject({ refused: { code: 'role-context-busy', passId: 'p-1' } })
    expect(passes.size()).toBe(1)
  })

  it('the effective pass of each arrow with its clauses, and who opened passes', () => {
    const pass: PassRecord = {
      ...(opened(worldOf(gridOf([arrow]))).record as PassRecord),
      state: 'closed',
      closeReason: 'ok',
      closedAt: '2026-01-01T00:00:01.000000000Z'
    }
    const clauses = ['C1', 'C2'].map((clauseId) => ({ clauseId, status: 'pass', reason: null, note: '' }))
    const world = worldOf(gridOf([arrow]), {
      before: ({ history }) =>
        history.load([
          { arrowId: arrow.id, effective: { pass, clauses }, latest: pass, openers: new Map([['alice', 'p-1']]) }
        ])
    })
    expect(world.gates.current(arrow.id)).toMatchObject({ status: 'complete', isStarted: true })
    expect(world.gates.history.openedBy(arrow.id, 'alice')).toBe('p-1')
    expect(world.gates.stamps.now() > pass.closedAt).toBe(true)
  })

  it('nothing once the journal is attached, and it is attached once (PERS-305)', () => {
    const world = worldOf(gridOf([arrow]))
    expect(() => world.gates.passes.seed(1)).toThrow('replay-after-attach')
    expect(() => world.gates.history.load([])).toThrow('replay-after-attach')
    expect(() => world.gates.attestations.load([])).toThrow('replay-after-attach')
    expect(() => world.gates.invalidations.load([])).toThrow('replay-after-attach')
    expect(() => world.gates.depths.load([], [])).toThrow('replay-after-attach')
    expect(() => world.gates.attach(world.gates.journal(), () => undefined)).toThrow('attach-twice')
  })
})
