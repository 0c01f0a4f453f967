import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { gridText, readActiveGrid, writeGrid } from '../../src/gate/bootstrap/index.ts'
import { loadCatalogue } from '../../src/gate/catalogue/index.ts'
import { verifyAttestations } from '../../src/gate/engine/attestations/verify.ts'
import { storePath } from '../../src/gate/engine/database.ts'
import { listAttestations } from '../../src/gate/runner/commands/arrows.ts'
import { type RunningGate, robustGrid, startGate, tickingClock } from '../support/engine.ts'
import { keptContent, keptRecords, runProgram } from '../support/gate-kill.ts'
import { temporaryFolder } from '../support/temporary.ts'

// The rows of PERS-540: a real process is killed there, and another one starts.

const arrow = 'analyst→architect/default'
const ref = `att-${arrow}-C11-v1`

type Expected = {
  /** `<pass>:<state>:<close reason>` */
  readonly passes?: readonly string[]
  /** Clauses the operator is asked about again; `!` marks an escalation. */
  readonly waiting?: readonly string[]
  /** Ids of the records that are loaded. */
  readonly loaded?: readonly string[]
  readonly inserted?: number
  readonly cut?: number
  readonly onlyInTree?: number
  /** Aborted and newly preserved passes that this start reports. */
  readonly settled?: readonly [number, number]
  readonly look?: (gate: RunningGate, projectDir: string) => void
}

const crash = ['p-1:aborted:crash']
const waits: Expected = { passes: ['p-1:open:'], waiting: ['C11'] }

const table: readonly (readonly [string, Expected])[] = [
  ['lock acquired, before the pass row', { look: ({ gates }) => expect(gates.locks.inspect().length).toBe(0) }],
  ['pass row', { passes: crash }],
  [
    'some run rows, none attested',
    {
      passes: crash,
      look: (_, dir) => expect(rows(dir, 'SELECT end_status AS s FROM evaluation_runs')).toEqual(['pass'])
    }
  ],
  ['attested run row, before the request event', waits],
  ['request shown, not answered', waits],
  ['tree line half written', { ...waits, cut: 1 }],
  // All bytes are there; whether they had reached the disk only a power cut could tell. Nothing was acknowledged.
  ['tree line written, before its fsync', { passes: crash, loaded: [ref], inserted: 1, onlyInTree: 1 }],
  ['tree line fsynced, before the table row', { passes: crash, loaded: [ref], inserted: 1, onlyInTree: 1 }],
  ['tree line fsynced, before the flat line', { passes: crash, loaded: [ref], onlyInTree: 1 }],
  ['flat line half written', { passes: crash, loaded: [ref], onlyInTree: 1 }],
  ['verdict of one of two requests', { passes: ['p-1:open:'], waiting: ['C12'], loaded: [ref] }],
  ['verdict of the only request', { passes: crash, loaded: [ref] }],
  [
    'third insufficient-basis recorded, escalation not answered',
    { passes: ['p-1:open:'], waiting: ['C11!'], loaded: [ref, `${ref}-r2`, `${ref}-r3`] }
  ],
  [
    'adversarial round, findings raised',
    { passes: crash, look: ({ gates }) => expect(gates.findings.get('adv-1')?.status).toBe('open') }
  ],
  [
    'amendment: affected passes aborted, before the grid file',
    {
      passes: ['p-1:aborted:invalidated:amendment amend-F1 drained: missing-cross-context-spec'],
      look({ engine, gates }) {
        expect(engine.amendments).toMatchObject([{ id: 'amend-F1', drainedAt: null }])
        expect(engine.report.events).toMatchObject([{ kind: 'recovery-amendments-pending', payload: { count: '1' } }])
        expect(gates.invalidations.inForce(arrow)?.source).toBe('amendment')
      }
    }
  ],
  [
    'on-the-spot: record written, before the grid file',
    {
      loaded: ['att-analyst→architect/later-v2'],
      look({ gates }) {
        expect(gates.grid.arrow('analyst→architect/later')).toBeNull()
        expect(listAttestations(gates, '')[1]).toMatch(/^ {2}att-analyst→architect\/later-v2 .* orphan$/)
        const { id, timestamp, ...first } = gates.attestations.latest('att-analyst→architect/later-v2')!
        // Whoever declares it now need not be who began (ATT-204).
        expect(gates.attestations.record({ ...first, opId: 'bob', ref: id })).toMatchObject({
          kind: 'recorded',
          record: { id: `${id}-r2` }
        })
        expect(timestamp).toBeLessThan(gates.attestations.latest(id)!.timestamp)
      }
    }
  ],
  ['during recovery, before COMMIT', { passes: ['p-1:open:', 'p-2:aborted:crash'], waiting: ['C11'], settled: [1, 1] }],
  ['after COMMIT, before resume', { ...waits, settled: [0, 0] }],
  [
    'during migration',
    { look: (_, dir) => expect(rows(dir, "SELECT name AS s FROM pragma_table_info('passes')")).toHaveLength(17) }
  ],
  ['tree rebuilt aside, before it is in its place', {}]
]

test.each(table)('killed after: %s', async (point, expected) => {
  const projectDir = temporaryFolder()
  const { lines, signal, err } = await runProgram('gate-crash', [projectDir, point])
  expect([signal, err]).toEqual(['SIGKILL', ''])

  const gate = startGate(projectDir, { clock: tickingClock(Date.UTC(2027, 0, 1)) })
  const { recovery, caughtUp } = gate.engine.report
  expect(rows(projectDir, "SELECT pass_id || ':' || state || ':' || close_reason AS s FROM passes")).toEqual(
    expected.passes ?? []
  )
  expect(
    recovery.preserved.flatMap(({ waiting }) =>
      waiting.map((each) => `${each.clauseId}${each.isEscalation ? '!' : ''}`)
    )
  ).toEqual(expected.waiting ?? [])
  expect(gate.gates.attestations.all().map(({ id }) => id)).toEqual(expected.loaded ?? [])
  expect([caughtUp.inserted, recovery.jsonlTruncated.length]).toEqual([expected.inserted ?? 0, expected.cut ?? 0])
  if (expected.settled !== undefined)
    expect([recovery.orphansAborted, recovery.orphansPreserved]).toEqual(expected.settled)
  const { onlyInTree } = verifyAttestations(projectDir, { table: null, residueMaxBytes: 100 }).divergence
  expect(onlyInTree).toBe(expected.onlyInTree ?? 0)
  expected.look?.(gate, projectDir)
  gate.engine.close()

  // What was told is in all three places, and another start changes nothing.
  const kept = keptRecords(projectDir)
  for (const id of lines) expect([kept.tree.has(id), kept.flat.has(id), kept.table.has(id)]).toEqual([true, true, true])
  const content = keptContent(projectDir)
  const again = startGate(projectDir, { clock: tickingClock(Date.UTC(2028, 0, 1)) })
  expect(again.engine.report.recovery).toMatchObject({
    orphansAborted: 0,
    orphansPreserved: 0,
    evaluationRunsFlipped: 0
  })
  again.engine.close()
  expect(keptContent(projectDir)).toBe(content)
})

test('killed after: amendment: grid file written, grid.current not, and then with it', async () => {
  const projectDir = temporaryFolder()
  const catalogue = loadCatalogue()
  await runProgram('gate-crash', [projectDir, 'amendment: affected passes aborted, before the grid file'])
  writeGrid(projectDir, robustGrid(), catalogue)
  const next = robustGrid({ version: 2, amendmentId: 'amend-F1' })
  writeFileSync(join(projectDir, '.ghyll/grid.v2.yaml'), gridText(next))
  expect(() => readActiveGrid(projectDir, catalogue)).toThrow('grid-inconsistent')

  writeFileSync(join(projectDir, '.ghyll/grid.current'), 'v2\n')
  const { grid } = readActiveGrid(projectDir, catalogue)
  const { engine } = startGate(projectDir, { grid })
  expect(grid.amendmentId).toBe('amend-F1')
  expect(engine.amendments).toMatchObject([{ id: 'amend-F1', drainedAt: null }])
  engine.close()
  expect(readFileSync(join(projectDir, '.ghyll/events.jsonl'), 'utf8')).toContain('recovery-amendments-pending')
})

function rows(projectDir: string, sql: string): readonly string[] {
  const db = new Database(storePath(projectDir), { readonly: true })
  const found = db.prepare<[], { s: string }>(sql).all()
  db.close()
  return found.map(({ s }) => s)
}
