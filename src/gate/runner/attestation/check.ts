import type { Attestation } from '../records.ts'
import { type Refusal, refusal } from '../refusal.ts'
import { objectOf, type UnitRefusal, unitProblem } from './unit.ts'

// What a record must be before it is written (ATT-310, ATT-320, ATT-340).

export type StructureRefusal = Refusal<
  | 'attestation-id-empty'
  | 'attestation-arrow-id-empty'
  | 'attestation-op-id-empty'
  | 'attestation-attested-by-role-empty'
  | 'attestation-kind-invalid'
  | 'attestation-depth-type-requires-clause-id'
  | 'attestation-on-the-spot-rejects-clause-id'
  | 'attestation-verdict-invalid'
>

/** Structural check; text of white space counts as empty (ATT-310). */
export function structureProblem(record: Attestation): StructureRefusal | null {
  const isEmpty = (text: string) => text.trim() === ''
  if (isEmpty(record.id)) return refusal('attestation-id-empty')
  if (isEmpty(record.arrowId)) return refusal('attestation-arrow-id-empty')
  if (isEmpty(record.opId)) return refusal('attestation-op-id-empty')
  if (isEmpty(record.attestedByRole)) return refusal('attestation-attested-by-role-empty')
  if (record.kind !== 'depth-type' && record.kind !== 'on-the-spot') return refusal('attestation-kind-invalid')
  if (record.kind === 'depth-type' && isEmpty(record.clauseId))
    return refusal('attestation-depth-type-requires-clause-id')
  if (record.kind === 'on-the-spot' && !isEmpty(record.clauseId))
    return refusal('attestation-on-the-spot-rejects-clause-id')
  const isVerdict = ['pass', 'fail', 'insufficient-basis'].includes(record.verdict)
  return isVerdict ? null : refusal('attestation-verdict-invalid')
}

export type SelfCertRefusal = Refusal<'attestation-self-cert-forbidden'>

/** Whoever made or receives the work never grades it, and neither does the adversary if it is one of them (GATE-19, ATT-340). */
export function selfCertProblem(record: Attestation): SelfCertRefusal | null {
  const { sourceRole, targetRole } = record
  const judges = { attested_by_role: record.attestedByRole, adversary_role: record.adversaryRole }
  for (const [judge, role] of Object.entries(judges))
    for (const [endpoint, name] of Object.entries({ source_role: sourceRole, target_role: targetRole }))
      if (fold(role) !== '' && fold(role) === fold(name)) return forbidden(`${judge} "${role}" equals ${endpoint}`)
  return null
}

function fold(role: string): string {
  return role.trim().toLowerCase()
}

/** `attestation-self-cert-forbidden`, and which field collided (ATT-340). */
export function forbidden(detail: string): SelfCertRefusal {
  return refusal('attestation-self-cert-forbidden', `attestation-self-cert-forbidden: ${detail}`)
}

export type WriteRefusal =
  | Refusal<'attestation-pass-id-empty' | 'attestation-hint-malformed'>
  | SelfCertRefusal
  | UnitRefusal

/** Further checks on what is about to be written (ATT-320). */
export function writeProblem(record: Attestation, residueMaxBytes: number): WriteRefusal | null {
  if (record.passId.trim() === '') return refusal('attestation-pass-id-empty')
  const unit = unitProblem(record.unit, record.unitPayloadJson, residueMaxBytes)
  if (unit !== null) return unit
  if (record.hintJson !== '' && objectOf(record.hintJson) === null)
    return refusal('attestation-hint-malformed', 'attestation hint_json malformed')
  return record.adversaryRole.includes('__') ? forbidden('adversary-role must not contain "__"') : null
}
