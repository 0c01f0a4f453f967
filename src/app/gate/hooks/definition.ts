import { parseArrow } from '../../../gate/bootstrap/index.ts'
import type { Catalogue } from '../../../gate/catalogue/index.ts'
import type { Arrow } from '../../../protocol/grid.ts'

// Arrow definitions as models write them: JSON in the keys of the grid file.

/** A definition as a value in those keys; `readDefinition` reads it back (INIT-70). */
export function definitionOf(arrow: Arrow): Readonly<Record<string, unknown>> {
  return {
    id: arrow.id,
    'source-role': arrow.sourceRole,
    'target-role': arrow.targetRole,
    'producer-role': arrow.producerRole,
    context: arrow.context,
    stratum: arrow.stratum,
    ...(arrow.severityThreshold === null ? {} : { 'severity-threshold': arrow.severityThreshold }),
    clauses: arrow.clauses.map((clause) => ({
      id: clause.id,
      description: clause.description,
      layers: clause.layers,
      eval: clause.eval,
      depth: clause.depth,
      'min-tier': clause.minTier,
      cost: clause.cost,
      source: clause.source,
      ...(clause.concept === null ? {} : { concept: clause.concept, args: clause.args }),
      ...(clause.modified.length === 0 ? {} : { modified: clause.modified }),
      ...(clause.missing.length === 0 ? {} : { deferred: true, missing: clause.missing }),
      ...clause.extra
    })),
    requirements: arrow.requirements.map(({ id, minDepth, description, extra }) => ({
      id,
      'min-depth': minDepth,
      description,
      ...extra
    })),
    ...(arrow.dependencies === null
      ? {}
      : {
          dependencies: arrow.dependencies.map(({ artifact, granularity, onChange, extra }) => ({
            artifact,
            granularity,
            'on-change': onChange,
            ...extra
          }))
        }),
    ...arrow.extra
  }
}

/** Reads a definition, or says where it is wrong. A model that leaves out what follows from the rest is not sent back for it (GATE-13). */
export function readDefinition(
  value: unknown,
  catalogue: Catalogue
): { readonly arrow: Arrow } | { readonly problem: string } {
  if (typeof value !== 'object' || value === null) return { problem: 'a definition is an object' }
  const given = value as Readonly<Record<string, unknown>>
  const read = parseArrow(
    { 'producer-role': given['source-role'], stratum: 'L0', ...given, clauses: clausesOf(given.clauses, catalogue) },
    catalogue
  )
  if ('arrow' in read) return read
  const { at, text } = read.problem
  return { problem: at === '' ? text : `${at}: ${text}` }
}

/** What a clause of the operator's own has unless it says otherwise; its concept names what it costs (GATE-75). */
function clausesOf(clauses: unknown, catalogue: Catalogue): unknown {
  if (!Array.isArray(clauses)) return clauses
  return clauses.map((clause: unknown) => {
    if (typeof clause !== 'object' || clause === null) return clause
    const { concept } = clause as { readonly concept?: unknown }
    const cost = typeof concept === 'string' ? catalogue.get(concept)?.defaultCost : undefined
    return { layers: [], cost: cost ?? 1, source: 'operator-extension', ...clause }
  })
}
