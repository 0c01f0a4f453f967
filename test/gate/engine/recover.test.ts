import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { storePath } from '../../../src/gate/engine/database.ts'
import { invalidateArrow } from '../../../src/gate/runner/acts.ts'
import type { Clock } from '../../../src/lib/clock.ts'
import {
  answer,
  appendWaitingRun,
  openPass,
  openWaitingPass,
  type RunningGate,
  robustGrid,
  runMachineClause,
  startGate,
  tickingClock
} from '../../support/engine.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const arrow = 'analyst→architect/default'
const shop = 'analyst→architect/shop'
const ref = (clause: string, id = arrow) => `att-${id}-${clause}-v1`

/** A project whose process dies and starts anew; each start is later than all before it. */
function project() {
  const folder = temporaryFolder()
  let starts = 0
  const clock = () => tickingClock(Date.UTC(2026, 7, 21) + ++starts * 1_000_000)
  return {
    folder,
    start: (given?: Clock) => startGate(folder, { clock: given ?? clock() }),
    /** Every row of every table, as text. */
    content() {
      const db = new Database(storePath(folder), { readonly: true })
      const names = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").pluck().all()
      const rows = names.map((name) => [name, db.prepare(`SELECT * FROM ${name}`).safeIntegers().all()])
      db.close()
      return JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
    },
    rows(sql: string) {
      const db = new Database(storePath(folder), { readonly: true })
      const found = db.prepare(sql).all()
      db.close()
      return found as Record<string, string>[]
    },
    treeFiles: () =>
      readdirSync(join(folder, '.ghyll/attestations'), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.jsonl'))
        .map((name) => join(folder, '.ghyll/attestations', name))
  }
}

const told = ({ engine }: RunningGate) => {
  const { recovery } = engine.report
  return [
    recovery.orphansAborted,
    recovery.orphansPreserved,
    recovery.evaluationRunsFlipped,
    ...recovery.events.map(({ kind, pass_id, clause_id = '' }) => `${kind} ${pass_id} ${clause_id}`.trim())
  ]
}

const waiting = ({ engine }: RunningGate) =>
  engine.report.recovery.preserved.map(({ pass, waiting }) => [
    pass.id,
    ...waiting.map(({ clauseId, isEscalation }) => (isEscalation ? `${clauseId}!` : clauseId))
  ])

describe('what a process that died left open (PERS-520…523)', () => {
  it('nothing to a start without history, or after an orderly end', () => {
    const { start } = project()
    const first = start()
    expect(told(first)).toEqual([0, 0, 0])
    first.engine.close()
    first.engine.close()
    expect(told(start())).toEqual([0, 0, 0])
  })

  it('aborts a pass nobody waits for; its rows stay', () => {
    const { start, rows } = project()
    const { gates } = start()
    openPass(gates, arrow)
    runMachineClause(gates, openPass(gates, shop))
    const next = start()
    expect(told(next)).toEqual([2, 0, 0, 'recovery-pass-aborted-crash p-1', 'recovery-pass-aborted-crash p-2'])
    const [event] = next.engine.report.recovery.events
    const [row] = rows('SELECT * FROM passes')
    expect(event).toMatchObject({
      arrow_id: arrow,
      role: 'analyst',
      detail: `no live process at restart; closed_at=${row?.closed_at}`,
      payload: { closed_at: row?.closed_at }
    })
    expect(row).toMatchObject({ state: 'aborted', close_reason: 'crash', recovered_at: row?.closed_at })
    expect(rows('SELECT id FROM evaluation_runs')).toHaveLength(1)
    expect(next.gates.passes.size()).toBe(0)
  })

  it('preserves a pass that waits, whether its request was shown or not', () => {
    const { start, rows } = project()
    const { gates } = start()
    openWaitingPass(gates, arrow, ['C11', 'C12'])
    appendWaitingRun(gates, openPass(gates, shop), 'C11')
    const next = start()
    const republished = 'recovery-attestation-republished'
    expect(told(next)).toEqual([
      ...[0, 2, 0],
      ...[`${republished} p-1 C11`, `${republished} p-1 C12`, `${republished} p-2 C11`]
    ])
    expect(waiting(next)).toEqual([
      ['p-1', 'C11', 'C12'],
      ['p-2', 'C11']
    ])
    const [row] = rows('SELECT * FROM passes')
    expect(row?.state).toBe('open')
    expect(next.engine.report.recovery.events[0]?.detail).toBe(
      `att-ref=${ref('C11')} preserved at ${row?.recovered_at}`
    )
  })

  it('takes up a verdict that is in the tree alone: row inserted, run decided, pass kept for the other clause', () => {
    const { folder, start, rows } = project()
    const { gates } = start()
    const pass = openWaitingPass(gates, arrow)
    // The table never heard of it, as if killed between tree and table.
    answer(gates, pass, 'C11', 'pass')
    const db = new Database(storePath(folder))
    db.exec("DELETE FROM attestations; UPDATE evaluation_runs SET end_status = 'running' WHERE clause_id = 'C11'")
    db.close()
    const next = start()
    expect(told(next)).toEqual([
      ...[0, 1, 1],
      'recovery-attestation-republished p-1 C12',
      'recovery-attestation-replay p-1 C11'
    ])
    expect(next.engine.report.recovery.events[1]?.detail).toBe(`att-ref=${ref('C11')} verdict=pass mapped=pass`)
    expect(next.engine.report.caughtUp.inserted).toBe(1)
    expect(waiting(next)).toEqual([['p-1', 'C12']])
    expect(rows('SELECT end_status, recovery_source FROM evaluation_runs ORDER BY rowid')).toEqual([
      { end_status: 'pass', recovery_source: '' },
      { end_status: 'pass', recovery_source: 'recovery-attestation-replay' },
      { end_status: 'running', recovery_source: '' }
    ])
  })

  it('aborts a pass whose requests were all answered; the verdicts stay', () => {
    const { start, rows } = project()
    const { gates } = start()
    const pass = openWaitingPass(gates, arrow)
    answer(gates, pass, 'C11', 'pass')
    answer(gates, pass, 'C12', 'insufficient-basis')
    const next = start()
    expect(told(next)).toEqual([1, 0, 1, 'recovery-pass-aborted-crash p-1', 'recovery-attestation-replay p-1 C12'])
    expect(next.engine.report.recovery.events[1]?.payload).toMatchObject({ outcome: 'running' })
    expect(next.gates.attestations.size()).toBe(2)
    expect(rows('SELECT end_status FROM evaluation_runs')).toMatchObject([
      {},
      { end_status: 'pass' },
      { end_status: 'running' }
    ])
  })

  it('keeps a pass for an escalation that nobody answered, and drops it once somebody did', () => {
    const { start } = project()
    const { gates } = start()
    const pass = openWaitingPass(gates, arrow, ['C11'])
    for (let round = 0; round < 3; round++) answer(gates, pass, 'C11', 'insufficient-basis')
    const next = start()
    expect(told(next)).toEqual([
      ...[0, 1, 1],
      'recovery-attestation-republished p-1 C11',
      'recovery-attestation-replay p-1 C11'
    ])
    expect(waiting(next)).toEqual([['p-1', 'C11!']])
    expect(next.gates.tracker.count(arrow, 'C11')).toBe(3)
    const { preserved } = next.engine.report.recovery
    const resumed = next.gates.passes.resume({
      record: preserved[0]!.pass,
      arrow: robustGrid().arrows[0]!,
      clauses: [{ clauseId: 'C11', status: 'insufficient-basis', reason: null, note: '' }],
      requests: []
    })
    expect(answer(next.gates, 'pass' in resumed ? resumed.pass : pass, 'C11', 'pass', true).kind).toBe('recorded')
    const last = start()
    expect(told(last)).toEqual([1, 0, 0, 'recovery-pass-aborted-crash p-1'])
    expect(last.gates.tracker.isCrossed(arrow, 'C11')).toBe(false)
  })

  it('takes a verdict of another pass for no answer', () => {
    const { start } = project()
    const { gates } = start()
    const first = openWaitingPass(gates, arrow, ['C11'])
    answer(gates, first, 'C11', 'fail')
    gates.passes.close(first, 'blocked', null)
    openWaitingPass(gates, arrow, ['C11'])
    expect(waiting(start())).toEqual([['p-2', 'C11']])
  })

  it('never preserves a pass whose arrow was invalidated after it opened', () => {
    const { start, rows } = project()
    const { gates } = start()
    const invalidation = { arrowId: arrow, opId: 'bob', reason: 'r', source: 'operator', gridVersion: 1 } as const
    gates.invalidations.record(invalidation) // before it opened: no matter
    openWaitingPass(gates, arrow, ['C11'])
    expect(waiting(start())).toEqual([['p-1', 'C11']])
    const second = start()
    second.gates.invalidations.record(invalidation)
    const next = start()
    expect(told(next)).toEqual([1, 0, 0, 'recovery-pass-aborted-crash p-1'])
    expect(rows('SELECT close_reason, recovered_at < closed_at AS kept FROM passes')).toEqual([
      { close_reason: 'invalidated: found at restart', kept: 1 }
    ])
  })

  it('finds a definition that changed in the grid file, and voids what vouched for the old one (PERS-411)', () => {
    const { folder, start, rows } = project()
    const { gates } = start()
    gates.passes.close(openPass(gates, arrow), 'complete', null)
    openWaitingPass(gates, shop, ['C11'])
    const grid = robustGrid({ version: 2, createdByOpId: 'carol' })
    const changed = grid.arrows.map((each) => ({ ...each, clauses: each.clauses.slice(1) }))
    const next = startGate(folder, { grid: { ...grid, arrows: changed.slice(0, 1) } })
    const { reconciled, recovery } = next.engine.report
    expect(reconciled).toMatchObject({ inserted: [], superseded: [arrow], onlyInTable: [shop] })
    expect(next.engine.report.events[0]).toMatchObject({ kind: 'arrow-invalidated', arrow_id: arrow, op_id: 'carol' })
    expect(next.gates.invalidations.inForce(arrow)).toMatchObject({
      opId: 'carol',
      source: 'amendment',
      reason: 'definition changed in the grid file',
      gridVersion: 2
    })
    expect(recovery.preserved).toHaveLength(1)
    const again = startGate(folder, { grid: { ...grid, arrows: changed } })
    expect(again.engine.report.reconciled.superseded).toEqual([shop])
    expect(told(again)).toEqual([1, 0, 0, 'recovery-pass-aborted-crash p-2'])
    expect(rows('SELECT id, grid_version FROM grid_arrows')).toHaveLength(4)
    const third = startGate(folder, { grid: { ...grid, arrows: changed } })
    expect(third.engine.report.reconciled).toMatchObject({ inserted: [], superseded: [], invalidated: [] })
  })
})

describe('recovery again (PERS-530…532)', () => {
  it('changes no row and reports nothing; passes that still wait are handed out at every start', () => {
    const { start, content } = project()
    const { gates } = start()
    const pass = openWaitingPass(gates, arrow)
    answer(gates, pass, 'C11', 'insufficient-basis')
    openPass(gates, shop)
    start()
    const before = content()
    for (let n = 0; n < 3; n++) {
      const again = start()
      expect(told(again)).toEqual([0, 0, 0])
      expect(again.engine.report).toMatchObject({ caughtUp: { inserted: 0, overridden: [] } })
      expect(waiting(again)).toEqual([['p-1', 'C12']])
      expect(content()).toBe(before)
    }
  })

  it('works when the clock was set back: nothing is stamped before what happened earlier', () => {
    const { start, rows } = project()
    const { gates } = start()
    const first = openWaitingPass(gates, arrow, ['C11'])
    answer(gates, first, 'C11', 'fail')
    gates.passes.close(first, 'blocked', null)
    const past = start(tickingClock(Date.UTC(1999, 0, 1)))
    const second = openWaitingPass(past.gates, arrow, ['C11'])
    answer(past.gates, second, 'C11', 'pass')
    past.gates.invalidations.record({ arrowId: arrow, opId: 'b', reason: '', source: 'operator', gridVersion: 1 })
    const next = start(tickingClock(Date.UTC(1998, 0, 1)))
    expect(next.gates.attestations.latest(ref('C11'))?.verdict).toBe('pass')
    expect(told(next)).toEqual([1, 0, 0, 'recovery-pass-aborted-crash p-2'])
    const [one, two] = rows('SELECT opened_at, closed_at, close_reason FROM passes ORDER BY rowid')
    expect(two?.close_reason).toBe('invalidated: found at restart')
    expect([one?.opened_at, one?.closed_at, two?.opened_at, two?.closed_at].toSorted()).toEqual([
      one?.opened_at,
      one?.closed_at,
      two?.opened_at,
      two?.closed_at
    ])
  })
})

describe('what the start of a session finds (PERS-400)', () => {
  it('cuts a torn tail, tells where, and asks again', () => {
    const { start, treeFiles } = project()
    const { gates } = start()
    const pass = openWaitingPass(gates, arrow)
    answer(gates, pass, 'C11', 'pass')
    const [file = ''] = treeFiles()
    const whole = readFileSync(file, 'utf8')
    appendFileSync(file, whole.slice(0, -30).replaceAll('C11', 'C12'))
    const next = start()
    expect(next.engine.report.recovery.jsonlTruncated).toMatchObject([{ offset: Buffer.byteLength(whole) }])
    expect(next.engine.report.events.map(({ kind }) => kind)).toContain('recovery-jsonl-truncated')
    expect(readFileSync(file, 'utf8')).toBe(whole)
    expect(waiting(next)).toEqual([['p-1', 'C12']])
  })

  it('lets the files win over rows that say something else, and tells it (PERS-001)', () => {
    const { folder, start, rows } = project()
    const { gates, engine } = start()
    answer(gates, openWaitingPass(gates, arrow), 'C11', 'fail')
    engine.close()
    const db = new Database(storePath(folder))
    db.exec("UPDATE attestations SET verdict = 'pass', timestamp = timestamp + 1")
    db.close()
    const next = start()
    expect(next.engine.report.caughtUp.overridden).toEqual([ref('C11')])
    expect(next.engine.report.events[0]).toMatchObject({
      kind: 'attestation-audit-durability-failed',
      detail: `engine row overridden by JSONL: ${ref('C11')}`
    })
    expect(rows('SELECT verdict FROM attestations')).toEqual([{ verdict: 'fail' }])
  })

  it('refuses when the tree is gone and rows are there, and changes nothing', () => {
    const { folder, start, content } = project()
    const { gates, engine } = start()
    answer(gates, openWaitingPass(gates, arrow), 'C11', 'fail')
    engine.close()
    rmSync(join(folder, '.ghyll/attestations'), { recursive: true })
    const before = content()
    expect(() => start()).toThrow('attestation-audit-lost: tree .ghyll/attestations missing but engine has rows')
    expect(content()).toBe(before)
  })

  it('refuses to recover over rows it cannot read, and lists them', () => {
    const { folder, start } = project()
    const { gates, engine } = start()
    openPass(gates, arrow)
    engine.close()
    const db = new Database(storePath(folder))
    const insert = db.prepare(
      "INSERT INTO findings (id, arrow_id, type, severity, status, raised_at) VALUES (?, 'a', 'local-bug', 1, 'lost', 't')"
    )
    for (let n = 0; n < 60; n++) insert.run(`f-${n}`)
    db.close()
    expect(() => start()).toThrow(
      expect.objectContaining({
        code: 'recovery-refused',
        message: expect.stringMatching(
          /^recovery: ReplayCounts\.Errors non-empty; refuse to proceed\n {4}- findings f-0: status: "lost" not in [^\n]*\n(.*\n){49} {4}… and 10 more$/
        )
      })
    )
    const after = new Database(storePath(folder))
    expect(after.prepare('SELECT state FROM passes').all()).toEqual([{ state: 'open' }])
    after.close()
  })

  it('gives the kernel back what it had: same statuses, ids that go on, a log that goes on', () => {
    const { folder, start } = project()
    const { gates, engine } = start()
    const pass = openWaitingPass(gates, arrow)
    for (const clauseId of ['C11', 'C12']) answer(gates, pass, clauseId, 'pass')
    gates.passes.close(pass, 'complete', null)
    gates.findings.raise([
      {
        arrowId: shop,
        type: 'local-bug',
        severity: 'high',
        description: 'x',
        raisedByRole: 'operator',
        gridVersion: 1
      }
    ])
    invalidateArrow(gates, { arrowId: shop, opId: 'alice', reason: 'r', source: 'operator' })
    gates.depths.declare(arrow, { id: 'R1', minDepth: 2, description: 'deep' })
    gates.depths.observe({ arrowId: arrow, requirementId: 'R1', observed: 3, evidence: 'e' })
    const before = [gates.current(arrow), gates.current(shop), gates.findings.all(), gates.depths.requirements(arrow)]
    engine.close()
    const next = start()
    expect([
      next.gates.current(arrow),
      next.gates.current(shop),
      next.gates.findings.all(),
      next.gates.depths.requirements(arrow)
    ]).toEqual(before)
    expect(next.gates.history.openedBy(arrow, 'alice')).toBe('p-1')
    expect(openPass(next.gates, arrow).record.id).toBe('p-2')
    next.engine.close()
    const log = readFileSync(join(folder, '.ghyll/events.jsonl'), 'utf8').trimEnd().split('\n')
    const seqs = log.map((line) => (JSON.parse(line) as { seq: number }).seq)
    expect(seqs).toEqual(seqs.map((_, n) => n + 1))
    expect(log.some((line) => line.includes('"attestation-recorded"'))).toBe(true)
  })

  it('leaves the store alone when it is damaged', () => {
    const { folder, start } = project()
    start().engine.close()
    writeFileSync(storePath(folder), 'x'.repeat(5000))
    expect(() => start()).toThrow('engine: store unreadable')
  })
})
