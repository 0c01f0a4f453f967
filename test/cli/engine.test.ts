import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeEach, describe, expect, it } from 'vitest'
import { writeGrid } from '../../src/gate/bootstrap/index.ts'
import { loadCatalogue } from '../../src/gate/catalogue/index.ts'
import { baseline } from '../../src/gate/engine/schema.ts'
import { answer, appendWaitingRun, openPass, openWaitingPass, robustGrid, startGate } from '../support/engine.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { unprivileged } from '../support/unprivileged.ts'
import { cli } from './support.ts'

const arrow = 'analyst→architect/default'
const shop = 'analyst→architect/shop'

let dir: string
let db: string
beforeEach(() => {
  dir = realpathSync(temporaryFolder())
  db = join(dir, '.ghyll/engine.db')
})

const run = (...words: string[]) => cli(words, { cwd: dir })
const at = (path: string) => join(dir, '.ghyll', path)
const tree = () =>
  readdirSync(at('attestations'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))

/** A project with a grid, a session that recorded three verdicts and died with one pass open. */
function leaveBehind() {
  mkdirSync(at(''), { recursive: true })
  writeGrid(dir, robustGrid(), loadCatalogue())
  const { engine, gates } = startGate(dir, { grid: robustGrid() })
  const done = openWaitingPass(gates, arrow)
  for (const clauseId of ['C11', 'C12']) answer(gates, done, clauseId, 'pass')
  gates.passes.close(done, 'complete', null)
  gates.findings.raise([
    {
      id: 'F1',
      arrowId: arrow,
      type: 'open-sweep',
      severity: 'high',
      description: 'x',
      raisedByRole: 'operator',
      gridVersion: 1
    }
  ])
  gates.depths.declare(arrow, { id: 'R1', minDepth: 2, description: 'deep' })
  const waiting = openWaitingPass(gates, shop)
  answer(gates, waiting, 'C11', 'insufficient-basis')
  return { engine, gates }
}

describe('without a store (OPUI-600)', () => {
  it('says so and succeeds; nothing is made', async () => {
    const missing = `ghyll engine: no store at ${db}`
    expect(await run('engine', 'status')).toMatchObject({
      code: 0,
      out: `ghyll-engine-status: missing\n${missing} (project has not initialized v2 yet)\n`
    })
    expect(await run('engine', 'replay')).toMatchObject({ code: 0, out: `${missing} (nothing to replay)\n` })
    expect(await run('engine', 'recover')).toMatchObject({ code: 0, out: `${missing} (nothing to recover)\n` })
    expect(await run('engine', 'verify-attestations')).toMatchObject({
      code: 0,
      out: 'attestation-verify: 0/0 records OK\n'
    })
    for (const words of [
      ['engine', 'export-attestations'],
      ['attestations', 'rebuild', '--force']
    ])
      expect(await run(...words)).toMatchObject({
        code: 0,
        out: `${missing} (project has not initialized v2 yet)\n`
      })
    expect(await run('arrow', 'show', arrow)).toMatchObject({
      code: 1,
      err: expect.stringContaining('grid-current-absent')
    })
    expect(existsSync(at(''))).toBe(false)
  })

  it('calls a database without our tables empty', async () => {
    mkdirSync(at(''))
    const foreign = new Database(db)
    foreign.exec('CREATE TABLE something (x)')
    foreign.close()
    const empty = { code: 0, out: `ghyll-engine-status: empty\nengine: ${db}\n` }
    expect(await run('engine', 'status')).toMatchObject(empty)
    writeFileSync(db, '')
    expect(await run('engine', 'status')).toMatchObject(empty)
  })
})

describe('usage', () => {
  it.each([
    [['engine', 'status', '--bogus'], 'ghyll engine status: unknown option "--bogus"'],
    [['engine', 'status', 'extra'], 'ghyll engine status: unexpected argument "extra"'],
    [['engine', 'status', '--timeout', 'soon'], 'option "--timeout" needs a whole number from 1 to 86400, got "soon"'],
    [['arrow', 'show'], 'ghyll arrow show: missing argument <arrow-id>'],
    [['attestations', 'rebuild', '--json'], 'ghyll attestations rebuild: unknown option "--json"'],
    [['engine', 'status', '--dir', 'x'.repeat(4097)], 'option "--dir" is longer than 4096 bytes']
  ])('%j is wrong', async (words, message) => {
    const { code, err } = await run(...words)
    expect(code).toBe(2)
    expect(err).toContain(message)
  })

  it('takes a folder that is none for a failure', async () => {
    expect(await run('engine', 'status', '--dir', 'none')).toMatchObject({
      code: 1,
      err: 'ghyll: not a directory: none\n'
    })
  })

  it('refuses --commit and rebuild without --force', async () => {
    expect(await run('engine', 'recover', '--commit')).toMatchObject({
      code: 2,
      err: 'ghyll engine recover: --commit is not supported; start a session with `ghyll run` to apply recovery\n'
    })
    expect(await run('attestations', 'rebuild')).toMatchObject({ code: 2, out: '' })
  })
})

describe('engine status and replay (OPUI-610, OPUI-620)', () => {
  it('counts what is there, also while a session runs', async () => {
    leaveBehind()
    const block = `ghyll-engine-status: present
engine: ${db}
  arrows:           2
  findings:         1
  requirements:     1
  classifications:  0
  amendments:       0 pending, 0 drained
  evaluation runs:  6
  attestations:     3
`
    expect(await run('engine', 'status')).toMatchObject({ code: 0, out: block, err: '' })
    expect((await run('engine', 'status', '--verbose')).out).toBe(
      `${block}  passes:           1 open, 1 closed, 0 aborted
    p-2 role=analyst context=shop arrow=${shop}
  findings by status:
    open: 1
  attestations by kind:
    depth-type: 3
`
    )
    expect(await run('engine', 'replay')).toMatchObject({
      code: 0,
      out: `replay: ${db}
  attestations: 3
  grid_arrows: 2
  arrow_invalidations: 0
  requirements: 1
  classifications: 0
  findings: 1
  amendments: 0
  passes: 2
  per-row errors: 0
note: this is a replay-only count; session start additionally runs Recovery (use ghyll engine recover --dry-run to preview)
`
    })
  })

  it('lists rows that cannot be read, at most fifty, and the tree when it is lost', async () => {
    leaveBehind().engine.close()
    const store = new Database(db)
    const insert = store.prepare(
      "INSERT INTO findings (id, arrow_id, type, severity, status, raised_at) VALUES (?, 'a', 'x', 1, 'l\u001bost', 't')"
    )
    for (let n = 10; n < 70; n++) insert.run(`f-${n}`)
    store.close()
    rmSync(at('attestations'), { recursive: true })
    const { code, out } = await run('engine', 'replay')
    expect(code).toBe(1)
    const lines = out.split('\n')
    expect(lines).toContain('  per-row errors: 61')
    expect(lines).toContain(
      '    - attestations: attestation-audit-lost: tree .ghyll/attestations missing but engine has rows'
    )
    expect(lines).toContain(
      '    - findings f-10: status: "lost" not in {open, running, resolved, accepted-risk, unevaluated}'
    )
    expect(lines.filter((line) => line.startsWith('    - '))).toHaveLength(50)
    expect(lines).toContain('    … and 11 more')
  })

  it('reads a store of the baseline as if it had what was added since', async () => {
    mkdirSync(at(''))
    const old = new Database(db)
    old.exec(baseline)
    old.exec(`INSERT INTO engine_meta VALUES ('schema_version', '1');
      INSERT INTO passes (pass_id, role, context, arrow_id, state) VALUES ('p-1', 'analyst', 'c', 'a', 'open');
      INSERT INTO findings (id, arrow_id, type, severity, status, raised_at) VALUES ('f', 'a', 'x', 1, 'open', 't')`)
    old.close()
    expect((await run('engine', 'replay')).out).toContain(
      '  findings: 1\n  amendments: 0\n  passes: 1\n  per-row errors: 0'
    )
    expect((await run('engine', 'recover')).out).toContain('  orphans aborted:        1\n')
    const after = new Database(db)
    expect(after.pragma('table_info(passes)')).toHaveLength(10)
    after.close()
  })

  it('reads a store in a folder it may not write to (PERS-600)', async () => {
    leaveBehind().engine.close()
    const before = (await run('engine', 'status', '--verbose')).out
    for (const suffix of ['-wal', '-shm']) rmSync(db + suffix, { force: true })
    for (const path of [db, at('attestations'), dir]) chmodSync(path, 0o755)
    chmodSync(at(''), 0o555)
    const { code, out } = await unprivileged(() => run('engine', 'status', '--verbose'))
    chmodSync(at(''), 0o755)
    expect({ code, out }).toEqual({ code: 0, out: before })
  })

  it.each(['status', 'replay', 'recover'])('%s refuses a store of the future and a damaged one', async (command) => {
    leaveBehind().engine.close()
    const store = new Database(db)
    store.exec("UPDATE engine_meta SET value = '7'")
    store.close()
    expect(await run('engine', command)).toMatchObject({
      code: 1,
      err: 'ghyll: engine: schema version mismatch: db schema_version=7 > binary schema_version=1 (upgrade ghyll)\n'
    })
    writeFileSync(db, 'no database at all, but long enough'.repeat(50))
    for (const suffix of ['-wal', '-shm']) rmSync(db + suffix, { force: true })
    expect(await run('engine', command)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^ghyll: engine: store unreadable: .*\nghyll: .*move .* aside/)
    })
  })
})

describe('for programs (OPUI-802)', () => {
  const json = async (...words: string[]) => JSON.parse((await run(...words, '--json')).out)

  it('names everything after the labels of the text, in snake case, with the schema it follows', async () => {
    leaveBehind().engine.close()
    expect(await json('engine', 'status')).toEqual({
      schema: 1,
      ghyll_engine_status: 'present',
      engine: db,
      arrows: 2,
      findings: 1,
      requirements: 1,
      classifications: 0,
      amendments: { pending: 0, drained: 0 },
      evaluation_runs: 6,
      attestations: 3,
      passes: { open: 1, closed: 1, aborted: 0 },
      open_passes: [{ id: 'p-2', role: 'analyst', context: 'shop', arrow: shop }],
      findings_by_status: { open: 1 },
      attestations_by_kind: { 'depth-type': 3 }
    })
    expect(await json('engine', 'replay')).toMatchObject({
      schema: 1,
      replay: db,
      grid_arrows: 2,
      per_row_errors: 0,
      errors: []
    })
    expect(await json('engine', 'recover')).toMatchObject({
      schema: 1,
      recover: db,
      dry_run: true,
      orphans_aborted: 0,
      orphans_preserved: 1,
      evaluation_runs_flipped: 1,
      events: [{ kind: 'recovery-attestation-republished', pass_id: 'p-2' }, { kind: 'recovery-attestation-replay' }],
      torn_tail: []
    })
    expect(await json('engine', 'verify-attestations')).toEqual({
      schema: 1,
      records: 3,
      ok: 3,
      failed: 0,
      issues: [],
      attestation_aggregate_divergence: { only_in_flat: 0, only_in_tree: 0, divergent: 0 },
      warnings: []
    })
    expect(await json('arrow', 'show', arrow)).toMatchObject({
      schema: 1,
      arrow,
      source_role: 'analyst',
      status: 'blocked',
      clauses: [
        { id: 'C11', concept: null, min_tier: 0, last: 'pass' },
        { id: 'C12', depth: 'depth-robust' },
        { id: 'C1', concept: 'no-todo-marker' }
      ],
      findings: [{ id: 'F1', severity: 'high' }],
      attestations: [
        { id: `att-${arrow}-C11-v1`, clause: 'C11', op: 'alice', own_pass: true, pass: 'p-1' },
        { timestamp: expect.stringMatching(/^\d{19}$/) }
      ],
      passes: [{ id: 'p-1', close_reason: 'ok' }],
      invalidated_by_amendments: 0
    })
  })

  it('says that there is no store', async () => {
    expect(await json('engine', 'status')).toEqual({ schema: 1, ghyll_engine_status: 'missing', engine: db })
    expect(await json('engine', 'replay')).toEqual({ schema: 1, replay: db, store: 'missing' })
    expect(await json('engine', 'recover')).toEqual({ schema: 1, recover: db, store: 'missing' })
  })
})

describe('engine recover (OPUI-630, PERS-603)', () => {
  it('previews and changes nothing', async () => {
    const { gates } = leaveBehind()
    appendWaitingRun(gates, openPass(gates, arrow), 'C12')
    const content = () => {
      const store = new Database(db, { readonly: true })
      const names = store.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all()
      const rows = names.map((name) => store.prepare(`SELECT * FROM ${name}`).raw().safeIntegers().all())
      store.close()
      return rows
    }
    const before = content()
    appendFileSync(at(`attestations/${tree()[0]}`), '{"attestation_id":"to')
    const { code, out } = await run('engine', 'recover', '--dry-run')
    const stamp = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z`
    expect(code).toBe(0)
    expect(out.split('\n').map((line) => line.replace(new RegExp(stamp), '…'))).toEqual([
      `recover (dry-run): ${db}`,
      '  orphans aborted:        0',
      '  orphans preserved:      2 (attestation-pending)',
      '  evaluation_runs flipped: 1 (from JSONL verdicts)',
      '  events:',
      `    - recovery-attestation-republished pass=p-2 arrow=${shop} clause=C12 att-ref=att-${shop}-C12-v1 preserved at …`,
      `    - recovery-attestation-republished pass=p-3 arrow=${arrow} clause=C12 att-ref=att-${arrow}-C12-v1 preserved at …`,
      `    - recovery-attestation-replay pass=p-2 arrow=${shop} clause=C11 att-ref=att-${shop}-C11-v1 verdict=insufficient-basis mapped=running`,
      expect.stringMatching(/^ {2}torn tail: \.ghyll\/attestations\/v1\/.*\/p-1\.jsonl would be cut at \d+$/),
      '',
      'note: --dry-run; no changes persisted. Start a session',
      '      with `ghyll run` to apply recovery for real.',
      ''
    ])
    expect(content()).toEqual(before)
    expect((await run('engine', 'recover')).out.replaceAll(new RegExp(stamp, 'g'), '')).toBe(
      out.replaceAll(new RegExp(stamp, 'g'), '')
    )
  })

  it('says so when there is nothing', async () => {
    mkdirSync(at(''))
    startGate(dir).engine.close()
    expect((await run('engine', 'recover')).out).toBe(`recover (dry-run): ${db}
  orphans aborted:        0
  orphans preserved:      0 (attestation-pending)
  evaluation_runs flipped: 0 (from JSONL verdicts)
  events: none

note: --dry-run; no changes persisted. Start a session
      with \`ghyll run\` to apply recovery for real.
`)
  })

  it('refuses while a session holds the lock, and so do the commands that write', async () => {
    leaveBehind()
    writeFileSync(join(dir, '.ghyll.lock'), `${process.ppid}\n${new Date().toISOString()}\n`)
    expect(await run('engine', 'recover')).toMatchObject({
      code: 1,
      err: `ghyll engine recover: a session is active (pid ${process.ppid}); its open passes are not orphans\n`
    })
    for (const words of [
      ['engine', 'export-attestations', '--force'],
      ['attestations', 'rebuild', '--force'],
      ['init', 'attest', '--op-id', 'alice']
    ])
      expect(await run(...words)).toMatchObject({
        code: 1,
        err: expect.stringContaining(`another ghyll session is active (pid ${process.ppid})`)
      })
  })
})

describe('arrow show (OPUI-650)', () => {
  const block = `arrow: ${arrow}
  source-role:  analyst
  target-role:  architect
  stratum:      L0
  context:      default
  clauses:      3
    [0] attested (id=C11, depth=depth-robust, min-tier=0)
    [1] attested (id=C12, depth=depth-robust, min-tier=0)
    [2] no-todo-marker (id=C1, depth=depth-robust, min-tier=0)
  requirements: 0
  findings:     1
    F1  type=open-sweep severity=high status=open
  attestations: 2
    att-${arrow}-C11-v1  kind=depth-type  clause=C11  verdict=pass  op=alice  own-pass
    att-${arrow}-C12-v1  kind=depth-type  clause=C12  verdict=pass  op=alice  own-pass
`

  it('shows the whole of an arrow, in either spelling', async () => {
    leaveBehind()
    expect(await run('arrow', 'show', arrow)).toMatchObject({ code: 0, out: block, err: '' })
    expect((await run('arrow', 'show', 'analyst->architect/default')).out).toBe(block)
  })

  it('fails with what is wrong when a row cannot be read (PERS-413)', async () => {
    leaveBehind().engine.close()
    const store = new Database(db)
    store.pragma('ignore_check_constraints = 1')
    store.exec("UPDATE passes SET state = 'gone' WHERE pass_id = 'p-1'")
    store.close()
    expect(await run('arrow', 'show', arrow)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/^ghyll: engine: a row cannot be read: state: "gone" not in .*\n.*ghyll engine replay/)
    })
  })

  it('derives the status and names passes and outcomes with --verbose', async () => {
    leaveBehind()
    const { out } = await run('arrow', 'show', arrow, '--verbose')
    expect(out).toContain('  status:       blocked\n')
    expect(out).toContain('    [0] attested (id=C11, depth=depth-robust, min-tier=0)\n        last: pass\n')
    expect(out).toMatch(/\n {2}passes: {7}1\n {4}p-1 {2}closed:ok closed=\S+Z opened=\S+Z\n/)
    expect((await run('arrow', 'show', shop, '--verbose')).out).toContain('  status:       unevaluated (not started)\n')
  })

  it('reads the grid file without a store, and the table without a grid', async () => {
    mkdirSync(at(''))
    writeGrid(dir, robustGrid(), loadCatalogue())
    expect((await run('arrow', 'show', arrow)).out).toContain('  attestations: 0\n')
    startGate(dir).engine.close()
    rmSync(at('grid.current'))
    expect((await run('arrow', 'show', arrow)).out).toContain('  clauses:      3\n')
    expect(await run('arrow', 'show', 'analyst→architect/none')).toMatchObject({
      code: 1,
      out: '',
      err: 'ghyll: arrow "analyst→architect/none" not in grid (grid version=1, 2 total arrows)\n'
    })
  })
})

describe('init attest (OPUI-660, ATT-700…702)', () => {
  it('records one verdict per arrow in all three places, once', async () => {
    mkdirSync(at(''))
    writeGrid(dir, robustGrid(), loadCatalogue())
    expect(await run('init', 'attest', '--op-id', 'alice')).toMatchObject({
      code: 0,
      err: '',
      out: 'ghyll init attest: 2 init attestations recorded for op-id=alice (grid v1, 2 arrows)\n'
    })
    expect(tree().toSorted()).toEqual(
      ['default', 'shop'].map(
        (context) => `v1/init/stratum-init/init__architect/init-analyst___architect_${context}.jsonl`
      )
    )
    expect((await run('engine', 'status')).out).toContain('  attestations:     2\n')
    const flat = readFileSync(at('attestations.jsonl'), 'utf8')
    expect((await run('init', 'attest', '--op-id', 'bob')).out).toBe(
      'ghyll init attest: 0 init attestations recorded for op-id=bob (grid v1, 2 arrows)\n  2 skipped (already recorded)\n'
    )
    expect(readFileSync(at('attestations.jsonl'), 'utf8')).toBe(flat)
    expect(await run('engine', 'verify-attestations')).toMatchObject({
      code: 0,
      out: 'attestation-verify: 2/2 records OK\n'
    })
    expect((await run('arrow', 'show', arrow)).out).toContain(
      `    att-${arrow}-v1  kind=on-the-spot  verdict=pass  op=alice\n`
    )
  })
})

describe('export and rebuild (ATT-503)', () => {
  it('writes the flat file from the tree, and refuses to replace one unless told to', async () => {
    leaveBehind().engine.close()
    const before = readFileSync(at('attestations.jsonl'), 'utf8')
    expect(await run('engine', 'export-attestations')).toMatchObject({
      code: 1,
      err: expect.stringContaining('attestation-target-exists')
    })
    writeFileSync(at('attestations.jsonl'), `${before.split('\n')[0]}\n`)
    expect(await run('engine', 'verify-attestations')).toMatchObject({
      code: 1,
      out: `attestation-verify: 3/3 records OK, 0 failed
attestation-aggregate-divergence: only-in-flat=0 only-in-tree=2 divergent=0
`,
      err: 'attestation-verify: 0 failed record(s)\n'
    })
    expect(await run('engine', 'export-attestations', '--force')).toMatchObject({
      code: 0,
      out: 'exported 3 attestations to .ghyll/attestations.jsonl (source: tree)\n'
    })
    expect(readFileSync(at('attestations.jsonl'), 'utf8')).toBe(before)
    expect(readFileSync(at('events.jsonl'), 'utf8')).toContain('"command":"engine export-attestations"')
  })

  it('brings back a tree that was lost, and keeps one that is replaced', async () => {
    leaveBehind().engine.close()
    const whole = tree().map((name) => [name, readFileSync(at(`attestations/${name}`), 'utf8')])
    rmSync(at('attestations'), { recursive: true })
    rmSync(at('attestations.jsonl'))
    expect((await run('engine', 'export-attestations')).out).toContain('(source: table)')
    expect(await run('attestations', 'rebuild', '--force')).toMatchObject({
      code: 0,
      out: 'rebuilt 3 attestations in 2 files under .ghyll/attestations\n'
    })
    expect(tree().map((name) => [name, readFileSync(at(`attestations/${name}`), 'utf8')])).toEqual(whole)
    expect((await run('engine', 'verify-attestations')).out).toBe('attestation-verify: 3/3 records OK\n')
    expect(startGate(dir).engine.report.caughtUp).toEqual({ inserted: 0, overridden: [], onlyInTable: [] })
    const again = await run('attestations', 'rebuild', '--force')
    const kept = /kept as (\S+)\n/.exec(again.err)?.[1] ?? ''
    expect(readdirSync(join(dir, kept), { recursive: true })).toContain(whole[0]?.[0])
  })

  it('does not replace a tree by nothing', async () => {
    mkdirSync(at('attestations'), { recursive: true })
    startGate(dir).engine.close()
    expect(await run('attestations', 'rebuild', '--force')).toMatchObject({ code: 1 })
  })
})
