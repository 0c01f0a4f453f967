import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { indexAnswers } from '../../../src/gate/engine/answers.ts'
import { openStore, storePath } from '../../../src/gate/engine/database.ts'
import { createJournal, type GateJournal } from '../../../src/gate/engine/journal.ts'
import { createReads } from '../../../src/gate/engine/reads.ts'
import type { GateEvent } from '../../../src/gate/runner/event-kinds.ts'
import type { Finding, Invalidation, PassRecord, RunRow } from '../../../src/gate/runner/records.ts'
import { attestationOf } from '../../support/attestation.ts'
import { fc, runs } from '../../support/laws.ts'
import { temporaryFolder } from '../../support/temporary.ts'

function journalled() {
  const folder = temporaryFolder()
  mkdirSync(join(folder, '.ghyll'))
  const db = openStore(folder, 0)
  const events: GateEvent[] = []
  const journal = createJournal({ db, publish: (event) => events.push(event) })
  const other = new Database(storePath(folder))
  return {
    db,
    journal,
    events,
    rows: (sql: string) => db.prepare(sql).all(),
    /** Runs `work` while another program holds the write lock. */
    locked(work: () => void) {
      other.exec('BEGIN IMMEDIATE')
      try {
        work()
      } finally {
        other.exec('ROLLBACK')
      }
    }
  }
}

const passOf = (changes: Partial<PassRecord> = {}): PassRecord => ({
  id: 'p-1',
  role: 'analyst',
  context: 'default',
  arrowId: 'analyst→architect/default',
  gridVersion: 1,
  state: 'open',
  openedAt: '2026-08-21T00:00:00.000000001Z',
  closedAt: '',
  closeReason: '',
  recoveredAt: '',
  actualTier: 1,
  arrowStatus: null,
  openedByOpId: 'alice',
  remediationOutcome: null,
  remediationRoundsUsed: null,
  artifactDigest: '',
  dependencyDigests: null,
  ...changes
})

const runOf = (changes: Partial<RunRow> = {}): RunRow => ({
  id: 'ev-1',
  clauseId: 'C1',
  passId: 'p-7',
  arrowId: 'analyst→architect/checkout',
  gridVersion: 1,
  attestationRef: '',
  actualTier: 1,
  minTier: 0,
  concept: 'no-todo-marker',
  generation: 1,
  startedAt: 'a',
  completedAt: 'b',
  startStatus: 'pending',
  endStatus: 'pass',
  result: { status: 'pass', reason: null, details: {} },
  runError: '',
  unevaluatedReason: null,
  ...changes
})

const findingOf = (changes: Partial<Finding> = {}): Finding => ({
  id: 'f-1',
  arrowId: 'analyst→architect/default',
  type: 'open-sweep',
  severity: 'high',
  status: 'open',
  description: 'd',
  basis: '',
  evidence: '',
  locations: ['a:1'],
  targetClause: null,
  targetRequirement: null,
  raisedAt: 'a',
  raisedByRole: 'adversary',
  transitionCount: 0,
  gridVersion: 1,
  storeVersion: 1,
  updatedAt: 'a',
  ...changes
})

const closed = (changes: Partial<PassRecord> = {}) =>
  passOf({ state: 'closed', closedAt: 'z', closeReason: 'ok', arrowStatus: 'complete', ...changes })

const close = (journal: GateJournal, pass = closed(), consumed: Invalidation | null = null) =>
  journal.passChanged({ kind: 'close', pass, consumed })

describe('the journal (PERS-300…304)', () => {
  it('inserts a pass, which must succeed, and updates it in one transaction with what it ended', () => {
    const { journal, rows } = journalled()
    journal.openPass(passOf())
    expect(() => journal.openPass(passOf())).toThrow(expect.objectContaining({ code: 'journal-write-failed' }))
    const invalidation: Invalidation = {
      arrowId: passOf().arrowId,
      opId: 'bob',
      reason: 'r',
      at: '2026-08-20T00:00:00.000000000Z',
      gridVersion: 1,
      source: 'operator',
      consumedByPass: null
    }
    journal.arrowInvalidated(invalidation)
    close(journal, closed({ dependencyDigests: { 'a.ts': 'x' } }), invalidation)
    expect(rows('SELECT state, close_reason, dependency_digests_json, recovered_at FROM passes')).toEqual([
      { state: 'closed', close_reason: 'ok', dependency_digests_json: '{"a.ts":"x"}', recovered_at: '' }
    ])
    expect(rows('SELECT consumed_by_pass FROM arrow_invalidations')).toEqual([{ consumed_by_pass: 'p-1' }])
    expect(rows('SELECT consumed_by_pass FROM arrow_invalidation_log')).toEqual([{ consumed_by_pass: null }])
  })

  it('keeps every invalidation with what it came through, and the reads count an arrow’s own (RUN-852)', () => {
    const { db, journal } = journalled()
    const hit = { opId: 'bob', reason: 'r', gridVersion: 2, source: 'amendment', consumedByPass: null } as const
    journal.arrowInvalidated({ ...hit, arrowId: 'a', at: 't1', because: ['source', 'file'] })
    journal.arrowInvalidated({ ...hit, arrowId: 'a', at: 't2', because: ['file'] })
    journal.arrowInvalidated({ ...hit, arrowId: 'a', at: 't3', source: 'operator' })
    journal.arrowInvalidated({ ...hit, arrowId: 'b', at: 't4', because: ['section'] })
    const reads = createReads(db, () => indexAnswers([]))
    expect(reads.amendmentHits('a')).toEqual({ count: 2, isThroughFilesOnly: true })
    expect(reads.amendmentHits('b')).toEqual({ count: 1, isThroughFilesOnly: false })
    expect(reads.amendmentHits('c')).toEqual({ count: 0, isThroughFilesOnly: false })
  })

  it('leaves an ended pass ended', () => {
    const { journal, rows } = journalled()
    journal.openPass(passOf())
    close(journal)
    journal.passChanged({ kind: 'update', pass: passOf({ artifactDigest: 'late' }), consumed: null })
    expect(rows('SELECT state, artifact_digest FROM passes')).toEqual([{ state: 'closed', artifact_digest: '' }])
  })

  it('keeps one row per evaluation; a verdict of the same pass decides it (PERS-200)', () => {
    const { journal, rows } = journalled()
    const waiting = { attestationRef: 'att-x-C1-v1', endStatus: 'running', result: null, completedAt: '' } as const
    journal.appendRun(runOf(waiting))
    journal.appendRun(runOf({ ...waiting, clauseId: 'other' }))
    journal.appendRun(runOf({ ...waiting, id: 'ev-2', passId: 'p-8' }))
    const verdict = { ref: 'att-x-C1-v1', id: 'att-x-C1-v1-r2' }
    journal.attestationRecorded(attestationOf({ ...verdict, verdict: 'insufficient-basis' }))
    const state = () => rows('SELECT id, clause_id, end_status, completed_at FROM evaluation_runs ORDER BY id')
    expect(state()).toMatchObject([{ clause_id: 'C1', end_status: 'running' }, { end_status: 'running' }])
    journal.attestationRecorded(attestationOf({ ...verdict, id: 'att-x-C1-v1-r3', verdict: 'fail' }))
    expect(state()).toEqual([
      { id: 'ev-1', clause_id: 'C1', end_status: 'fail', completed_at: '2026-08-21T09:15:02.000000001Z' },
      { id: 'ev-2', clause_id: 'C1', end_status: 'running', completed_at: '' }
    ])
  })

  it('cuts a long result, says so, and keeps it readable', () => {
    const { journal, rows } = journalled()
    const details = { text: '\u0001ü'.repeat(60_000) }
    journal.appendRun(runOf({ result: { status: 'fail', reason: null, details } }))
    const [row] = rows('SELECT result_json FROM evaluation_runs') as { result_json: string }[]
    expect(Buffer.byteLength(row?.result_json ?? '')).toBeLessThanOrEqual(64 * 1024)
    const read = JSON.parse(row?.result_json ?? '') as { status: string; details: { truncated: boolean; head: string } }
    expect(read).toMatchObject({ status: 'fail', details: { truncated: true } })
    expect(read.details.head.length).toBeGreaterThan(1000)
  })

  it('writes the changes of one section together or not at all (PERS-303)', () => {
    const { journal, rows, events } = journalled()
    const bad = findingOf({ id: 'f-2', type: 'Not a type' })
    journal.findingsChanged([findingOf(), bad].map((finding) => ({ finding, transition: null })))
    expect(rows('SELECT id FROM findings')).toEqual([])
    expect(events.map(({ payload }) => payload)).toEqual([
      expect.objectContaining({ table: 'findings', key: 'f-1' }),
      expect.objectContaining({
        table: 'findings',
        key: 'f-2',
        reason: 'engine: findings: type: "Not a type" is not of the form ^[a-z][a-z0-9-]*$'
      })
    ])
  })

  it('lets the newer state win, whatever comes first (PERS-302)', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([1, 2, 3, 4, 5], { minLength: 1 }), (versions) => {
        const { journal, rows } = journalled()
        for (const storeVersion of versions)
          journal.findingsChanged([
            { finding: findingOf({ storeVersion, description: `${storeVersion}` }), transition: null }
          ])
        expect(rows('SELECT description FROM findings')).toEqual([{ description: `${Math.max(...versions)}` }])
      }),
      { numRuns: runs(20) }
    )
  })

  it('keeps overwrites of a depth', () => {
    const { journal, rows } = journalled()
    const classification = {
      arrowId: 'a',
      requirementId: 'R1',
      observed: 1,
      unevaluated: false,
      evidence: '',
      overwriteCount: 0,
      classifiedAt: 't',
      storeVersion: 1
    } as const
    journal.depthChanged({ kind: 'observed', classification, before: null })
    const next = { ...classification, observed: 3, overwriteCount: 1, storeVersion: 2 } as const
    journal.depthChanged({ kind: 'observed', classification: next, before: classification })
    expect(rows('SELECT observed, overwrite_count FROM classifications')).toEqual([{ observed: 3, overwrite_count: 1 }])
    expect(rows('SELECT before_observed, after_observed FROM classification_overwrites')).toEqual([
      { before_observed: 1, after_observed: 3 }
    ])
  })

  it('drops a requirement nobody asks for any more, with what was observed of it and nothing else (RUN-660)', () => {
    const { journal, rows } = journalled()
    for (const id of ['R1', 'R2']) {
      const requirement = { arrowId: 'a', id, minDepth: 2, description: 'd', declaredAt: 't', storeVersion: 1 } as const
      journal.depthChanged({ kind: 'declared', requirement })
      const classification = {
        arrowId: 'a',
        requirementId: id,
        observed: 1,
        unevaluated: false,
        evidence: '',
        overwriteCount: 0,
        classifiedAt: 't',
        storeVersion: 2
      } as const
      journal.depthChanged({ kind: 'observed', classification, before: null })
    }
    journal.depthChanged({ kind: 'withdrawn', arrowId: 'a', requirementId: 'R1' })
    expect(rows('SELECT req_id FROM requirements')).toEqual([{ req_id: 'R2' }])
    expect(rows('SELECT req_id FROM classifications')).toEqual([{ req_id: 'R2' }])
  })

  it('refuses a record without a pass (PERS-211) and leaves an existing one as it is (PERS-212)', () => {
    const { journal, rows, events } = journalled()
    journal.attestationRecorded(attestationOf({ passId: '' }))
    expect(events[0]?.payload).toMatchObject({ reason: 'engine: attestations: pass_id: empty' })
    journal.attestationRecorded(attestationOf())
    journal.attestationRecorded(attestationOf({ opId: 'mallory' }))
    expect(rows('SELECT op_id FROM attestations')).toEqual([{ op_id: 'alice' }])
  })

  it.each([
    [() => passOf({ id: ' ' }), 'pass_id: empty'],
    [() => passOf({ role: '' as 'analyst' }), 'role: empty'],
    [() => passOf({ context: '' }), 'context: empty'],
    [() => passOf({ arrowId: '' }), 'arrow_id: empty'],
    [
      () => passOf({ state: 'x\u0007'.repeat(99) as 'open' }),
      `state: "${'x'.repeat(64)}" not in {open, closed, aborted}`
    ],
    [() => passOf({ actualTier: 4 as 3 }), 'actual_tier: 4 not in 0..3']
  ])('checks before it binds (PERS-230): %#', (pass, problem) => {
    expect(() => journalled().journal.openPass(pass())).toThrow(`engine: passes: ${problem}`)
  })
})

describe('rows that could not be written (PERS-304)', () => {
  it('are told, counted, kept with their latest value, and written before the next row', () => {
    const { journal, rows, events, locked } = journalled()
    journal.openPass(passOf())
    locked(() => {
      journal.findingsChanged([{ finding: findingOf(), transition: null }])
      journal.findingsChanged([{ finding: findingOf({ storeVersion: 2, status: 'running' }), transition: null }])
      close(journal)
    })
    expect(journal.unsaved()).toBe(2)
    expect(events.map(({ payload }) => `${payload.table} ${payload.key}`)).toEqual([
      'findings f-1',
      'findings f-1',
      'passes p-1'
    ])
    expect(rows('SELECT state FROM passes')).toEqual([{ state: 'open' }])
    journal.appendRun(runOf())
    expect(journal.unsaved()).toBe(0)
    expect(rows('SELECT state FROM passes')).toEqual([{ state: 'closed' }])
    expect(rows('SELECT status FROM findings')).toEqual([{ status: 'running' }])
  })

  it('keep a new pass from opening while one of them is a pass', () => {
    const { journal, locked } = journalled()
    journal.openPass(passOf())
    locked(() => {
      close(journal)
      expect(() => journal.openPass(passOf({ id: 'p-2' }))).toThrow('1 unsaved')
    })
    journal.openPass(passOf({ id: 'p-2' }))
    expect(journal.unsaved()).toBe(0)
  })

  it('are tried by themselves, so that a bad one holds up none of the others', () => {
    const { journal, rows, locked } = journalled()
    const orphan = { from: 'open', to: 'running', role: 'x', opId: '', reason: '', at: 't', storeVersion: 2 } as const
    locked(() => {
      journal.findingsChanged([
        { finding: findingOf({ type: 'BAD' }), transition: { ...orphan, findingId: 'f-1' } },
        { finding: findingOf({ id: 'f-2' }), transition: null }
      ])
    })
    journal.flush()
    expect(rows('SELECT id FROM findings')).toEqual([{ id: 'f-2' }])
    expect(journal.unsaved()).toBe(2)
  })

  it('give way to a later value that was written', () => {
    const { journal, rows, locked } = journalled()
    journal.findingsChanged([{ finding: findingOf(), transition: null }])
    locked(() => journal.findingsChanged([{ finding: findingOf({ storeVersion: 2 }), transition: null }]))
    journal.findingsChanged([{ finding: findingOf({ storeVersion: 3 }), transition: null }])
    expect(journal.unsaved()).toBe(0)
    expect(rows('SELECT store_version FROM findings')).toEqual([{ store_version: 3 }])
  })
})
