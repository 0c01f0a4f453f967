import { assert } from '../../lib/assert.ts'
import type { Arrow, Binding, BoundedContext, Clause, Grid, ResidueEntry } from '../../protocol/grid.ts'
import type { Catalogue } from '../catalogue/index.ts'
import { contractRevision } from '../runner/contracts/index.ts'
import { floorOf, stratumOf } from '../runner/depth.ts'
import { gridProblem } from '../runner/grid-check.ts'
import { type ProjectFacts, type ProposedArrow, pendingBaseEntries } from './proposal.ts'
import { autoSkipped, refusalOverridden, skipped } from './residue-entries.ts'
import type { ReadSettings } from './settings.ts'
import { incompleteText, type VerdictState } from './verdicts.ts'
import { vocabularyOf } from './vocabulary.ts'

export type GridParts = {
  readonly verdicts: VerdictState
  readonly contexts: readonly BoundedContext[]
  readonly facts: ProjectFacts
  readonly settings: ReadSettings
  readonly bindings: Readonly<Record<string, Binding>>
  /** Reason of an overridden refusal, or null (INIT-44). */
  readonly refusalOverride: string | null
  /** Contexts left out and the like. */
  readonly residue: readonly ResidueEntry[]
  readonly opId: string
  /** RFC 3339, UTC. */
  readonly createdAt: string
}

/** Version 1 from the verdicts; every proposed clause needs one (INIT-54). The result is held to the rules a file is held to. */
export function assembleGrid(parts: GridParts, catalogue: Catalogue): Grid {
  const { verdicts, facts, settings, refusalOverride } = parts
  const incomplete = incompleteText(verdicts)
  assert(incomplete === null, incomplete ?? '')
  const residue = verdicts.arrows.flatMap((arrow) => residueOfArrow(arrow, verdicts))
  const grid: Grid = {
    version: 1,
    contractRevision,
    createdAt: parts.createdAt,
    createdByOpId: parts.opId,
    mode: facts.profile.mode,
    languages: facts.languages,
    boundedContexts: parts.contexts,
    languageBindings: parts.bindings,
    ...settings.settings,
    onTheSpotInterruptions: 0,
    amendmentId: null,
    refusalOverride,
    arrows: verdicts.arrows.map((arrow) => arrowFrom(arrow, clausesOf(arrow, verdicts))),
    residue: [
      ...residue,
      ...pendingBaseEntries(facts),
      ...parts.residue,
      ...settings.residue,
      ...(refusalOverride === null ? [] : [refusalOverridden(refusalOverride)])
    ]
  }
  const problem = gridProblem(grid, vocabularyOf(catalogue))
  assert(problem === null, `assembled grid: ${problem?.at}: ${problem?.text}`)
  return grid
}

/** The arrow a proposal becomes with these clauses: without requirements, under the threshold of the grid. */
export function arrowFrom(proposed: ProposedArrow, clauses: readonly Clause[]): Arrow {
  const { id, source, target, context, dependencies } = proposed
  return {
    id,
    sourceRole: source,
    targetRole: target,
    producerRole: source,
    context,
    stratum: stratumFor(clauses),
    severityThreshold: null,
    clauses,
    requirements: [],
    dependencies
  }
}

/** The routing label of these clauses (GATE-9). */
export function stratumFor(clauses: readonly Clause[]): string {
  const floor = floorOf(clauses)
  assert(floor.kind === 'floor', `depth of clause ${floor.kind === 'failed' ? floor.clause : ''}`)
  return stratumOf(floor.floor)
}

function clausesOf({ id, clauses }: ProposedArrow, verdicts: VerdictState): readonly Clause[] {
  const given = verdicts.decisions.get(id)
  const kept = clauses.flatMap(({ clause }) => {
    const decision = given?.get(clause.id)
    return decision === undefined || decision.kind === 'skipped' ? [] : [decision.clause]
  })
  return [...kept, ...(verdicts.extensions.get(id) ?? [])]
}

function residueOfArrow({ id, clauses }: ProposedArrow, verdicts: VerdictState): readonly ResidueEntry[] {
  const given = verdicts.decisions.get(id)
  return clauses.flatMap(({ clause }) => {
    const decision = given?.get(clause.id)
    if (decision?.kind === 'deferred') return [autoSkipped(id, decision.clause)]
    return decision?.kind === 'skipped' ? [skipped(id, decision.clause, decision.reason)] : []
  })
}
