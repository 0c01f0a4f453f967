import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openStore } from '../../../src/gate/engine/database.ts'
import { replay } from '../../../src/gate/engine/replay.ts'
import { robustGrid, startGate } from '../../support/engine.ts'
import { temporaryFolder } from '../../support/temporary.ts'

function store(): Database {
  const folder = temporaryFolder()
  mkdirSync(join(folder, '.ghyll'))
  const db = openStore(folder)
  onTestFinished(() => void db.close())
  return db
}

const insert = (db: Database, table: string, row: Record<string, string | number | null>) =>
  db.prepare(`INSERT INTO ${table} (${Object.keys(row)}) VALUES (${Object.keys(row).map((key) => `@${key}`)})`).run(row)

const finding = { arrow_id: 'a', type: 'local-bug', severity: 1, status: 'open', raised_at: 't' }
const amendment = {
  reason: 'missing-cross-context-spec',
  source_arrow: 'a',
  target_role: 'analyst',
  contexts_json: '["x","y"]',
  finding_ids_json: '["f"]',
  created_at: 't'
}
const arrow = { source_role: 'analyst', target_role: 'architect', stratum: 'L0', context: 'c', declared_at: 't' }

describe('replay (PERS-410…415)', () => {
  it('skips each row it cannot read, says why, and loads the others', () => {
    const db = store()
    insert(db, 'findings', { ...finding, id: 'f-good' })
    insert(db, 'findings', { ...finding, id: 'f-word', status: 'lost' })
    insert(db, 'findings', { ...finding, id: 'f-type', type: 'Not It' })
    insert(db, 'findings', { ...finding, id: 'f-json', locations_json: '{' })
    insert(db, 'requirements', { arrow_id: 'a', req_id: 'R1', min_depth: 1 })
    insert(db, 'classifications', { arrow_id: 'a', req_id: 'R1', observed: 2 })
    insert(db, 'classifications', { arrow_id: 'a', req_id: 'R9', observed: 2 })
    insert(db, 'grid_arrows', { ...arrow, id: 'a', grid_version: 1, kind: 'append', clauses_json: '{}' })
    insert(db, 'amendments', { ...amendment, id: 'm-1', contexts_json: 'x' })
    insert(db, 'amendments', { ...amendment, id: 'm-2' })
    insert(db, 'arrow_invalidations', { arrow_id: 'a', op_id: 'o', source: 'weather' })
    const { counts, errors } = replay(db)
    expect(counts).toEqual({
      grid_arrows: 0,
      arrow_invalidations: 0,
      requirements: 1,
      classifications: 1,
      findings: 1,
      amendments: 1,
      passes: 0
    })
    expect(errors).toEqual([
      'grid_arrows a v1: clauses_json: "{}" is no JSON array',
      'arrow_invalidations a: source: "weather" not in {operator, amendment}',
      'classifications a R9: no such requirement',
      'findings f-word: status: "lost" not in {open, running, resolved, accepted-risk, unevaluated}',
      'findings f-type: type: "Not It" is not of the form ^[a-z][a-z0-9-]*$',
      'findings f-json: locations_json: "{" is no JSON',
      'amendments m-1: contexts_json: "x" is no JSON'
    ])
  })

  it('keeps the newest definition of an arrow and the clause ids of all, orders findings and amendments, continues pass ids', () => {
    const db = store()
    const clauses = (...ids: string[]) => JSON.stringify(ids.map((id) => ({ id })))
    for (const [version, json] of [
      [2, clauses('C2')],
      [10, clauses('C10')],
      [9, clauses('C9')]
    ] as const)
      insert(db, 'grid_arrows', { ...arrow, id: 'a', grid_version: version, kind: 'append', clauses_json: json })
    insert(db, 'findings', { ...finding, id: 'f-2', raised_at: 't2' })
    insert(db, 'findings', { ...finding, id: 'f-3', raised_at: 't1' })
    insert(db, 'findings', { ...finding, id: 'f-1', raised_at: 't2' })
    insert(db, 'amendments', { ...amendment, id: 'm-2', created_at: 't1' })
    insert(db, 'amendments', { ...amendment, id: 'm-1', created_at: 't2', drained_at: 't3' })
    for (const id of ['p-9', 'p-10', 'P-99', 'p-7'])
      insert(db, 'passes', { pass_id: id, role: 'r', context: 'c', arrow_id: 'a', state: 'closed' })
    const replayed = replay(db)
    expect(replayed.errors).toEqual([])
    expect(replayed.arrows.get('a')?.gridVersion).toBe(10)
    expect(replayed.clauseIds.get('a')).toEqual(new Set(['C2', 'C9', 'C10']))
    expect(replayed.findings.map(({ id }) => id)).toEqual(['f-3', 'f-1', 'f-2'])
    expect(replayed.amendments.map(({ id, drainedAt }) => [id, drainedAt])).toEqual([
      ['m-2', null],
      ['m-1', 't3']
    ])
    expect(replayed.lastPassNumber).toBe(10)
  })

  it('reads in pages of a thousand, none lost, and can be stopped between them (PERS-414, PERS-605)', () => {
    const db = store()
    db.transaction(() => {
      for (let n = 0; n < 2500; n++) insert(db, 'findings', { ...finding, id: `f-${n}` })
    })()
    let pages = 0
    expect(replay(db, () => void pages++).findings).toHaveLength(2500)
    expect(pages).toBe(3 + 6)
    expect(() =>
      replay(db, () => {
        if (--pages < 3) throw new Error('time is up')
      })
    ).toThrow('time is up')
  })

  it('fills empty stores once, before they are attached (PERS-305, PERS-412)', () => {
    const folder = temporaryFolder()
    const { engine, gates } = startGate(folder, { grid: robustGrid() })
    expect(() => engine.attach(gates)).toThrow('attach-twice')
    expect(() => gates.findings.load([])).toThrow('replay-after-attach')
    gates.findings.raise([
      { arrowId: 'a', type: 'local-bug', severity: 'low', description: '', raisedByRole: 'operator', gridVersion: 1 }
    ])
    expect(() => engine.load(gates)).toThrow('replay: target caches not empty')
    engine.close()
  })
})
