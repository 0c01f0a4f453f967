import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openStore } from '../../../../src/gate/engine/database.ts'
import { type AmendmentRecord, putAmendment, readAmendment } from '../../../../src/gate/engine/tables/amendments.ts'
import { type ArrowDefinition, insertArrow, readArrow } from '../../../../src/gate/engine/tables/arrows.ts'
import {
  insertAttestation,
  readAttestation,
  replaceAttestation
} from '../../../../src/gate/engine/tables/attestations.ts'
import {
  putClassification,
  putRequirement,
  readClassification,
  readRequirement
} from '../../../../src/gate/engine/tables/depths.ts'
import { insertTransition, putFinding, readFinding } from '../../../../src/gate/engine/tables/findings.ts'
import { putInvalidation, readInvalidation } from '../../../../src/gate/engine/tables/invalidations.ts'
import { insertPass, readPass, updatePass } from '../../../../src/gate/engine/tables/passes.ts'
import { createSql, type RowWrite } from '../../../../src/gate/engine/tables/row.ts'
import { insertRun, readRun } from '../../../../src/gate/engine/tables/runs.ts'
import type {
  Classification,
  DeclaredRequirement,
  Finding,
  FindingTransition,
  Invalidation,
  PassRecord,
  RunRow
} from '../../../../src/gate/runner/records.ts'
import { attestationOf } from '../../../support/attestation.ts'
import { arrowOf, clauseOf } from '../../../support/gates.ts'
import { temporaryFolder } from '../../../support/temporary.ts'

// What a table gives back is what was put into it, column by column, and what breaks a rule does not get as far as the file.

const arrowId = 'analyst→architect/default'
const at = '2026-08-21T00:00:00.000000001Z'
const later = '2026-08-21T00:00:00.000000002Z'

const pass: PassRecord = {
  id: 'p-1',
  role: 'analyst',
  context: 'default',
  arrowId,
  gridVersion: 3,
  state: 'open',
  openedAt: at,
  closedAt: '',
  closeReason: '',
  recoveredAt: '',
  actualTier: null,
  arrowStatus: null,
  openedByOpId: 'alice',
  remediationOutcome: null,
  remediationRoundsUsed: null,
  artifactDigest: '',
  dependencyDigests: null
}
const ended: PassRecord = {
  ...pass,
  state: 'closed',
  closedAt: later,
  closeReason: 'ok',
  recoveredAt: later,
  actualTier: 2,
  arrowStatus: 'complete',
  remediationOutcome: 'converged',
  remediationRoundsUsed: 2,
  artifactDigest: 'd1',
  dependencyDigests: { 'specs/a.md': 'd2' }
}
const run: RunRow = {
  id: 'ev-1',
  clauseId: 'C1',
  passId: 'p-1',
  arrowId,
  gridVersion: 3,
  attestationRef: 'att-x-C1-v3',
  actualTier: 1,
  minTier: 2,
  concept: 'no-todo-marker',
  generation: 4,
  startedAt: at,
  completedAt: later,
  startStatus: 'pending',
  endStatus: 'unevaluated',
  result: { status: 'unevaluated', reason: 'evaluator-error', details: { error: 'e' } },
  runError: 'spawn',
  unevaluatedReason: 'evaluator-error'
}
const finding: Finding = {
  id: 'f-1',
  arrowId,
  type: 'open-sweep',
  severity: 'info',
  status: 'open',
  description: 'd',
  basis: 'b',
  evidence: 'e',
  locations: ['a:1', 'b:2'],
  targetClause: 'C1',
  targetRequirement: 'R1',
  raisedAt: at,
  raisedByRole: 'adversary',
  transitionCount: 0,
  gridVersion: 3,
  storeVersion: 7,
  updatedAt: at
}
const moved: Finding = {
  ...finding,
  severity: 'critical',
  status: 'running',
  description: 'd2',
  basis: 'b2',
  evidence: 'e2',
  locations: [],
  targetClause: null,
  targetRequirement: null,
  transitionCount: 1,
  storeVersion: 8,
  updatedAt: later
}
const transition: FindingTransition = {
  findingId: 'f-1',
  from: 'open',
  to: 'running',
  role: 'producer',
  opId: '',
  reason: 'r',
  at: later,
  storeVersion: 8
}
const requirement: DeclaredRequirement = {
  arrowId,
  id: 'R1',
  minDepth: 1,
  description: 'd',
  declaredAt: at,
  storeVersion: 3
}
const redeclared: DeclaredRequirement = {
  ...requirement,
  minDepth: 3,
  description: 'd2',
  declaredAt: later,
  storeVersion: 4
}
const observed: Classification = {
  arrowId,
  requirementId: 'R1',
  observed: 3,
  unevaluated: false,
  evidence: 'e',
  overwriteCount: 0,
  classifiedAt: at,
  storeVersion: 5
}
const reobserved: Classification = {
  ...observed,
  observed: 0,
  unevaluated: true,
  evidence: 'e2',
  overwriteCount: 1,
  classifiedAt: later,
  storeVersion: 6
}
const { id, sourceRole, targetRole, stratum, context, clauses, requirements } = arrowOf('analyst', 'architect', [
  clauseOf('C1')
])
const definition: ArrowDefinition = {
  ...{ id, sourceRole, targetRole, stratum, context, clauses, requirements },
  gridVersion: 3,
  kind: 'on-the-spot',
  declaredAt: at
}
const amendment: AmendmentRecord = {
  id: 'amend-f-1',
  reason: 'missing-cross-context-spec',
  sourceArrow: arrowId,
  targetRole: 'analyst',
  contexts: ['default', 'shop'],
  findingIds: ['f-1'],
  description: 'd',
  createdAt: at,
  drainedAt: null,
  gridVersionAfter: null
}
const invalidation: Invalidation = {
  arrowId,
  opId: 'bob',
  reason: 'r',
  at,
  gridVersion: 3,
  source: 'amendment',
  because: ['superseded', 'file'],
  consumedByPass: null
}

function opened() {
  const folder = temporaryFolder()
  mkdirSync(join(folder, '.ghyll'))
  const db: Database = openStore(folder)
  onTestFinished(() => void db.close())
  const sql = createSql(db)
  return {
    write(...writes: readonly RowWrite[]) {
      for (const { problem, apply } of writes) {
        expect(problem).toBeNull()
        apply(sql)
      }
    },
    /** Every row of a table, read the way the program reads it. */
    read: <T>(table: string, reader: (row: never) => T) =>
      db
        .prepare<[]>(`SELECT * FROM ${table}`)
        .safeIntegers(table === 'attestations')
        .all()
        .map((row) => reader(row as never))
  }
}

describe('a row read back is the record that was written (section 3 of the store: every column)', () => {
  it.each([
    ['passes', [insertPass(pass)], readPass, pass],
    ['passes', [insertPass(pass), updatePass(ended)], readPass, ended],
    ['evaluation_runs', [insertRun(run)], readRun, run],
    ['evaluation_runs', [insertRun({ ...run, result: null })], readRun, { ...run, result: null }],
    ['findings', [putFinding(finding)], readFinding, finding],
    ['findings', [putFinding(finding), putFinding(moved)], readFinding, moved],
    ['requirements', [putRequirement(requirement)], readRequirement, requirement],
    ['requirements', [putRequirement(requirement), putRequirement(redeclared)], readRequirement, redeclared],
    ['classifications', [putClassification(observed)], readClassification, observed],
    ['classifications', [putClassification(observed), putClassification(reobserved)], readClassification, reobserved],
    ['grid_arrows', [insertArrow(definition)], readArrow, definition],
    ['amendments', [putAmendment(amendment)], readAmendment, amendment],
    ['arrow_invalidations', putInvalidation(invalidation), readInvalidation, invalidation],
    ['arrow_invalidation_log', putInvalidation(invalidation), readInvalidation, invalidation],
    ['attestations', [insertAttestation(attestationOf())], readAttestation, { ...attestationOf(), hintJson: '{}' }]
  ] as const)('%s: %#', (table, writes, reader, record) => {
    const { write, read } = opened()
    write(...writes)
    expect(read(table, reader as (row: never) => unknown)).toEqual([record])
  })

  it('an older state never replaces a newer one (PERS-302)', () => {
    const { write, read } = opened()
    write(putFinding(moved), putFinding({ ...finding, storeVersion: 7 }))
    write(putRequirement(redeclared), putRequirement(requirement))
    write(putClassification(reobserved), putClassification(observed))
    expect(read('findings', readFinding)).toMatchObject([{ status: 'running', storeVersion: 8 }])
    expect(read('requirements', readRequirement)).toEqual([redeclared])
    expect(read('classifications', readClassification)).toEqual([reobserved])
  })

  it('an amendment is drained once, an ended pass stays ended, and `recovered_at` is set once (PERS-532)', () => {
    const { write, read } = opened()
    const drained = { ...amendment, drainedAt: later, gridVersionAfter: 4 }
    write(putAmendment(amendment), putAmendment(drained), putAmendment({ ...drained, gridVersionAfter: 5 }))
    expect(read('amendments', readAmendment)).toEqual([drained])
    write(insertPass({ ...pass, recoveredAt: at }), updatePass(ended), updatePass(pass))
    expect(read('passes', readPass)).toEqual([{ ...ended, recoveredAt: at }])
  })
})

const spot = { kind: 'on-the-spot', clauseId: '' } as const

describe('what breaks a rule is told before it is bound, and never by value alone (PERS-230)', () => {
  it.each([
    ['evaluation_runs: id: empty', insertRun({ ...run, id: ' ' })],
    ['evaluation_runs: clause_id: empty', insertRun({ ...run, clauseId: '' })],
    ['evaluation_runs: pass_id: empty', insertRun({ ...run, passId: '' })],
    ['evaluation_runs: arrow_id: empty', insertRun({ ...run, arrowId: '' })],
    ['evaluation_runs: actual_tier: 4 not in 0..3', insertRun({ ...run, actualTier: 4 as 3 })],
    ['evaluation_runs: actual_tier: -1 not in 0..3', insertRun({ ...run, actualTier: -1 as 0 })],
    ['evaluation_runs: min_depth_tier: 1.5 not in 0..3', insertRun({ ...run, minTier: 1.5 as 1 })],
    [/^engine: evaluation_runs: start_status: "lost" not in \{/, insertRun({ ...run, startStatus: 'lost' as 'pass' })],
    [/^engine: evaluation_runs: end_status: "lost" not in \{/, insertRun({ ...run, endStatus: 'lost' as 'pass' })],
    ['passes: actual_tier: -1 not in 0..3', updatePass({ ...pass, actualTier: -1 as 0 })],
    ['findings: id: empty', putFinding({ ...finding, id: '' })],
    ['findings: arrow_id: empty', putFinding({ ...finding, arrowId: ' ' })],
    [
      'findings: type: "Not it" is not of the form ^[a-z][a-z0-9-]*$',
      putFinding({ ...finding, type: '\u202eNot\u0007 it' })
    ],
    ['findings: severity: -1 not in 0..4', putFinding({ ...finding, severity: 'odd' as 'low' })],
    [/^engine: findings: status: "lost" not in \{/, putFinding({ ...finding, status: 'lost' })],
    ['finding_transitions: finding_id: empty', insertTransition({ ...transition, findingId: '' })],
    [/^engine: finding_transitions: to_status: "x" not in \{/, insertTransition({ ...transition, to: 'x' as 'open' })],
    ['requirements: arrow_id: empty', putRequirement({ ...requirement, arrowId: '' })],
    ['requirements: req_id: empty', putRequirement({ ...requirement, id: '' })],
    ['requirements: min_depth: 0 not in 1..3', putRequirement({ ...requirement, minDepth: 0 as 1 })],
    ['requirements: min_depth: 4 not in 1..3', putRequirement({ ...requirement, minDepth: 4 as 3 })],
    ['classifications: arrow_id: empty', putClassification({ ...observed, arrowId: '' })],
    ['classifications: req_id: empty', putClassification({ ...observed, requirementId: '' })],
    ['classifications: observed: 4 not in 0..3', putClassification({ ...observed, observed: 4 as 3 })],
    ['grid_arrows: id: empty', insertArrow({ ...definition, id: '' })],
    ['grid_arrows: source_role: empty', insertArrow({ ...definition, sourceRole: '' as 'init' })],
    ['grid_arrows: target_role: empty', insertArrow({ ...definition, targetRole: '' as 'analyst' })],
    ['grid_arrows: context: empty', insertArrow({ ...definition, context: '' })],
    ['grid_arrows: clauses_json: "{}" is no JSON array', insertArrow({ ...definition, clauses: {} as never })],
    [
      'grid_arrows: requirements_json: "null" is no JSON array',
      insertArrow({ ...definition, requirements: null as never })
    ],
    [
      'grid_arrows: kind: "guess" not in {append, on-the-spot}',
      insertArrow({ ...definition, kind: 'guess' as 'append' })
    ],
    ['amendments: id: empty', putAmendment({ ...amendment, id: '' })],
    ['amendments: source_arrow: empty', putAmendment({ ...amendment, sourceArrow: '' })],
    ['amendments: target_role: empty', putAmendment({ ...amendment, targetRole: '' })],
    ['amendments: contexts_json: "{}" is no JSON array', putAmendment({ ...amendment, contexts: {} as never })],
    ['amendments: finding_ids_json: "1" is no JSON array', putAmendment({ ...amendment, findingIds: 1 as never })],
    ['arrow_invalidations: arrow_id: empty', putInvalidation({ ...invalidation, arrowId: '' })[0]],
    [
      'arrow_invalidations: source: "weather" not in {operator, amendment}',
      putInvalidation({ ...invalidation, source: 'weather' as 'operator' })[0]
    ],
    ['attestations: attestation_id: empty', insertAttestation(attestationOf({ id: '' }))],
    ['attestations: pass_id: empty', insertAttestation(attestationOf({ passId: ' ' }))],
    ['attestations: arrow_id: empty', insertAttestation(attestationOf({ id: 'x', arrowId: '' }))],
    [
      'attestations: unit_payload_json: "[]" is no JSON object',
      insertAttestation(attestationOf({ unitPayloadJson: '[]' }))
    ],
    ['attestations: hint_json: "null" is no JSON object', insertAttestation(attestationOf({ hintJson: 'null' }))],
    ['attestations: hint_json: "x" is no JSON', insertAttestation(attestationOf({ hintJson: 'x' }))]
  ] as const)('%s', (expected, write) => {
    const problem = write?.problem
    if (typeof expected === 'string') expect(problem).toBe(`engine: ${expected}`)
    else expect(problem).toMatch(expected)
  })

  it('a record of an arrow as a whole has no clause, and a legacy line of the tree is taken as it is (PERS-211, ATT-502)', () => {
    const { write, read } = opened()
    const whole = attestationOf({ ...spot, id: 'att-a' })
    const legacy = attestationOf({ id: 'att-b', passId: '', unit: '', unitPayloadJson: '', hintJson: '{}' })
    write(insertAttestation(whole), replaceAttestation(legacy))
    expect(read('attestations', readAttestation)).toEqual([whole, legacy])
    expect(read('attestations', (row: { clause_id: string | null }) => row.clause_id)).toEqual([null, 'C1'])
  })
})

describe('a row that cannot be ours is no record (PERS-413)', () => {
  it.each([
    ['severity: 9 not in 0..4', () => readFinding({ ...findingRow, severity: 9 })],
    ['arrow_id: empty', () => readFinding({ ...findingRow, arrow_id: '' })],
    ['id: empty', () => readFinding({ ...findingRow, id: '' })],
    ['arrow_id: empty', () => readInvalidation({ ...invalidationRow, arrow_id: '' })],
    ['min_depth: 4 not in 1..3', () => readRequirement({ ...requirementRow, min_depth: 4 })],
    ['arrow_id: empty', () => readRequirement({ ...requirementRow, arrow_id: '' })],
    ['req_id: empty', () => readRequirement({ ...requirementRow, req_id: '' })],
    ['observed: -1 not in 0..3', () => readClassification({ ...classificationRow, observed: -1 })],
    ['dependency_digests_json: "[]" is no JSON object', () => readPass({ ...passRow, dependency_digests_json: '[]' })],
    ['state: "x" not in {open, closed, aborted}', () => readPass({ ...passRow, state: 'x' })],
    ['pass_id: empty', () => readPass({ ...passRow, pass_id: '' })],
    ['arrow_id: empty', () => readPass({ ...passRow, arrow_id: '' })]
  ])('%s: %#', (text, read) => {
    expect(read).toThrow(text)
  })
})

const findingRow = {
  id: 'f',
  arrow_id: 'a',
  type: 't',
  severity: 1,
  status: 'open',
  description: '',
  raised_at: '',
  raised_by_role: '',
  transition_count: 0,
  grid_version: 1,
  store_version: 1,
  updated_at: '',
  basis: '',
  evidence: '',
  locations_json: '[]',
  target_clause: null,
  target_requirement: null
}
const invalidationRow = {
  arrow_id: 'a',
  op_id: 'o',
  reason: '',
  invalidated_at: '',
  grid_version: 1,
  source: 'operator',
  consumed_by_pass: null,
  because: ''
}
const requirementRow = {
  arrow_id: 'a',
  req_id: 'R',
  min_depth: 1,
  description: '',
  store_version: 1,
  declared_at: ''
}
const classificationRow = {
  arrow_id: 'a',
  req_id: 'R',
  observed: 1,
  evidence: '',
  overwrite_count: 0,
  store_version: 1,
  classified_at: '',
  unevaluated: 0
}
const passRow = {
  pass_id: 'p',
  role: 'analyst',
  context: 'c',
  arrow_id: 'a',
  grid_version: 1,
  state: 'open',
  opened_at: '',
  closed_at: '',
  close_reason: '',
  recovered_at: '',
  remediation_outcome: null,
  remediation_rounds_used: null,
  actual_tier: null,
  arrow_status: null,
  opened_by_op_id: '',
  artifact_digest: '',
  dependency_digests_json: ''
}
