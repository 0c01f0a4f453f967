import { describe, expect, it } from 'vitest'
import type { FindingFact, PassFact, RequirementFact } from '../../../src/protocol/evaluation.ts'
import type { Args, Severity } from '../../../src/protocol/grid.ts'
import { evaluate } from './bench.ts'

// The three concepts that read the gate's own state and no file.

const arrow = 'analyst→architect/checkout'

describe('no-open-finding (CONC-50, CONC-51)', () => {
  const finding = (severity: FindingFact['severity'], status: string): FindingFact => ({
    id: `${severity}-${status}`,
    arrowId: arrow,
    type: 'open-sweep',
    severity,
    status,
    description: 'what is wrong',
    raisedAt: '2026-01-01T00:00:00Z',
    raisedByRole: 'adversary'
  })
  const check = (findings: FindingFact[], args: Args = {}, threshold: Severity = 'medium') =>
    evaluate(
      '/',
      'no-open-finding',
      { 'arrow-id': arrow, ...args },
      {
        state: { findings: (id) => (id === arrow ? { storeVersion: 3, threshold, findings } : null) }
      }
    )

  it.each<[FindingFact['severity'], string, 'pass' | 'fail']>([
    ['low', 'open', 'pass'],
    ['medium', 'open', 'fail'],
    ['critical', 'running', 'fail'],
    ['critical', 'resolved', 'pass'],
    ['critical', 'accepted-risk', 'pass'],
    ['info', 'unevaluated', 'fail'],
    ['unevaluated', 'open', 'fail'],
    ['unevaluated', 'resolved', 'pass'],
    ['info', 'sleeping', 'fail']
  ])('%s and %s at medium: %s', async (severity, status, expected) => {
    expect((await check([finding(severity, status)])).status).toBe(expected)
  })

  it('names what blocks, the threshold and the version it read', async () => {
    const result = await check([finding('high', 'open'), finding('low', 'open')])
    expect(result.details).toEqual({
      'blocking-findings': [
        {
          id: 'high-open',
          type: 'open-sweep',
          severity: 'high',
          status: 'open',
          description: 'what is wrong',
          'raised-at': '2026-01-01T00:00:00Z',
          'raised-by-role': 'adversary'
        }
      ],
      'finding-count': 2,
      threshold: 'medium',
      'store-version': 3
    })
  })

  it('takes the threshold of the clause, else the one in force for the arrow', async () => {
    const low = [finding('low', 'open')]
    expect((await check(low, { 'severity-threshold': 'low' })).status).toBe('fail')
    expect((await check(low, {}, 'info')).status).toBe('fail')
    expect((await check(low, { 'severity-threshold': 'high' }, 'info')).status).toBe('pass')
  })

  it('does not take the absence of a store for the absence of findings', async () => {
    expect(await evaluate('/', 'no-open-finding', { 'arrow-id': arrow })).toMatchObject({
      status: 'unevaluated',
      reason: 'store-unavailable'
    })
  })
})

describe('every-requirement-meets-min-depth (CONC-52…54)', () => {
  const requirement = (
    id: string,
    minDepth: 1 | 2 | 3,
    classified: RequirementFact['classified']
  ): RequirementFact => ({
    id,
    minDepth,
    classified,
    evidence: 'seen in tests'
  })
  const check = (requirements: RequirementFact[]) =>
    evaluate(
      '/',
      'every-requirement-meets-min-depth',
      { 'arrow-id': arrow },
      { state: { requirements: () => requirements } }
    )

  it('passes at or above every minimum', async () => {
    expect(await check([requirement('R1', 2, 2), requirement('R2', 1, 3)])).toMatchObject({
      status: 'pass',
      details: { 'requirement-count': 2, 'below-min': [], unclassified: [] }
    })
  })

  it('fails below one, also while others are open', async () => {
    const result = await check([
      requirement('R1', 2, 1),
      requirement('R2', 1, null),
      requirement('R3', 1, 'unevaluated')
    ])
    expect(result).toMatchObject({
      status: 'fail',
      details: {
        'below-min': [{ 'requirement-id': 'R1', classified: 1, minimum: 2, evidence: 'seen in tests' }],
        unclassified: ['R2', 'R3']
      }
    })
  })

  it('is open with the reason why nobody knows', async () => {
    expect((await check([requirement('R1', 2, null)])).reason).toBe('store-unavailable')
    expect((await check([requirement('R1', 2, null), requirement('R2', 1, 'unevaluated')])).reason).toBe(
      'depth-below-required'
    )
    expect(await evaluate('/', 'every-requirement-meets-min-depth', { 'arrow-id': arrow })).toMatchObject({
      reason: 'store-unavailable'
    })
  })

  it('passes without requirements, with a count of zero', async () => {
    expect(await check([])).toMatchObject({ status: 'pass', details: { 'requirement-count': 0, vacuous: true } })
  })
})

describe('single-active-role-instance (CONC-86)', () => {
  const pass = (id: string, role: string, context: string, state: PassFact['state'] = 'open'): PassFact => ({
    id,
    arrowId: '',
    role,
    context,
    state
  })
  const check = (passes: PassFact[], context = 'checkout') =>
    evaluate(
      '/',
      'single-active-role-instance',
      { role: 'analyst', context },
      { passId: 'p-1', state: { passes: () => passes } }
    )

  it('passes when nobody else is at work, its own pass aside', async () => {
    const others = [
      pass('p-1', 'analyst', 'checkout'),
      pass('p-2', 'architect', 'checkout'),
      pass('p-3', 'analyst', 'stock')
    ]
    expect(await check([...others, pass('p-4', 'analyst', 'checkout', 'closed')])).toMatchObject({
      status: 'pass',
      details: { 'conflicting-pass-ids': [] }
    })
  })

  it('fails with the passes in its way, in any context for *', async () => {
    const passes = [pass('p-2', 'analyst', 'checkout'), pass('p-3', 'analyst', 'stock')]
    expect((await check(passes)).details['conflicting-pass-ids']).toEqual(['p-2'])
    expect((await check(passes, '*')).details['conflicting-pass-ids']).toEqual(['p-2', 'p-3'])
  })

  it('is open without a live table', async () => {
    expect(await evaluate('/', 'single-active-role-instance', { role: 'analyst', context: '*' })).toMatchObject({
      reason: 'store-unavailable'
    })
  })
})
