import type { Attestation } from '../../runner/index.ts'

/**
 * What makes a record invalid wherever it stands, in the words of the verifier (ATT-310, ATT-340, ATT-600): ids, time, kind, verdict,
 * and that nobody graded their own work. Both the loader and the verifier ask this.
 */
export function recordProblems(record: Attestation): readonly string[] {
  return [...idProblems(record), ...wordProblems(record), ...selfCertProblems(record)]
}

function idProblems(record: Attestation): readonly string[] {
  const ids = {
    attestation_id: record.id,
    arrow_id: record.arrowId,
    op_id: record.opId,
    attested_by_role: record.attestedByRole
  }
  const problems = Object.entries(ids)
    .filter(([, value]) => value.trim() === '')
    .map(([key]) => `${key} is empty`)
  return record.timestamp > 0n ? problems : [...problems, `timestamp must be > 0; got ${record.timestamp}`]
}

function wordProblems({ kind, clauseId, verdict }: Attestation): readonly string[] {
  const problems: string[] = []
  const hasClause = clauseId.trim() !== ''
  if (kind !== 'depth-type' && kind !== 'on-the-spot') problems.push(`kind "${kind}" not in {depth-type, on-the-spot}`)
  else if (kind === 'depth-type' && !hasClause) problems.push('depth-type kind requires clause_id')
  else if (kind === 'on-the-spot' && clauseId !== '') problems.push('on-the-spot kind must not carry clause_id')
  if (verdict !== 'pass' && verdict !== 'fail' && verdict !== 'insufficient-basis')
    problems.push(`verdict "${verdict}" not in {pass, fail, insufficient-basis}`)
  return problems
}

/** The roles that may not be an endpoint of the hand-off they judge; an empty endpoint is not compared (ATT-340). */
function selfCertProblems(record: Attestation): readonly string[] {
  const judges = { attested_by_role: record.attestedByRole, adversary_role: record.adversaryRole }
  const endpoints = { source_role: record.sourceRole, target_role: record.targetRole }
  return Object.entries(judges).flatMap(([judge, role]) =>
    Object.entries(endpoints)
      .filter(([, endpoint]) => folded(role) !== '' && folded(role) === folded(endpoint))
      .map(([endpoint]) => `self-cert: ${judge} "${role}" equals ${endpoint}`)
  )
}

function folded(role: string): string {
  return role.trim().toLowerCase()
}
