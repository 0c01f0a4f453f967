import type { DeclareOutcome } from './declare.ts'

/** The line about a declaration (OPUI-550); null where the arrow simply runs. */
export function declareText(arrowId: string, opId: string, outcome: DeclareOutcome): string | null {
  switch (outcome.kind) {
    case 'declared':
      return `✓ arrow ${outcome.arrow.id} declared in grid v${outcome.gridVersion}: attested by ${outcome.role} as ${opId}`
    case 'left':
      return `ℹ transition ${arrowId} not declared; work stays suspended`
    case 'refused':
      return `✗ ${outcome.refusal.text}`
    case 'already':
      return null
  }
}
