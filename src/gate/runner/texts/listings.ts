import { safeLine } from '../../../lib/safe-text.ts'
import type { Attestation, ClauseOutcome, Finding, PassRecord } from '../records.ts'
import type { OpenPassState } from '../snapshot.ts'

// Lists of records, one line each (OPUI-220…231, OPUI-380).

/**
 * What is said of a record beside its fields: `own-pass`, the verdict came from whoever opened a pass on the arrow (ATT-343); `orphan`, no
 * such arrow is declared (ATT-304).
 */
export type AttestationMark = 'own-pass' | 'orphan'

/** `/attestations` (OPUI-220). */
export function attestationLines(
  records: readonly Attestation[],
  marksOf: (record: Attestation) => readonly AttestationMark[]
): readonly string[] {
  if (records.length === 0) return ['no attestations recorded']
  return [
    `attestations (${records.length}):`,
    ...records.map((record) => {
      const clause = record.clauseId === '' ? '<arrow-scope>' : record.clauseId
      const facts = `arrow=${record.arrowId} clause=${clause} verdict=${record.verdict} op=${record.opId}`
      return safeLine(`  ${[`${record.id}  ${facts}`, ...marksOf(record)].join(' ')}`)
    })
  ]
}

/** `/passes` (OPUI-230). */
export function openPassLines(passes: readonly OpenPassState[]): readonly string[] {
  if (passes.length === 0) return ['no open passes']
  return [
    `open passes (${passes.length}):`,
    ...passes.map(({ pass, isParked, waiting }) => {
      const facts = `role=${pass.role} context=${pass.context} arrow=${pass.arrowId} state=${pass.state}`
      return safeLine(`  ${pass.id}  ${facts}${isParked ? ` waiting=${waiting}` : ''}`)
    })
  ]
}

/** `/passes <id>`: the row, then what became of its clauses (OPUI-231). */
export function passDetailLines(pass: PassRecord, clauses: readonly ClauseOutcome[]): readonly string[] {
  const fields = {
    pass: pass.id,
    role: pass.role,
    context: pass.context,
    arrow_id: pass.arrowId,
    grid_version: pass.gridVersion,
    state: pass.state,
    opened_at: pass.openedAt,
    closed_at: pass.closedAt,
    close_reason: pass.closeReason,
    recovered_at: pass.recoveredAt
  }
  return [
    ...Object.entries(fields).map(([key, value]) => safeLine(`${key}: ${value}`.trimEnd())),
    ...clauses.map((outcome) => {
      const why = outcomeWhy(outcome)
      return safeLine(`  ${outcome.clauseId} ${outcome.status}${why === '' ? '' : ` (${why})`}`)
    })
  ]
}

/** Reason and first line of what became of a clause, each said once; empty when there is nothing to say (OPUI-721). */
export function outcomeWhy({ reason, note }: Pick<ClauseOutcome, 'reason' | 'note'>): string {
  return [reason ?? '', note === reason ? '' : note].filter((each) => each !== '').join(': ')
}

/** `/passes <id>` for an id nobody has (OPUI-231). */
export function unknownPassLine(id: string): string {
  return `not-found: no pass with id "${safeLine(id)}"`
}

/** Findings of the current grid version first, earlier ones apart (RUN-512). */
export function findingLines(findings: readonly Finding[], gridVersion: number): readonly string[] {
  if (findings.length === 0) return ['no findings']
  const earlier = findings.filter((finding) => finding.gridVersion < gridVersion)
  const current = findings.filter((finding) => finding.gridVersion >= gridVersion)
  return [
    `findings (${current.length}):`,
    ...current.map(findingLine),
    ...(earlier.length === 0 ? [] : [`from earlier grid versions (${earlier.length}):`, ...earlier.map(findingLine)])
  ]
}

function findingLine({ id, severity, status, type, arrowId, description }: Finding): string {
  return safeLine(`  ${id}  ${severity} ${status} ${type} arrow=${arrowId}: ${description}`)
}
