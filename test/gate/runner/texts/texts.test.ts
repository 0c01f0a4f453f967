import { describe, expect, it } from 'vitest'
import { dispatch } from '../../../../src/gate/runner/dispatch/dispatch.ts'
import type { DispatchResult } from '../../../../src/gate/runner/dispatch/types.ts'
import { refusal } from '../../../../src/gate/runner/refusal.ts'
import { snapshotOf } from '../../../../src/gate/runner/snapshot.ts'
import { outcomeTold, refusalTold, resultLines } from '../../../../src/gate/runner/texts/dispatch.ts'
import { eventLine } from '../../../../src/gate/runner/texts/events.ts'
import { adversaryStatus, projectLine, projectWord, statusBlock } from '../../../../src/gate/runner/texts/project.ts'
import { arrowOf, attestedOf, clauseOf, failResult, gridOf, quiet, worldOf } from '../../../support/gates.ts'

const init = arrowOf('init', 'analyst', [clauseOf('C1')])
const analyst = arrowOf('analyst', 'architect', [clauseOf('C1'), attestedOf('C2')])
const architect = arrowOf('architect', 'implementer', [clauseOf('C1')])
const implementer = arrowOf('implementer', 'integrator', [clauseOf('C1')])
const grid = gridOf([init, analyst, architect, implementer])
const quietFacts = {
  verdictsWaiting: 0,
  adversary: 'DISABLED (dialect=no-dialect-configured)',
  unsavedRows: 0,
  eventLogFailures: 0,
  missingBindings: [],
  onTheSpotThisSession: 0
}

describe('the project (GATE-76, GATE-77, OPUI-350)', () => {
  it('is not started anywhere right after init', () => {
    const snapshot = snapshotOf(worldOf(grid).gates)
    if (snapshot === null) throw new Error('no snapshot')
    expect(projectLine(snapshot)).toBe('0/4 arrows complete against grid v1, residue 0, unevaluated 4')
    expect(projectWord(snapshot)).toBe('0/4-complete-against-grid-v1, R=0, C=4')
    expect(statusBlock(snapshot, quietFacts)).toEqual([
      '0/4 arrows complete against grid v1, residue 0, unevaluated 4',
      '  arrows:       4 (unevaluated 4)',
      '  passes open:  none',
      '  locks held:   none',
      '  findings:     open 0, running 0, resolved 0, accepted-risk 0, unevaluated 0',
      '  blocking:     none',
      `  unevaluated:  ${init.id}, ${analyst.id}, ${architect.id}, ${implementer.id}`,
      '  amendments:   0 pending, 0 drained',
      '  attestations: 0 (depth-type 0, on-the-spot 0)',
      '  on-the-spot:  0 this session, 0 in the grid',
      '  verdicts:     none',
      '  adversary:    DISABLED (dialect=no-dialect-configured)',
      '  journal:      ok'
    ])
  })

  it('shows what is under way, and what went wrong on lines of its own (OPUI-351)', async () => {
    const world = worldOf(grid)
    await dispatch(world.gates, { arrowId: analyst.id, opId: 'alice', signal: quiet() })
    const finding = {
      arrowId: analyst.id,
      type: 'x',
      severity: 'low',
      description: '',
      raisedByRole: 'operator'
    } as const
    world.gates.findings.raise([{ ...finding, gridVersion: 1 }])
    const snapshot = snapshotOf(world.gates)
    if (snapshot === null) throw new Error('no snapshot')
    const lines = statusBlock(snapshot, {
      ...quietFacts,
      verdictsWaiting: 1,
      unsavedRows: 2,
      eventLogFailures: 3,
      missingBindings: ['compiles.go']
    })
    expect(lines).toContain('  arrows:       4 (valid 1, unevaluated 3)')
    expect(lines).toContain('  passes open:  1')
    expect(lines).toContain(`    p-2 analyst/shop ${analyst.id} waiting=1 since 2026-01-01T00:00:00Z`)
    expect(lines).toContain('  locks held:   (analyst, shop) by p-2')
    expect(lines).toContain(`  blocking:     ${analyst.id}`)
    expect(lines).toContain('  verdicts:     1 waiting')
    expect(lines.slice(-4)).toEqual([
      '  journal:      2 unsaved',
      '⚠ missing-binding: compiles.go',
      '⚠ journal: 2 unsaved',
      '⚠ event log: 3 failed'
    ])
  })

  it('is complete only against its grid version, and an empty grid never is', async () => {
    const world = worldOf(gridOf([architect]))
    await dispatch(world.gates, { arrowId: architect.id, opId: '', signal: quiet() })
    const snapshot = snapshotOf(world.gates)
    if (snapshot === null) throw new Error('no snapshot')
    expect(projectLine({ ...snapshot, residue: { units: 3, pendingBindings: 2 } })).toBe(
      'complete against grid v1, residue 3 (+2 pending bindings), unevaluated 0'
    )
    expect(projectWord(snapshot)).toMatch(/^complete-against-grid-v1, R=\d+, C=0$/)
    expect(projectLine({ ...snapshot, arrows: [], complete: 0 })).toMatch(/^0\/0 arrows complete/)
  })

  it('says whether the adversary is there (RUN-611)', () => {
    expect(adversaryStatus({ disabled: false, cycle: {} }, 'm25')).toBe('wired (dialect=m25)')
    expect(adversaryStatus({ disabled: true, cycle: {} }, 'm25')).toBe('DISABLED (dialect=m25)')
    expect(adversaryStatus({ disabled: false, cycle: null }, null)).toBe('DISABLED (dialect=no-dialect-configured)')
  })
})

describe('what /run-arrow prints', () => {
  const result: DispatchResult = {
    passId: 'p-7',
    arrowId: analyst.id,
    arrowStatus: 'complete',
    clauses: 2,
    blockingClauses: 0,
    blockingFindings: 0,
    runs: [],
    isParked: false,
    held: null,
    pendingRefs: [],
    closedAt: '',
    closeReason: 'ok',
    remediation: null,
    blocking: []
  }

  it('one line for a valid arrow, dispatched or settled (OPUI-322, OPUI-324)', () => {
    expect(resultLines(result, grid, 'dispatched')).toEqual([
      `✓ arrow ${analyst.id} dispatched: pass=p-7 status=valid clauses=2 blocking-clauses=0 blocking-findings=0`
    ])
    expect(resultLines(result, grid, 'settled')[0]).toMatch(/^✓ arrow \S+ settled: pass=p-7/)
  })

  it('the first ten reasons for anything else, and how many verdicts wait (OPUI-323)', () => {
    const blocking = Array.from({ length: 12 }, (_, n) => ({ id: `C${n + 1}`, status: 'fail', why: `reason ${n + 1}` }))
    const lines = resultLines(
      { ...result, arrowStatus: 'blocked', blocking, pendingRefs: ['r'], closeReason: '' },
      grid,
      'dispatched'
    )
    expect(lines.slice(1, 3)).toEqual(['    C1 fail: reason 1', '    C2 fail: reason 2'])
    expect(lines.slice(11)).toEqual([
      '    … 2 more (Enter on the arrow)',
      'ℹ 1 verdict(s) waiting; the prompt follows (F4)'
    ])
  })

  it.each([
    [
      'aborted-remediation:escalated-rounds-max',
      `ℹ accept risk per finding (F5, a) or route upstream: /run-arrow ${init.id}`
    ],
    ['requires-deeper-artifact', `ℹ next: /run-arrow ${init.id}`],
    ['artifact-changed', `ℹ artifact of ${analyst.id} changed since it was verified; run the arrow again`]
  ])('where to go after %s (OPUI-325, RUN-247)', (closeReason, line) => {
    expect(resultLines({ ...result, arrowStatus: 'unevaluated', closeReason }, grid, 'dispatched').at(-1)).toBe(line)
  })

  it.each([
    ['ok', null, false],
    ['derived-blocked', null, false],
    ['', null, false],
    ['', 'gate-file-changed: .ghyll/grid.current', true],
    ['aborted-remediation:escalated-rounds-max', null, true],
    ['operator-interrupt', null, true],
    ['artifact-changed', null, true]
  ])(
    'a pass that ends "%s" (held: %s) was broken off: %s, which ghyll exec tells by its code (TERM-60)',
    (closeReason, held, isBroken) => {
      const outcome = { kind: 'dispatched', result: { ...result, closeReason, held } } as const
      expect(outcomeTold(analyst.id, outcome, grid)).toMatchObject({ refusal: null, isBroken })
    }
  )

  it('names no upstream where none is declared', () => {
    const alone = gridOf([analyst])
    const lines = resultLines({ ...result, closeReason: 'requires-deeper-artifact' }, alone, 'dispatched')
    expect(lines).toHaveLength(1)
  })

  it('an answer without a pass (OPUI-326)', () => {
    expect(outcomeTold(analyst.id, { kind: 'cached', arrowId: analyst.id, passId: 'p-3' }, grid)).toEqual({
      lines: [
        `ℹ arrow ${analyst.id} already valid: pass=p-3, nothing it depends on changed (/invalidate-arrow to force)`
      ],
      refusal: null
    })
  })

  it.each([
    [refusal('engine-not-initialized', 'x'), ['✗ engine not initialized; /run-arrow unavailable']],
    [refusal('no-grid', 'no grid; run `ghyll init` first'), ['✗ no grid; run `ghyll init` first']],
    [refusal('adversarial-hooks-not-wired'), ['✗ /run-arrow A: adversarial-hooks-not-wired (type /adversary enable)']],
    [refusal('gate-file-changed', 'gate-file-changed: a'), ['✗ /run-arrow A: gate-file-changed: a']],
    [
      { ...refusal('role-context-busy', 'x'), role: 'analyst', context: 'shop', passId: 'p-7', since: '' },
      ['✗ /run-arrow: (role=analyst, context=shop) held by pass p-7']
    ]
  ] as const)('%j (OPUI-320)', (refused, lines) => {
    // The refusal itself is told apart from its lines: nobody looks for the mark.
    expect(refusalTold('A', refused, grid)).toEqual({ lines, refusal: lines[0].slice(2) })
  })

  it('offers to declare a hand-off between roles in a known context, and nothing else', () => {
    const unknown = (id: string) =>
      refusalTold(id, refusal('unknown-arrow', `arrow "${id}" not in grid (try /list-arrows)`), grid).lines
    expect(unknown('analyst→integrator/shop')).toEqual([
      '✗ arrow "analyst→integrator/shop" not in grid (try /list-arrows)',
      'ℹ add --define to declare it on the spot'
    ])
    expect(unknown('analyst→integrator/elsewhere')).toHaveLength(1)
    expect(unknown('tester→integrator/shop')).toHaveLength(1)
  })

  it('the reasons of a real pass', async () => {
    const world = worldOf(gridOf([analyst]))
    world.results.set('C1', failResult)
    const outcome = await dispatch(world.gates, { arrowId: analyst.id, opId: '', signal: quiet() })
    expect(outcomeTold(analyst.id, outcome, world.gates.grid.current()).lines).toEqual([
      `✓ arrow ${analyst.id} dispatched: pass=p-1 status=blocked clauses=2 blocking-clauses=1 blocking-findings=0`,
      '    C1 fail: two markers found',
      '    C2 awaiting-attestation: what C2 demands',
      'ℹ 1 verdict(s) waiting; the prompt follows (F4)'
    ])
  })
})

describe('event lines (OPUI-300, GATE-51)', () => {
  const closed = { arrow_id: 'a', pass_id: 'p-7', role: 'analyst' }
  it.each([
    [
      { kind: 'pass-opened', ...closed, payload: { context: 'default', grid_version: '1' } },
      '  · pass-opened   pass=p-7 role=analyst context=default'
    ],
    [
      { kind: 'pass-closed', ...closed, payload: { outcome: 'closed', close_reason: 'ok' } },
      '  · pass-closed   pass=p-7 role=analyst state/reason=closed:ok'
    ],
    [
      {
        kind: 'adversarial-round-start',
        ...closed,
        payload: { round: '1', rounds_max: '5', open_findings: '0', tier_label: 'deep' }
      },
      '  · adversarial-round-start  pass=p-7 round=1/5 open=0 tier=deep'
    ],
    [
      { kind: 'producer-fix-signal', payload: { round: '1', open_findings: '3' } },
      '  · producer-fix-signal  round=1 open=3'
    ],
    [
      { kind: 'remediation-converged', pass_id: 'p-7', payload: { rounds_used: '2' } },
      '  · remediation-converged  pass=p-7 rounds=2'
    ],
    [
      {
        kind: 'remediation-escalated',
        pass_id: 'p-7',
        payload: { outcome: 'escalated-rounds-max', rounds_used: '5', reason: '2 findings still open' }
      },
      '  ⚠ remediation-escalated  pass=p-7 outcome=escalated-rounds-max rounds=5: 2 findings still open'
    ],
    [
      {
        kind: 'insufficient-basis-rounds-exceeded',
        arrow_id: 'A',
        clause_id: 'C2',
        payload: { rounds: '3', rounds_max: '3' }
      },
      '  ⚠ insufficient-basis-rounds-exceeded  arrow=A clause=C2 rounds=3 of 3'
    ],
    [
      { kind: 'arrow-invalidated', arrow_id: 'A', op_id: 'bob', payload: { source: 'operator', reason: 'why\nnot' } },
      '  · arrow-invalidated  arrow=A op=bob source=operator: why not'
    ],
    [
      { kind: 'restore-failed', arrow_id: 'A', clause_id: 'C8', pass_id: 'p-7', payload: { dependencies: 'db,cache' } },
      '  ⚠ restore-failed  arrow=A clause=C8 pass=p-7: not brought back: db,cache'
    ],
    [
      { kind: 'restore-failed', arrow_id: 'A', clause_id: 'C8', pass_id: 'p-7', payload: { dependencies: '' } },
      '  ⚠ restore-failed  arrow=A clause=C8 pass=p-7: the suite fails since'
    ],
    [{ kind: 'binding-missing', payload: { count: '3', keys: 'a,b,c' } }, '  · binding-missing  count=3 keys=a, b, c'],
    [
      { kind: 'binding-missing', payload: { count: '5', keys: 'a,b,c,d,e' } },
      '  · binding-missing  count=5 keys=a, b, c and 2 more (/status lists them)'
    ],
    [{ kind: 'finding-raised', payload: {} }, null],
    [{ kind: 'constructor', payload: {} }, null]
  ])('%j', (event, line) => {
    expect(eventLine(event)).toBe(line)
  })
})
