import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { storePath } from '../../../src/gate/engine/database.ts'
import { noVerdictLines, startLines } from '../../../src/gate/engine/index.ts'
import { answer, openWaitingPass, type RunningGate, robustGrid, startGate, tickingClock } from '../../support/engine.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const arrow = 'analyst→architect/default'
const shop = 'analyst→architect/shop'

/** A project one session has answered two clauses in; each further start is later than all before it. */
function answered() {
  const folder = temporaryFolder()
  let starts = 0
  const start = (grid = robustGrid()) =>
    startGate(folder, { grid, clock: tickingClock(Date.UTC(2026, 7, 21) + ++starts * 1_000_000) })
  const first = start()
  const pass = openWaitingPass(first.gates, arrow)
  for (const clauseId of ['C11', 'C12']) answer(first.gates, pass, clauseId, 'fail')
  first.gates.passes.close(pass, 'blocked', null)
  first.engine.close()
  const root = join(folder, '.ghyll/attestations')
  const [file = ''] = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))
  return { folder, start, tree: join(root, file), treeName: `.ghyll/attestations/${file}` }
}

const told = ({ engine }: RunningGate) => startLines(engine.report)

describe('what a start tells', () => {
  it('is nothing when there is nothing (PERS-403)', () => {
    expect(told(answered().start())).toEqual([])
  })

  it('is a torn tail and where it was cut (ATT-501)', () => {
    const { start, tree, treeName } = answered()
    const { length } = readFileSync(tree)
    appendFileSync(tree, '{"attestation_id":"att-')
    expect(told(start())).toEqual([
      'recovery:',
      '  orphans aborted:        0',
      '  orphans preserved:      0 (attestation-pending)',
      '  evaluation_runs flipped: 0 (from JSONL verdicts)',
      '  events:',
      `    - recovery-jsonl-truncated pass= arrow= clause= ${treeName} truncated at ${length}`
    ])
  })

  it('is a verdict whose line was rewritten: the broken chain and the row it overrides (ATT-460, ATT-502)', () => {
    const { start, tree, treeName } = answered()
    writeFileSync(tree, readFileSync(tree, 'utf8').replace('"verdict":"fail"', '"verdict":"pass"'))
    expect(told(start())).toEqual([
      `⚠ ${treeName} line 2: chain broken: prev_sha256 does not match line 1; see \`ghyll engine verify-attestations\``,
      `⚠ attestation att-${arrow}-C11-v1: the file says something else than the table; the file counts`
    ])
  })

  it('is a tree that nothing can be written to: no verdict in this session (ATT-451)', () => {
    expect(noVerdictLines(answered().start().engine.treeProblem())).toEqual([])
    expect(noVerdictLines('.ghyll/attestations is no folder of its own')).toEqual([
      '⚠ attestation-audit-write-failed: .ghyll/attestations is no folder of its own; this session records no verdict'
    ])
  })

  it('is a verdict whose line is gone (PERS-001)', () => {
    const { start, tree } = answered()
    const lines = readFileSync(tree, 'utf8').split('\n')
    writeFileSync(tree, `${lines[0]}\n`)
    expect(told(start())).toEqual([
      `⚠ attestation att-${arrow}-C12-v1 is in the table but in no file; it does not count`
    ])
  })

  it('is an arrow whose definition the grid file changed, and one it has no more (PERS-411)', () => {
    const { start } = answered()
    const grid = robustGrid()
    const [changed] = grid.arrows
    if (changed === undefined) throw new Error('no arrow')
    const clauses = changed.clauses.filter(({ id }) => id !== 'C12')
    expect(told(start({ ...grid, arrows: [{ ...changed, clauses }] }))).toEqual([
      `⚠ arrow ${arrow} invalidated: definition changed in the grid file`,
      `ℹ arrow ${shop} is in no grid file any more; kept as history`
    ])
  })
})

describe('a store that is gone while the verdicts are there (RUN-301)', () => {
  it('gives no pass an id a verdict speaks of, so that an old answer never meets a new question', () => {
    const { folder, start } = answered()
    for (const suffix of ['', '-wal', '-shm']) rmSync(storePath(folder) + suffix, { force: true })
    const first = start()
    expect(told(first)).toEqual(['ℹ 2 attestation(s) taken over from the files; the table did not have them'])
    const pass = openWaitingPass(first.gates, arrow)
    expect(pass.record.id).toBe('p-2')
    expect(answer(first.gates, pass, 'C11', 'pass')).toMatchObject({
      kind: 'recorded',
      record: { id: `att-${arrow}-C11-v1-r2` }
    })
    // The process dies; of the two questions only the one that was answered in this pass is settled.
    const next = start()
    expect(next.engine.report.recovery.preserved).toMatchObject([
      { pass: { id: 'p-2' }, waiting: [{ clauseId: 'C12' }] }
    ])
    next.engine.close()
  })
})
