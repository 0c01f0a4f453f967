import { describe, expect, it } from 'vitest'
import { churnLimit, findingStatuses } from '../../../src/gate/runner/finding.ts'
import type { FindingChange } from '../../../src/gate/runner/findings.ts'
import type { Finding } from '../../../src/gate/runner/records.ts'
import type { FindingStatus } from '../../../src/protocol/gate.ts'
import { arrowOf, clauseOf, gridOf, worldOf } from '../../support/gates.ts'

const arrow = arrowOf('analyst', 'architect', [clauseOf('C1')])
const newFinding = {
  arrowId: arrow.id,
  type: 'open-sweep',
  severity: 'high',
  description: 'a defect',
  raisedByRole: 'adversary',
  gridVersion: 1
} as const

function storeAt(status: FindingStatus | 'odd', more: Partial<Finding> = {}) {
  const world = worldOf(gridOf([arrow]), {
    before: ({ findings }) =>
      findings.load([
        {
          ...newFinding,
          id: 'F1',
          status,
          basis: '',
          evidence: '',
          locations: [],
          targetClause: null,
          targetRequirement: null,
          raisedAt: '2026-01-01T00:00:00.000000000Z',
          transitionCount: 0,
          storeVersion: 7,
          updatedAt: '',
          ...more
        }
      ])
  })
  return { ...world, findings: world.gates.findings }
}

const legal = new Set([
  'open>running',
  'open>resolved',
  'open>accepted-risk',
  'running>open',
  'running>resolved',
  'running>accepted-risk',
  'running>unevaluated',
  'resolved>open',
  'accepted-risk>open',
  'unevaluated>running',
  'unevaluated>open'
])
const roles = ['operator', 'adversary', 'orchestrator', 'producer', 'analyst', 'init', '']
/** Who may, by target (RUN-511). */
const allowed: Record<FindingStatus, readonly string[]> = {
  'accepted-risk': ['operator'],
  resolved: ['adversary', 'orchestrator', 'operator'],
  running: ['producer', 'orchestrator'],
  unevaluated: ['adversary', 'orchestrator'],
  open: ['operator', 'adversary']
}

describe('every pair of finding statuses, by every role', () => {
  const pairs = findingStatuses.flatMap((from) => findingStatuses.map((to) => [from, to] as const))

  it.each(pairs)('%s to %s (RUN-510, RUN-511)', (from, to) => {
    for (const role of roles) {
      const { findings, events } = storeAt(from)
      const before = findings.get('F1')
      const result = findings.transition({ id: 'F1', to, role, reason: 'because' })
      const isLegal = legal.has(`${from}>${to}`)
      const byCycle = from === 'running' && to === 'open' && role === 'orchestrator'
      if (isLegal && (allowed[to].includes(role) || byCycle)) {
        expect(result).toMatchObject({ moved: { status: to, transitionCount: 1, storeVersion: 8 } })
        expect(events).toMatchObject([{ kind: 'finding-transitioned', payload: { from, outcome: to } }])
      } else {
        expect(result).toHaveProperty('refused')
        expect(findings.get('F1')).toEqual(before)
        expect(events).toEqual([])
        if (!isLegal) expect(result).toMatchObject({ refused: { code: 'illegal-transition' } })
        else if (to === 'accepted-risk')
          expect(result).toMatchObject({ refused: { code: 'producer-cannot-accept-own-risk' } })
      }
    }
  })

  it('leaves nothing out of a status that is no word of the set', () => {
    for (const to of findingStatuses)
      expect(storeAt('odd').findings.transition({ id: 'F1', to, role: 'operator', reason: '' })).toHaveProperty(
        'refused'
      )
  })
})

describe('raising', () => {
  it.each([
    [{ id: ' ' }, 'finding-id-empty'],
    [{ arrowId: '' }, 'finding-arrow-id-empty'],
    [{ type: '' }, 'finding-type-empty'],
    [{ type: 'Open Sweep' }, 'finding-type-invalid'],
    [{ severity: 'fatal' }, 'finding-invalid-severity'],
    [{ status: 'closed' }, 'finding-invalid-status'],
    [{ id: 'F1' }, 'finding-duplicate-id']
  ])('%j is refused with %s (RUN-501)', (wrong, code) => {
    const { findings, events } = storeAt('open')
    const given = { ...newFinding, ...wrong } as never
    expect(findings.raise([newFinding, given])).toMatchObject({ refused: { code } })
    expect(findings.all()).toHaveLength(1)
    expect(events).toEqual([])
  })

  it('takes several as one change, with versions after those on disk (PERS-302, PERS-303)', () => {
    const { findings } = storeAt('open')
    const seen: (readonly FindingChange[])[] = []
    findings.observe((changes) => seen.push(changes))
    findings.raise([newFinding, { ...newFinding, raisedByRole: 'analyst' }])
    expect(seen).toHaveLength(1)
    expect(seen[0]?.map(({ finding }) => finding.storeVersion)).toEqual([8, 9])
    expect(seen[0]?.map(({ finding }) => finding.id)).toEqual([
      expect.stringMatching(/^adv-\d{8}T\d{6}-1-9f2c$/),
      expect.stringMatching(/^prod-\d{8}T\d{6}-2-9f2c$/)
    ])
  })

  it('moves several as one change, and leaves those that may not move (PERS-303, RUN-904)', () => {
    const { findings } = storeAt('open')
    findings.raise([{ ...newFinding, id: 'F2' }])
    findings.transition({ id: 'F2', to: 'resolved', role: 'operator', reason: 'gone' })
    findings.raise([{ ...newFinding, id: 'F3' }])
    const seen: (readonly FindingChange[])[] = []
    findings.observe((changes) => seen.push(changes))
    const to = { to: 'accepted-risk', role: 'operator', opId: 'alice', reason: 'known' } as const
    const moved = findings.transitionAll(['F1', 'F2', 'F3', 'F4'].map((id) => ({ id, ...to })))
    expect(moved.map(({ id, status }) => [id, status])).toEqual([
      ['F1', 'accepted-risk'],
      ['F3', 'accepted-risk']
    ])
    expect(seen.map((changes) => changes.map(({ transition }) => transition?.findingId))).toEqual([['F1', 'F3']])
    expect(findings.transitionAll([{ id: 'F4', ...to }])).toEqual([])
    expect([seen.length, findings.get('F2')?.status]).toEqual([1, 'resolved'])
  })

  it('forces the status of a finding nobody could grade, whose severity has its default (GATE-65, RUN-622)', () => {
    const { findings } = storeAt('open')
    const raised = findings.raise([{ ...newFinding, severity: 'unevaluated', status: 'open' }])
    expect(raised).toMatchObject({ raised: [{ status: 'unevaluated', severity: 'medium' }] })
  })

  it('keeps texts on their line and within their limits (RUN-500)', () => {
    const { findings } = storeAt('open')
    const description = `one\ntwo \u001b[31m${'x'.repeat(300)}`
    const [raised] = (
      findings.raise([
        { ...newFinding, description, evidence: 'y'.repeat(9000), locations: Array(30).fill('z'.repeat(45_000)) }
      ]) as { raised: Finding[] }
    ).raised
    expect(raised?.locations.map(({ length }) => length)).toEqual(Array(20).fill(500))
    expect(raised?.description).toMatch(/^one two x+$/)
    expect(raised?.description).toHaveLength(200)
    expect(raised?.evidence).toHaveLength(4000)
  })

  it('cuts no letter in two: a half would not come back from the disk as it was', () => {
    const { findings } = storeAt('open')
    const text = `x${'🙂'.repeat(3000)}`
    const raised = findings.raise([{ ...newFinding, description: text, basis: text, evidence: text }])
    const [{ description, basis, evidence }] = (raised as { raised: [Finding] }).raised
    expect([description, basis, evidence].map((each) => [each.length, each.isWellFormed()])).toEqual([
      [199, true],
      [999, true],
      [3999, true]
    ])
  })
})

it(`refuses further transitions after ${churnLimit} (GATE-67)`, () => {
  const { findings } = storeAt('open', { transitionCount: churnLimit - 1 })
  expect(findings.transition({ id: 'F1', to: 'resolved', role: 'operator', reason: '' })).toHaveProperty('moved')
  expect(findings.transition({ id: 'F1', to: 'open', role: 'operator', reason: '' })).toMatchObject({
    refused: { code: 'finding-transition-churn' }
  })
})

it('tells all observers, the throwing one is counted, and the bus comes last (RUN-114)', () => {
  const { findings, gates, warnings } = storeAt('open')
  const order: string[] = []
  gates.bus.subscribe(() => order.push('bus'))
  findings.observe(() => order.push('first'))
  findings.observe(() => {
    throw new Error('broken')
  })
  findings.observe(() => order.push('last'))
  findings.transition({ id: 'F1', to: 'resolved', role: 'operator', reason: '' })
  expect(order).toEqual(['first', 'last', 'bus'])
  expect(findings.failures()).toBe(1)
  expect(warnings).toEqual(['findings: an observer failed: broken'])
})

it('hands out copies (RUN-115)', () => {
  const { findings } = storeAt('open')
  Object.assign(findings.get('F1') ?? {}, { status: 'resolved' })
  Object.assign(findings.all()[0] ?? {}, { status: 'resolved' })
  Object.assign(findings.ofArrow(arrow.id)[0] ?? {}, { status: 'resolved' })
  expect(findings.get('F1')?.status).toBe('open')
})

it('takes nothing from disk once it is attached (PERS-305)', () => {
  const { findings } = storeAt('open')
  expect(() => findings.load([])).toThrow('replay-after-attach')
})
