import { isSameJson } from '../../../lib/equal.ts'
import type { Arrow, Binding, BoundedContext, Grid, ResidueEntry } from '../../../protocol/grid.ts'
import { withClauseIds } from '../clause-ids.ts'
import { floorOf, stratumOf } from '../depth.ts'
import { arrowProblem, gridProblem } from '../grid-check.ts'
import { type Refusal, refusal } from '../refusal.ts'
import type { Vocabulary } from '../vocabulary.ts'

// The next version of the grid, in memory (RUN-720 steps 3 and 5). Pure: nothing is written and nothing changes.

export type GridChange = {
  readonly newArrows: readonly Arrow[]
  readonly bindings: Readonly<Record<string, Binding>>
  readonly residue?: readonly ResidueEntry[]
  /** Declarations on the spot that come with it (GATE-97 step 5). */
  readonly interruptions?: number
  readonly amendmentId: string | null
  readonly opId: string
  /** RFC 3339, UTC. */
  readonly createdAt: string
}

export type Staged = {
  /** Version N+1 with everything but the new arrows. */
  readonly base: Grid
  /** Definitions that differ from what is declared, with their labels derived. */
  readonly arrows: readonly Arrow[]
  /** Ids of those that replace another definition. */
  readonly superseded: readonly string[]
  readonly hasNewBindings: boolean
}

export type StageRefusal = Refusal<'arrow-already-declared' | 'amendment-definition-invalid'>

/** Checks a change and prepares the version it makes; refused, nothing has happened (RUN-720 step 3, RUN-723). */
export function stageGrid(
  grid: Grid,
  change: GridChange,
  vocabulary: Vocabulary
): { readonly staged: Staged } | { readonly refused: StageRefusal } {
  const given = change.newArrows.map(labelled)
  const ids = given.map(({ id }) => id)
  const repeated = ids.find((id, place) => ids.indexOf(id) !== place)
  if (repeated !== undefined)
    return { refused: refusal('arrow-already-declared', `arrow-already-declared: "${repeated}" twice`) }
  for (const arrow of given) {
    const problem = arrowProblem(arrow, vocabulary)
    if (problem !== null) return { refused: invalid(`${arrow.id} ${problem.at}: ${problem.text}`) }
  }
  const declared = new Map(grid.arrows.map((arrow) => [arrow.id, arrow]))
  const arrows = given.filter((arrow) => !isSameJson(arrow, declared.get(arrow.id)))
  const bindings = { ...grid.languageBindings, ...change.bindings }
  const staged: Staged = {
    base: {
      ...grid,
      version: grid.version + 1,
      createdAt: change.createdAt,
      createdByOpId: change.opId,
      amendmentId: change.amendmentId,
      languageBindings: bindings,
      boundedContexts: withContexts(grid.boundedContexts, arrows),
      residue: [...grid.residue, ...(change.residue ?? [])],
      onTheSpotInterruptions: grid.onTheSpotInterruptions + (change.interruptions ?? 0)
    },
    arrows,
    superseded: arrows.flatMap(({ id }) => (declared.has(id) ? [id] : [])),
    hasNewBindings: !isSameJson(bindings, grid.languageBindings)
  }
  const problem = gridProblem(appended(staged), vocabulary)
  return problem === null ? { staged } : { refused: invalid(`${problem.at}: ${problem.text}`) }
}

/** The whole version: a definition takes the place of the one with its id, others follow at the end; none is ever removed (RUN-723). */
export function appended({ base, arrows }: Staged): Grid {
  const byId = new Map(arrows.map((arrow) => [arrow.id, arrow]))
  const kept = base.arrows.map((arrow) => byId.get(arrow.id) ?? arrow)
  const known = new Set(base.arrows.map(({ id }) => id))
  return { ...base, arrows: [...kept, ...arrows.filter(({ id }) => !known.has(id))] }
}

/** Clauses without an id get one, and the label follows the clauses (GATE-9, GATE-74). */
function labelled(arrow: Arrow): Arrow {
  const named = withClauseIds(arrow)
  const floor = floorOf(named.clauses)
  return floor.kind === 'floor' ? { ...named, stratum: stratumOf(floor.floor) } : named
}

/** A definition in a context nobody listed adds it (RUN-723). */
function withContexts(contexts: readonly BoundedContext[], arrows: readonly Arrow[]): readonly BoundedContext[] {
  const known = new Set(contexts.map(({ id }) => id))
  const added = [...new Set(arrows.map(({ context }) => context))].filter((id) => !known.has(id))
  return [...contexts, ...added.map((id) => ({ id, description: null }))]
}

function invalid(text: string): StageRefusal {
  return refusal('amendment-definition-invalid', `amendment-definition-invalid: ${text}`)
}
