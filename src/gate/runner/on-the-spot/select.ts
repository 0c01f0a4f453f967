import { byteLength } from '../../../lib/cap-text.ts'
import { safeLine } from '../../../lib/safe-text.ts'
import type { Arrow, ResidueEntry } from '../../../protocol/grid.ts'
import { type Refusal, refusal } from '../refusal.ts'

// Which clauses of a definition are declared (OPUI-550): those of the contract may be left out with residue, and are never changed.

export type Skipped = { readonly clause: string; readonly residue: string }

/** The arrow as it is declared, and what stays visible of what it lacks. */
export type Selected = { readonly arrow: Arrow; readonly residue: readonly ResidueEntry[] }

/** Leaves out what the operator skipped; each leaves its words behind, as at init (OPUI-550). */
export function selectClauses(
  arrow: Arrow,
  skipped: readonly Skipped[],
  { maxBytes: max, isBase }: { readonly maxBytes: number; readonly isBase: (clauseId: string) => boolean }
): Selected | { readonly refused: Refusal } {
  const residue: ResidueEntry[] = []
  for (const { clause: id, residue: given } of skipped) {
    const clause = arrow.clauses.find((each) => each.id === id)
    if (clause === undefined) return { refused: refusal('unknown-clause-id', `unknown-clause-id: ${id}`) }
    if (isBase(id)) {
      const text = `base-clause-not-skippable: ${id}`
      return { refused: refusal('base-clause-not-skippable', text) }
    }
    const reason = safeLine(given).trim()
    if (reason === '') return { refused: refusal('residue-required-for-skip', `residue-required-for-skip: ${id}`) }
    const size = byteLength(reason)
    if (size > max) {
      const text = `residue-note-too-long: ${size} > ${max} bytes`
      return { refused: refusal('residue-note-too-long', text) }
    }
    residue.push({
      kind: 'skipped',
      arrow: arrow.id,
      clauseId: id,
      concept: clause.concept,
      description: clause.description,
      cost: clause.cost,
      reason
    })
  }
  const left = arrow.clauses.filter(({ id }) => !skipped.some(({ clause }) => clause === id))
  return left.length === 0
    ? { refused: refusal('no-clause-left', `no-clause-left: ${arrow.id} would have none`) }
    : { arrow: { ...arrow, clauses: left }, residue: [...residue, ...deferredEntries({ ...arrow, clauses: left })] }
}

/** A clause without all its arguments stays visible as residue, as at init (INIT-55). */
function deferredEntries({ id, clauses }: Arrow): readonly ResidueEntry[] {
  return clauses
    .filter(({ missing }) => missing.length > 0)
    .map((clause) => ({
      kind: 'auto-skipped',
      arrow: id,
      clauseId: clause.id,
      concept: clause.concept,
      description: clause.description,
      cost: clause.cost,
      reason: `init-v1: auto-skipped (required args without defaults): ${clause.missing.toSorted().join(', ')}`
    }))
}
