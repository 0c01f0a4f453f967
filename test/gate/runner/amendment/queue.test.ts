import { describe, expect, it } from 'vitest'
import { amendmentProblem, type NewAmendment } from '../../../../src/gate/runner/amendment/amendment.ts'
import { queueCapacity } from '../../../../src/gate/runner/amendment/queue.ts'
import { scanForAmendments } from '../../../../src/gate/runner/amendment/scan.ts'
import { amendmentsText, pendingBanner } from '../../../../src/gate/runner/amendment/texts.ts'
import type { PassRecord } from '../../../../src/gate/runner/records.ts'
import { queueOf } from '../../../support/committer.ts'
import { arrowOf, clauseOf, gridOf, worldOf } from '../../../support/gates.ts'

const request = (id: string, more: Partial<NewAmendment> = {}): NewAmendment => ({
  id,
  reason: 'missing-cross-context-spec',
  sourceArrow: 'integrator→analyst/shop',
  targetRole: 'analyst',
  contexts: ['shop', 'pay'],
  findingIds: ['f-1'],
  description: 'refunds are nobody’s',
  ...more
})
const grid = gridOf([
  arrowOf('integrator', 'analyst', [clauseOf('C1')]),
  arrowOf('analyst', 'architect', [clauseOf('C1')], { context: 'pay' })
])

it.each([
  [{ id: ' ' }, 'amendment-id-empty'],
  [{ reason: '' }, 'amendment-reason-empty'],
  [{ reason: 'because' }, 'amendment-reason-unknown'],
  [{ sourceArrow: ' ' }, 'amendment-source-arrow-empty'],
  [{ targetRole: ' ' }, 'amendment-target-role-empty'],
  [{ findingIds: [] }, 'amendment-finding-ids-empty'],
  [{ contexts: ['shop'] }, 'amendment-contexts-too-few']
] as const)('a request with %j is refused: %s (RUN-700)', (more, code) => {
  expect(amendmentProblem(request('a', more), 2)?.code).toBe(code)
})

it('one context is enough where the grid has no other', () => {
  expect(amendmentProblem(request('a', { contexts: ['shop'] }), 1)).toBeNull()
})

describe('the queue (RUN-701)', () => {
  it('keeps its order, tells of each, and lets only the head go', () => {
    const world = worldOf(grid)
    const queue = queueOf(world)
    const seen: string[] = []
    queue.observe(({ id, drainedAt }) => seen.push(`${id} ${drainedAt === null ? 'pending' : 'drained'}`))
    queue.enqueue(request('a'))
    queue.enqueue(request('b'))
    expect(() => queue.markDrained('b', 2)).toThrow(RangeError)
    expect(queue.markDrained('a', 2)).toMatchObject({ id: 'a', gridVersionAfter: 2 })
    expect(queue.head()?.id).toBe('b')
    expect(seen).toEqual(['a pending', 'b pending', 'a drained'])
    expect(queue.counts()).toEqual({ pending: 1, drained: 1 })
    expect(world.events.map(({ kind }) => kind)).toEqual(['amendment-enqueued', 'amendment-enqueued'])
  })

  it('an id that waits or was ever drained never comes back, across restarts', () => {
    const world = worldOf(grid, {
      attach: false
    })
    const queue = queueOf(world)
    queue.load([
      {
        ...request('old'),
        createdAt: '2026-01-01T00:00:00.000000001Z',
        drainedAt: '2026-01-01T00:00:01.000000000Z',
        gridVersionAfter: 2
      },
      { ...request('second'), createdAt: '2026-01-01T00:00:00.000000003Z', drainedAt: null, gridVersionAfter: null },
      { ...request('third'), createdAt: '2026-01-01T00:00:00.000000003Z', drainedAt: null, gridVersionAfter: null },
      { ...request('first'), createdAt: '2026-01-01T00:00:00.000000002Z', drainedAt: null, gridVersionAfter: null }
    ])
    // Of one moment, by id (PERS-410).
    expect(queue.pending().map(({ id }) => id)).toEqual(['first', 'second', 'third'])
    for (const id of ['old', 'first'])
      expect(queue.enqueue(request(id))).toMatchObject({ refused: { code: 'amendment-duplicate-id' } })
    expect(world.events.map(({ payload }) => payload?.outcome)).toEqual(['duplicate-id', 'duplicate-id'])
  })

  it('takes nothing from disk once the gates are attached (PERS-305)', () => {
    expect(() => queueOf(worldOf(grid)).load([])).toThrow('replay-after-attach')
  })

  it('tells its growth at a quarter, a half and three quarters, and refuses what is beyond', () => {
    const world = worldOf(grid)
    const queue = queueOf(world)
    for (let n = 0; n < queueCapacity; n += 1) queue.enqueue(request(`a${n}`))
    expect(queue.enqueue(request('one-more'))).toMatchObject({ refused: { code: 'amendment-queue-full' } })
    const growing = world.events.filter(({ kind }) => kind === 'amendment-queue-growing')
    expect(growing.map(({ payload }) => payload?.count)).toEqual(['256', '512', '768'])
    expect(world.events.at(-1)?.payload?.outcome).toBe('queue-full')
  })
})

describe('the scan after an integrator’s pass (RUN-710)', () => {
  const closed = (more: Partial<PassRecord> = {}) =>
    ({ id: 'p-1', role: 'integrator', state: 'closed', arrowId: 'integrator→analyst/shop', ...more }) as PassRecord
  const gap = (id: string) => ({
    id,
    arrowId: 'integrator→analyst/shop',
    type: 'missing-cross-context-spec',
    severity: 'medium' as const,
    description: 'refunds',
    raisedByRole: 'integrator',
    gridVersion: 1
  })

  it('asks for one amendment per open gap, once, with the contexts of the grid', () => {
    const world = worldOf(grid)
    const queue = queueOf(world)
    world.gates.findings.raise([
      gap('led-1'),
      { ...gap('led-2'), type: 'local-bug' },
      { ...gap('led-3'), status: 'resolved' }
    ])
    scanForAmendments(world.gates, queue, closed())
    scanForAmendments(world.gates, queue, closed())
    expect(queue.pending()).toMatchObject([{ id: 'amend-led-1', contexts: ['shop', 'pay'], findingIds: ['led-1'] }])
    expect(world.kinds().filter((kind) => kind === 'amendment-enqueue-refused')).toEqual([])
  })

  it.each([[{ role: 'analyst' as const }], [{ state: 'aborted' as const }], [{ state: 'open' as const }]])(
    'not after a pass with %j',
    (more) => {
      const world = worldOf(grid)
      const queue = queueOf(world)
      world.gates.findings.raise([gap('led-1')])
      scanForAmendments(world.gates, queue, closed(more))
      expect(queue.counts().pending).toBe(0)
    }
  )

  it('tells when there is no room for one, and goes on with the next (RUN-701)', () => {
    const world = worldOf(grid)
    const queue = queueOf(world)
    for (let n = 0; n < queueCapacity; n += 1) queue.enqueue(request(`a${n}`))
    world.gates.findings.raise([gap('led-1'), gap('led-2')])
    scanForAmendments(world.gates, queue, closed())
    expect(world.warnings).toEqual([
      'no amendment for led-1: amendment-queue-full',
      'no amendment for led-2: amendment-queue-full'
    ])
  })

  it('not for a finding as it was raised, even after its amendment was drained by a clock that went back', () => {
    const world = worldOf(grid, {
      attach: false,
      before: ({ findings }) => findings.raise([gap('f')])
    })
    const queue = queueOf(world)
    queue.load([
      {
        ...request('amend-f'),
        createdAt: '1999-01-01T00:00:00.000000001Z',
        drainedAt: '1999-01-01T00:00:00.000000002Z',
        gridVersionAfter: 2
      }
    ])
    scanForAmendments(world.gates, queue, closed())
    expect(queue.counts()).toEqual({ pending: 0, drained: 1 })
  })

  it('again only when the finding was reopened after the amendment was drained', () => {
    const world = worldOf(grid)
    const { gates } = world
    const queue = queueOf(world)
    gates.findings.raise([gap('f')])
    const turn = (to: 'resolved' | 'open') => gates.findings.transition({ id: 'f', to, role: 'operator', reason: 'r' })
    scanForAmendments(gates, queue, closed())
    queue.markDrained('amend-f', 2)
    scanForAmendments(gates, queue, closed())
    expect(queue.counts().pending).toBe(0)
    turn('resolved')
    turn('open')
    scanForAmendments(gates, queue, closed())
    scanForAmendments(gates, queue, closed())
    expect(queue.pending().map(({ id }) => id)).toEqual(['amend-f-r2'])
    queue.markDrained('amend-f-r2', 3)
    turn('resolved')
    turn('open')
    scanForAmendments(gates, queue, closed())
    expect(queue.pending().map(({ id }) => id)).toEqual(['amend-f-r3'])
  })
})

it('lists what waits, and says so at the start (OPUI-360, OPUI-361)', () => {
  const world = worldOf(grid)
  const queue = queueOf(world)
  expect(amendmentsText([])).toBe('no pending amendments')
  expect(pendingBanner([])).toEqual([])
  queue.enqueue(request('amend-f'))
  expect(amendmentsText(queue.pending())).toMatch(
    /^pending amendments \(1\):\n {2}amend-f \(missing-cross-context-spec\)\n {4}source-arrow: integrator→analyst\/shop\n {4}target-role: analyst\n {4}contexts: shop, pay\n {4}findings: f-1\n {4}description: refunds are nobody’s\n {4}created-at: \d/
  )
  expect(pendingBanner(queue.pending())[0]).toBe('⚠ 1 pending amendment(s); run /drain-amendments to apply')
})
