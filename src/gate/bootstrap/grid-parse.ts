import type { z } from 'zod'
import type { Args, Arrow, Binding, Clause, DepthRank, Extra, Grid, Role, RoleId } from '../../protocol/grid.ts'
import { argValue, type Catalogue, readBinding } from '../catalogue/index.ts'
import { arrowProblem, gridProblem } from '../runner/grid-check.ts'
import { defaultLadder, type Ladder, readLadder } from '../runner/ladder.ts'
import type { GridProblem } from '../runner/vocabulary.ts'
import {
  arrowShape,
  clauseShape,
  contextShape,
  dependencyShape,
  gridShape,
  type RawArrow,
  type RawClause,
  type RawGrid,
  requirementShape,
  residueShape
} from './grid-shape.ts'
import { parseSafeYaml } from './safe-yaml.ts'
import { vocabularyOf } from './vocabulary.ts'

export type ReadGrid =
  /** `unknownKeys`: keys nobody knows, kept in `extra`, to be reported once (INIT-71). */
  { readonly grid: Grid; readonly unknownKeys: readonly string[] } | { readonly problem: GridProblem }

/** Reads the text of a grid file: syntax, shape, sense (INIT-70, INIT-71, GATE-13). Never throws for a bad text. */
export function parseGrid(text: string, catalogue: Catalogue): ReadGrid {
  const yaml = parseSafeYaml(text)
  if ('problem' in yaml) return { problem: { at: yaml.line === null ? '' : `line ${yaml.line}`, text: yaml.problem } }
  const shaped = gridShape.safeParse(yaml.value)
  if (!shaped.success) return { problem: firstIssue(shaped.error) }
  const raw = shaped.data
  const extras = collectExtras()
  const ladder = ladderOf(raw)
  if ('problem' in ladder) return { problem: { at: 'depth-ladder', text: ladder.problem } }
  const bindings = bindingsOf(raw, catalogue)
  if ('problem' in bindings) return bindings
  const grid: Grid = { ...gridOf(raw, extras), depthLadder: ladder.ladder, languageBindings: bindings.bindings }
  const problem = extras.problem() ?? deferredProblem(raw) ?? gridProblem(grid, vocabularyOf(catalogue))
  return problem === null ? { grid, unknownKeys: extras.keys() } : { problem }
}

/** Reads one arrow definition in the keys of a grid file, from wherever it came (GATE-97, RUN-726). Never throws for a bad value. */
export function parseArrow(
  value: unknown,
  catalogue: Catalogue
): { readonly arrow: Arrow } | { readonly problem: GridProblem } {
  const shaped = arrowShape.safeParse(value)
  if (!shaped.success) return { problem: firstIssue(shaped.error) }
  const extras = collectExtras()
  const arrow = arrowOf(shaped.data, extras, '')
  const problem =
    extras.problem() ?? deferredProblem({ arrows: [shaped.data] }) ?? arrowProblem(arrow, vocabularyOf(catalogue))
  return problem === null ? { arrow } : { problem }
}

function firstIssue(error: z.ZodError): GridProblem {
  const issue = error.issues[0]
  return { at: pathText(issue?.path ?? []), text: issue?.message ?? 'malformed' }
}

function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '')
}

function gridOf(raw: RawGrid, extras: Extras): Omit<Grid, 'depthLadder' | 'languageBindings'> {
  return {
    version: raw['grid-version'],
    contractRevision: raw['contract-revision'],
    createdAt: raw['created-at'],
    createdByOpId: raw['created-by-op-id'],
    mode: raw.mode,
    languages: raw.languages,
    boundedContexts: raw['bounded-contexts'].map((context, n) => ({
      id: context.id,
      description: context.description,
      ...extras.of(context, contextShape, `bounded-contexts[${n}]`)
    })),
    severityThreshold: raw['severity-threshold'],
    insufficientBasisRoundsMax: raw['insufficient-basis-rounds-max'],
    remediationRoundsMax: raw['remediation-rounds-max'],
    residueNoteMaxBytes: raw['residue-note-max-bytes'],
    modalPendingMaxLen: raw['modal-pending-max-len'],
    onTheSpotInterruptions: raw['on-the-spot-interruptions'],
    strictOpIdSeparation: raw['strict-op-id-separation'],
    retention: raw.retention,
    amendmentId: raw['amendment-id'],
    refusalOverride: raw['refusal-override'],
    arrows: raw.arrows.map((arrow, n) => arrowOf(arrow, extras, `arrows[${n}]`)),
    residue: raw.residue.map((entry, n) => ({
      kind: entry.kind,
      arrow: entry.arrow,
      clauseId: entry['clause-id'],
      concept: entry.concept,
      description: entry.description,
      cost: entry.cost,
      reason: entry.reason,
      ...extras.of(entry, residueShape, `residue[${n}]`)
    })),
    ...extras.of(raw, gridShape, '')
  }
}

// Roles, ranks and the like are typed here and checked by `gridProblem`, so that file and program are held to one rule.
function arrowOf(raw: RawArrow, extras: Extras, at: string): Arrow {
  return {
    id: raw.id,
    sourceRole: raw['source-role'] as RoleId,
    targetRole: raw['target-role'] as Role,
    producerRole: raw['producer-role'] as RoleId,
    context: raw.context,
    stratum: raw.stratum,
    severityThreshold: raw['severity-threshold'],
    clauses: raw.clauses.map((clause, n) => clauseOf(clause, extras, `${at}.clauses[${n}]`)),
    requirements: raw.requirements.map((requirement, n) => ({
      id: requirement.id,
      minDepth: requirement['min-depth'] as 1 | 2 | 3,
      description: requirement.description,
      ...extras.of(requirement, requirementShape, `${at}.requirements[${n}]`)
    })),
    dependencies:
      raw.dependencies?.map((dependency, n) => ({
        artifact: dependency.artifact,
        granularity: dependency.granularity,
        onChange: dependency['on-change'],
        ...extras.of(dependency, dependencyShape, `${at}.dependencies[${n}]`)
      })) ?? null,
    ...extras.of(raw, arrowShape, at)
  }
}

function clauseOf(raw: RawClause, extras: Extras, at: string): Clause {
  return {
    id: raw.id,
    description: raw.description,
    layers: raw.layers,
    eval: raw.eval,
    depth: raw.depth,
    minTier: raw['min-tier'] as DepthRank,
    cost: raw.cost,
    source: raw.source,
    concept: raw.concept,
    args: raw.args,
    modified: raw.modified,
    missing: raw.missing,
    ...extras.of(raw, clauseShape, at)
  }
}

/** A clause is deferred and says what it lacks, or neither. */
function deferredProblem(raw: Pick<RawGrid, 'arrows'>): GridProblem | null {
  for (const [n, arrow] of raw.arrows.entries())
    for (const [k, { deferred, missing }] of arrow.clauses.entries())
      if (deferred !== missing.length > 0)
        return { at: `arrows[${n}].clauses[${k}].deferred`, text: '`deferred: true` and `missing` go together' }
  return null
}

function ladderOf(raw: RawGrid): { readonly ladder: Ladder } | { readonly problem: string } {
  const tiers = raw['depth-ladder']
  if (tiers === undefined || tiers === null) return { ladder: defaultLadder }
  const sorted = tiers.toSorted((a, b) => a.tier - b.tier)
  if (sorted.some(({ tier }, n) => tier !== n)) return { problem: 'depth-ladder needs the tiers 0 to 3, each once' }
  return readLadder(sorted.map(({ label }) => label))
}

function bindingsOf(
  raw: RawGrid,
  catalogue: Catalogue
): { readonly bindings: Readonly<Record<string, Binding>> } | { readonly problem: GridProblem } {
  const bindings = new Map<string, Binding>()
  for (const [key, value] of Object.entries(raw['language-bindings'])) {
    const read = readBinding(catalogue, key, value)
    const at = `language-bindings.${key}`
    if ('problem' in read) return { problem: { at, text: read.problem.message } }
    if (bindings.has(read.key)) return { problem: { at, text: `concept-already-registered: ${read.key}` } }
    bindings.set(read.key, read.binding)
  }
  return { bindings: Object.fromEntries(bindings) }
}

type Extras = ReturnType<typeof collectExtras>

function collectExtras() {
  const keys: string[] = []
  let problem: GridProblem | null = null
  return {
    keys: (): readonly string[] => keys,
    problem: () => problem,
    /** The keys of `raw` that its shape does not know, as the field to spread into what is made of it. */
    of(raw: object, { shape }: { readonly shape: object }, at: string): Extra {
      const unknown = Object.entries(raw).filter(([key]) => !Object.hasOwn(shape, key))
      if (unknown.length === 0) return {}
      const extra: Record<string, Args[string]> = {}
      for (const [key, value] of unknown) {
        const path = at === '' ? key : `${at}.${key}`
        const read = argValue.safeParse(value)
        if (read.success) extra[key] = read.data
        else problem ??= { at: path, text: 'a value that YAML and JSON do not share' }
        keys.push(path)
      }
      return { extra }
    }
  }
}
