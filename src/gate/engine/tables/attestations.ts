import type { Attestation } from '../../runner/index.ts'
import { emptyProblem, firstProblem, insertInto, jsonProblem, type RowWrite } from './row.ts'

/** Read with safe integers: every integer is a bigint (PERS-103). */
export type AttestationRow = {
  readonly attestation_id: string
  readonly kind: string
  readonly arrow_id: string
  readonly clause_id: string | null
  readonly op_id: string
  readonly attested_by_role: string
  readonly source_role: string
  readonly target_role: string
  readonly verdict: string
  readonly reason: string
  readonly timestamp: bigint
  readonly grid_version: bigint
  readonly pass_id: string
  readonly context: string
  readonly stratum: string
  readonly adversary_role: string
  readonly unit: string
  readonly unit_payload_json: string
  readonly hint_json: string
  readonly attestation_ref: string
}

/** A new verdict; an id that is there already is left as it is (PERS-212), and a record without a pass is refused (PERS-211). */
export function insertAttestation(record: Attestation): RowWrite {
  const row = rowOf(record)
  return {
    table: 'attestations',
    key: record.id,
    problem: firstProblem('attestations', [
      ['attestation_id', emptyProblem(row.attestation_id)],
      ['pass_id', emptyProblem(row.pass_id)],
      ['arrow_id', emptyProblem(row.arrow_id)],
      ['unit_payload_json', jsonProblem(row.unit_payload_json, 'object')],
      ['hint_json', jsonProblem(row.hint_json, 'object')]
    ]),
    apply: (sql) => void sql.run(insertInto('attestations', row, 'INSERT OR IGNORE'), row)
  }
}

/** The file's content over what the table has: the catch-up, and the only overwrite there is (ATT-502). */
export function replaceAttestation(record: Attestation): RowWrite {
  const row = rowOf(record)
  return {
    table: 'attestations',
    key: record.id,
    problem: null,
    apply: (sql) => void sql.run(insertInto('attestations', row, 'INSERT OR REPLACE'), row)
  }
}

/** A record as the table holds it; its time comes as a bigint (PERS-103). */
export function readAttestation(row: AttestationRow): Attestation {
  return {
    id: row.attestation_id,
    kind: row.kind as Attestation['kind'],
    arrowId: row.arrow_id,
    clauseId: row.clause_id ?? '',
    opId: row.op_id,
    attestedByRole: row.attested_by_role,
    sourceRole: row.source_role,
    targetRole: row.target_role,
    verdict: row.verdict as Attestation['verdict'],
    reason: row.reason,
    timestamp: row.timestamp,
    gridVersion: Number(row.grid_version),
    passId: row.pass_id,
    context: row.context,
    stratum: row.stratum,
    adversaryRole: row.adversary_role,
    unit: row.unit as Attestation['unit'],
    unitPayloadJson: row.unit_payload_json,
    hintJson: row.hint_json,
    ref: row.attestation_ref
  }
}

function rowOf(record: Attestation): AttestationRow {
  return {
    attestation_id: record.id,
    kind: record.kind,
    arrow_id: record.arrowId,
    clause_id: record.clauseId === '' ? null : record.clauseId,
    op_id: record.opId,
    attested_by_role: record.attestedByRole,
    source_role: record.sourceRole,
    target_role: record.targetRole,
    verdict: record.verdict,
    reason: record.reason,
    timestamp: record.timestamp,
    grid_version: BigInt(record.gridVersion),
    pass_id: record.passId,
    context: record.context,
    stratum: record.stratum,
    adversary_role: record.adversaryRole,
    unit: record.unit,
    unit_payload_json: record.unitPayloadJson,
    hint_json: record.hintJson === '' ? '{}' : record.hintJson,
    attestation_ref: record.ref
  }
}
