import { defaultResidueMaxBytes, type Gates, type PromptFacts, type QueueItem } from '../../gate/runner/index.ts'
import type { GatePrompt } from '../../protocol/gate-prompt.ts'

/** A queued question as the screen presents it (OPUI-420, 430, 540). */
export function promptOf(gates: Gates, item: QueueItem, facts: PromptFacts): GatePrompt {
  const noteMaxBytes = gates.grid.current()?.residueNoteMaxBytes ?? defaultResidueMaxBytes
  const { key, ref, arrowId: arrow, clauseId: clause, passId, hint } = item
  switch (item.type) {
    case 'verdict':
      return {
        kind: 'verdict',
        item: key,
        ref,
        arrow,
        clause,
        concept: hint?.concept ?? 'unknown',
        description: hint?.description ?? '',
        pass: passId,
        round: { at: facts.round, of: facts.roundsMax },
        previous: hint?.previous ?? '',
        locations: hint?.locations ?? [],
        basis: hint?.basis ?? '',
        notCovered: hint?.residue ?? '',
        evidence: hint?.evidence ?? '',
        note: hint?.note ?? '',
        noteMaxBytes
      }
    case 'escalation':
      return {
        kind: 'escalation',
        item: key,
        ref,
        arrow,
        clause,
        pass: passId,
        rounds: facts.round,
        notes: facts.notes,
        noteMaxBytes
      }
    case 'risk':
      return {
        kind: 'risk-acceptance',
        item: key,
        arrow,
        finding: ref,
        severity: facts.finding?.severity ?? 'unevaluated',
        type: facts.finding?.type ?? '',
        claim: facts.finding?.description ?? '',
        producer: item.rationale,
        noteMaxBytes
      }
  }
}
