import type { Clause, ResidueEntry, Severity } from '../../protocol/grid.ts'

// The lines of residue and their reasons. The prefix up to the second colon is fixed, the same input gives the same bytes (INIT-60…63).

/** A clause that lacks required arguments and stays in its arrow as deferred (INIT-55). */
export function autoSkipped(arrow: string, clause: Clause): ResidueEntry {
  const names = clause.missing.toSorted().join(', ')
  const reason = `init-v1: auto-skipped (required args without defaults): ${names}`
  return clauseEntry('auto-skipped', arrow, clause, reason)
}

/** A clause the operator dropped, with their own words (INIT-60). */
export function skipped(arrow: string, clause: Clause, reason: string): ResidueEntry {
  return clauseEntry('skipped', arrow, clause, oneLine(reason))
}

/** A context that was seen and not declared (INIT-60); its id is the description. */
export function contextUndeclared(context: string, reason: string): ResidueEntry {
  return wholeEntry('context-undeclared', context, `init-v1: context not declared: ${oneLine(reason)}`)
}

/** The operator went on against a proposed refusal (INIT-44). */
export function refusalOverridden(reason: string): ResidueEntry {
  return wholeEntry('refusal-override', 'refusal', `init-v1: refusal overridden: ${oneLine(reason)}`)
}

/** A severity threshold laxer than the proposed one (GATE-70). */
export function thresholdLaxer(threshold: Severity, reason: string): ResidueEntry {
  return wholeEntry(
    'threshold-laxer',
    'severity threshold',
    `init-v1: severity threshold ${threshold}: ${oneLine(reason)}`
  )
}

function clauseEntry(kind: string, arrow: string, clause: Clause, reason: string): ResidueEntry {
  const { id, concept, description, cost } = clause
  return { kind, arrow, clauseId: id, concept, description, cost, reason }
}

function wholeEntry(kind: string, description: string, reason: string): ResidueEntry {
  return { kind, arrow: '*', clauseId: null, concept: null, description, cost: null, reason }
}

/** An operator's text on one line, without control characters (INIT-60). */
export function oneLine(text: string): string {
  return text
    .replace(/[\r\n\t\u2028\u2029]+/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .trim()
}
