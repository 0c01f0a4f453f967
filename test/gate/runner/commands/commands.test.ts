import { describe, expect, it } from 'vitest'
import {
  abortPassCommand,
  invalidateCommand,
  listArrows,
  listAttestations,
  listFindings,
  listPasses,
  readRunArrow
} from '../../../../src/gate/runner/commands/arrows.ts'
import { attestCommand } from '../../../../src/gate/runner/commands/attest.ts'
import { dispatch } from '../../../../src/gate/runner/dispatch/dispatch.ts'
import { attestationOf } from '../../../support/attestation.ts'
import { arrowOf, attestedOf, clauseOf, gridOf, quiet, worldOf } from '../../../support/gates.ts'

const arrow = arrowOf('analyst', 'architect', [attestedOf('C1'), attestedOf('C2')])
const other = arrowOf('init', 'analyst', [clauseOf('C1')])
const ref = `att-${arrow.id}-C1-v1`
const nobody = () => null

async function parked() {
  const world = worldOf(gridOf([other, arrow]))
  await dispatch(world.gates, { arrowId: arrow.id, opId: 'alice', signal: quiet() })
  const attest = (args: string, opId = 'alice') => attestCommand(world.gates, args, opId).lines
  return { world, gates: world.gates, attest }
}

describe('/attest, its checks in order (OPUI-210)', () => {
  it.each([
    ['', `${ref} pass`, '✗ /op-id required before /attest'],
    ['alice', ref, 'usage: /attest <attestation-id> <pass|fail|insufficient-basis> [reason]'],
    ['alice', 'C1 pass', `✗ invalid attestation-id "C1": missing 'att-' prefix`],
    ['alice', 'att-nowhere-C1-v1 maybe', '✗ arrow "nowhere" not in grid'],
    ['alice', `${ref} maybe`, '✗ verdict "maybe" not in {pass, fail, insufficient-basis}'],
    [
      'alice',
      `att-${other.id}-C1-v1 pass`,
      `✗ /attest: no live pass owns "att-${other.id}-C1-v1": run the arrow first (use the modal flow during a session)`
    ],
    [
      'alice',
      `att-${arrow.id}-v1 pass`,
      `✗ /attest: no live pass owns "att-${arrow.id}-v1": run the arrow first (use the modal flow during a session)`
    ],
    ['alice', `${ref} fail`, '✗ Record: verdict-inspected-empty: inspected'],
    ['alice', `${ref} ib`, '✗ Record: verdict-unit-missing-field: residue'],
    ['a/b', `${ref} pass`, '✗ Record: op-id-invalid-characters: path-separator at offset 1 ("/")'],
    ['alice', `${ref} OK fine by me`, `✓ attestation ${ref} recorded: verdict=pass by op-id=alice`],
    ['alice', `att-analyst->architect/shop-C1-v1-r2 p`, `✓ attestation ${ref} recorded: verdict=pass by op-id=alice`]
  ])('as %j: %s', async (opId, args, line) => {
    const { attest } = await parked()
    expect(attest(args, opId)).toEqual([line])
  })

  it('says so when it was said already, and what to do with an escalation', async () => {
    const { attest } = await parked()
    attest(`${ref} pass`)
    expect(attest(`${ref} pass`)).toEqual([`ℹ attestation ${ref} already recorded: verdict=pass by op-id=alice`])
    const second = `att-${arrow.id}-C2-v1`
    for (let n = 0; n < 3; n += 1) attest(`${second} ib thin`)
    expect(attest(`${second} ib thin`)).toEqual([
      `✗ /attest: escalation open for "${second}": answer it with 1 or 2 (F4)`
    ])
  })

  it('takes everything behind the verdict as the reason, quotes and controls removed, 4 KiB at most (OPUI-211)', async () => {
    const { attest, world } = await parked()
    attest(`${ref} fail "src/a.ts:1, src/b.ts:2-9"`)
    expect(world.written[0]).toMatchObject({
      reason: 'src/a.ts:1, src/b.ts:2-9',
      unitPayloadJson: '{"inspected":["src/a.ts:1","src/b.ts:2-9"]}'
    })
    attest(`att-${arrow.id}-C2-v1 ib ${'é'.repeat(3000)}\u001b[2J`)
    expect(new TextEncoder().encode(world.written[1]?.reason).length).toBeLessThanOrEqual(4096)
    expect(world.written[1]?.reason).toMatch(/^é+$/)
  })
})

describe('/run-arrow arguments (OPUI-320)', () => {
  const usage = 'usage: /run-arrow <arrow-id> [--context <ctx>] [--define]'
  const wrong = (why: string) => ({
    wrong: { lines: [`✗ /run-arrow: ${why}`, usage], refusal: `/run-arrow: ${why}` }
  })

  it.each([
    ['analyst->architect/shop', { arrowId: 'analyst→architect/shop', context: undefined, define: false }],
    [' a --context pay  --define ', { arrowId: 'a', context: 'pay', define: true }],
    ['', wrong('no arrow given')],
    ['a --force', wrong('unknown flag "--force"')],
    ['a --context', wrong('--context needs a value')],
    ['a b', wrong('unexpected argument "b"')]
  ])('%j', (args, read) => {
    expect(readRunArrow(worldOf(gridOf([other, arrow])).gates, args)).toEqual(read)
  })

  it('takes roles without their context for the one arrow between them, but not for one to be defined', () => {
    const { gates } = worldOf(gridOf([other, arrow]))
    expect(readRunArrow(gates, 'analyst->architect')).toMatchObject({ arrowId: arrow.id })
    expect(readRunArrow(gates, 'analyst->architect --define')).toMatchObject({ arrowId: 'analyst→architect' })
    expect(readRunArrow(gates, 'analyst->integrator')).toMatchObject({ arrowId: 'analyst→integrator' })
    const twice = worldOf(gridOf([arrow, arrowOf('analyst', 'architect', [clauseOf('C1')], { context: 'pay' })])).gates
    expect(readRunArrow(twice, 'analyst->architect')).toMatchObject({ arrowId: 'analyst→architect' })
  })
})

describe('lists', () => {
  it('/list-arrows, whole and filtered by id, context or status (OPUI-310, OPUI-311)', async () => {
    const { gates } = await parked()
    expect(listArrows(gates, '')).toHaveLength(3)
    expect(listArrows(gates, 'init->')).toEqual([
      'grid arrows (1, version=1):',
      '  init→analyst/shop            init → analyst         stratum=L0 context=shop clauses=1'
    ])
    expect(listArrows(gates, 'valid')[0]).toBe('grid arrows (1, version=1):')
    expect(listArrows(worldOf(null).gates, '')).toEqual(['no grid; run `ghyll init` first'])
  })

  it('/attestations, oldest first, with what the opener said marked (OPUI-220, ATT-343)', async () => {
    const { gates, attest } = await parked()
    expect(listAttestations(gates, '')).toEqual(['no attestations recorded'])
    attest(`${ref} pass`, 'bob')
    attest(`att-${arrow.id}-C2-v1 ib thin`)
    expect(listAttestations(gates, arrow.id)).toEqual([
      'attestations (2):',
      `  ${ref}  arrow=${arrow.id} clause=C1 verdict=pass op=bob`,
      `  att-${arrow.id}-C2-v1  arrow=${arrow.id} clause=C2 verdict=insufficient-basis op=alice own-pass`
    ])
    expect(listAttestations(gates, other.id)).toEqual(['no attestations recorded'])
  })

  it('/attestations marks a record whose arrow is not declared, as one that was written before its grid is not (ATT-304, PERS-540)', () => {
    const gone = 'analyst→architect/gone'
    const { gates } = worldOf(gridOf([arrow]), {
      before: ({ attestations }) =>
        attestations.load([
          attestationOf({ id: `att-${gone}-v2`, kind: 'on-the-spot', arrowId: gone, clauseId: '', opId: 'bob' }),
          attestationOf({ id: ref, arrowId: arrow.id, clauseId: 'C1', opId: 'bob', timestamp: 1n })
        ])
    })
    expect(listAttestations(gates, '').slice(1)).toEqual([
      `  ${ref}  arrow=${arrow.id} clause=C1 verdict=pass op=bob`,
      `  att-${gone}-v2  arrow=${gone} clause=<arrow-scope> verdict=pass op=bob orphan`
    ])
  })

  it('/passes, and one of them (OPUI-230, OPUI-231)', async () => {
    const { gates } = await parked()
    expect(listPasses(gates, '', nobody)).toEqual([
      'open passes (1):',
      `  p-2  role=analyst context=shop arrow=${arrow.id} state=open waiting=2`
    ])
    expect(listPasses(gates, 'p-2', nobody)).toEqual([
      'pass: p-2',
      'role: analyst',
      'context: shop',
      `arrow_id: ${arrow.id}`,
      'grid_version: 1',
      'state: open',
      expect.stringMatching(/^opened_at: 2026-/),
      'closed_at:',
      'close_reason:',
      'recovered_at:',
      '  C1 awaiting-attestation',
      '  C2 awaiting-attestation'
    ])
    const ended = gates.history.effective(other.id)
    expect(listPasses(gates, 'p-1', () => ended)).toContain('close_reason: ok')
    expect(listPasses(gates, 'p-9', nobody)).toEqual(['not-found: no pass with id "p-9"'])
    abortPassCommand(gates, 'p-2')
    expect(listPasses(gates, '', nobody)).toEqual(['no open passes'])
  })

  it('/findings, those of earlier versions apart (OPUI-380, RUN-512)', async () => {
    const { gates } = await parked()
    expect(listFindings(gates, '')).toEqual(['no findings'])
    const finding = { arrowId: arrow.id, type: 'open-sweep', severity: 'low', raisedByRole: 'operator' } as const
    gates.findings.raise([
      { ...finding, id: 'F1', description: 'old\u001b[1m', gridVersion: 0 },
      { ...finding, id: 'F2', description: 'new', gridVersion: 1 }
    ])
    expect(listFindings(gates, '')).toEqual([
      'findings (1):',
      `  F2  low open open-sweep arrow=${arrow.id}: new`,
      'from earlier grid versions (1):',
      `  F1  low open open-sweep arrow=${arrow.id}: old`
    ])
  })
})

describe('/invalidate-arrow and /abort-pass (OPUI-340, OPUI-370)', () => {
  it.each([
    ['', arrow.id, ['✗ /invalidate-arrow refuses: no op-id set; use /op-id <identity> first']],
    ['alice', '', ['✗ /invalidate-arrow: no arrow given', 'usage: /invalidate-arrow <arrow-id> [--reason <text>]']],
    [
      'alice',
      'a b',
      ['✗ /invalidate-arrow: malformed arguments', 'usage: /invalidate-arrow <arrow-id> [--reason <text>]']
    ],
    ['alice', 'nowhere', ['✗ arrow "nowhere" not in grid (try /list-arrows)']],
    [
      'alice',
      'analyst->architect/shop --reason we changed our mind',
      [
        `✓ arrow ${arrow.id} invalidated; persisted to .ghyll/engine.db arrow_invalidations (reason=we changed our mind op-id=alice)`,
        '  · pass p-2 aborted: invalidated'
      ]
    ]
  ])('as %j: %j', async (opId, args, lines) => {
    const { gates } = await parked()
    const refusal = lines[0]?.startsWith('✗') ? lines[0].slice(2) : null
    expect(invalidateCommand(gates, args, opId)).toEqual({ lines, refusal })
  })

  it('leaves open passes as they are after a gate file has changed: a voided arrow ends its pass at the next start (RUN-214)', async () => {
    const { gates, world } = await parked()
    world.changedFile = { path: '.ghyll/grid.current', reason: 'differs' }
    expect(abortPassCommand(gates, 'p-2').lines).toEqual(['✗ /abort-pass: gate-file-changed: .ghyll/grid.current'])
    expect(invalidateCommand(gates, arrow.id, 'alice').lines).toHaveLength(1)
    expect(gates.current(arrow.id)?.status).toBe('invalidated')
    expect(gates.passes.get('p-2')?.record.state).toBe('open')
    expect(world.kinds().slice(-2)).toEqual(['gate-file-changed', 'arrow-invalidated'])
  })

  it('notices a changed gate file by itself, before it would end a pass (RUN-214)', async () => {
    const { gates, world } = await parked()
    world.changedFile = { path: '.ghyll/grid.current', reason: 'differs' }
    expect(invalidateCommand(gates, arrow.id, 'alice').lines).toHaveLength(1)
    expect(gates.passes.get('p-2')?.record.state).toBe('open')
    expect(world.kinds().slice(-2)).toEqual(['arrow-invalidated', 'gate-file-changed'])
  })

  it('aborts what is open and says how much it took along', async () => {
    const { gates } = await parked()
    expect(abortPassCommand(gates, '')).toEqual({
      lines: ['✗ /abort-pass: no pass given', 'usage: /abort-pass <pass-id>'],
      refusal: '/abort-pass: no pass given'
    })
    expect(abortPassCommand(gates, 'p-2')).toEqual({
      lines: ['✓ pass p-2 aborted: operator-interrupt (2 verdict request(s) cancelled)'],
      refusal: null
    })
    expect(abortPassCommand(gates, 'p-2')).toEqual({
      lines: ['✗ no open pass "p-2"'],
      refusal: 'no open pass "p-2"'
    })
  })
})
