import { letBugsThrough } from '../../../lib/assert.ts'
import { compilePathGlob } from '../../../lib/path-glob.ts'
import type { Arrow, Dependency } from '../../../protocol/grid.ts'
import type { Gates } from '../gates.ts'
import type { InvalidationCause } from '../records.ts'
import type { Staged } from './stage.ts'

// Which arrows an amendment voids (RUN-722, GATE-87…91). Too much checked again is safe, too little is not.

export type Affected = {
  /** Something the arrows rest on changed, or a definition did; otherwise nothing is voided (GATE-94). */
  readonly isSpecChange: boolean
  /** In grid order. */
  readonly arrows: readonly { readonly id: string; readonly because: readonly InvalidationCause[] }[]
}

export type AffectedInput = {
  readonly sourceArrow: string
  readonly staged: Staged
  readonly changedArtifacts: readonly string[]
  /** Arrows with dependencies whose digests are not the recorded ones, and these. */
  readonly differing: Differing
}

/**
 * The arrows a commit voids, each with what it was reached through; none when neither definitions nor artifacts changed (RUN-722,
 * GATE-94).
 */
export function affectedArrows(
  arrows: readonly Arrow[],
  { sourceArrow, staged, changedArtifacts, differing }: AffectedInput
): Affected {
  const isSpecChange = staged.arrows.length > 0 || changedArtifacts.length > 0 || differing.size > 0
  if (!isSpecChange) return { isSpecChange, arrows: [] }
  const superseded = new Set(staged.superseded)
  const affected = arrows.map(({ id, dependencies }) => {
    const because = new Set<InvalidationCause>()
    if (id === sourceArrow) because.add('source')
    if (superseded.has(id)) because.add('superseded')
    if (dependencies === null) because.add('undeclared')
    const changed = differing.get(id) ?? []
    for (const each of dependencies ?? [])
      if (changed.includes(each) || matchesAny(each, changedArtifacts)) because.add(each.granularity)
    return { id, because: [...because] }
  })
  return { isSpecChange, arrows: affected.filter(({ because }) => because.length > 0) }
}

/**
 * How many of those that were voided are so only because they declare no dependencies: a high number means that declarations are missing
 * (GATE-90).
 */
export function fallbackOnly({ arrows }: Affected, voided: readonly string[]): number {
  return arrows.filter(({ id, because }) => voided.includes(id) && because.every((word) => word === 'undeclared'))
    .length
}

/** Whether one of these changed artifacts (path, `path#Heading` or manual id) is what the dependency names (RUN-722). */
export function matchesAny(dependency: Dependency, changed: readonly string[]): boolean {
  return changed.some((text) => names(dependency, text.trim().replace(/^(?:\.\/)+/, '')))
}

function names({ artifact, granularity }: Dependency, changed: string): boolean {
  const [path = '', heading] = splitHeading(changed)
  switch (granularity) {
    case 'file':
      return compilePathGlob(artifact).matches(path)
    case 'section': {
      const [ownPath = '', ownHeading] = splitHeading(artifact)
      return compilePathGlob(ownPath).matches(path) && (heading === undefined || heading === ownHeading)
    }
    case 'clause-id':
      return changed === artifact
  }
}

function splitHeading(ref: string): readonly string[] {
  const at = ref.indexOf('#')
  return at === -1 ? [ref] : [ref.slice(0, at), ref.slice(at + 1).trim()]
}

export type Differing = ReadonlyMap<string, readonly Dependency[]>

/** What arrows rest on and is no longer what it was when their effective pass closed (GATE-89). What cannot be read has changed. */
export async function differingArrows(gates: Gates, signal: AbortSignal): Promise<Differing> {
  const differing = new Map<string, readonly Dependency[]>()
  for (const arrow of gates.grid.current()?.arrows ?? []) {
    const recorded = gates.history.effective(arrow.id)?.pass.dependencyDigests ?? null
    if (recorded === null || arrow.dependencies === null || arrow.dependencies.length === 0) continue
    const changed = await changedOf(gates, arrow, recorded, signal)
    if (changed.length > 0) differing.set(arrow.id, changed)
  }
  return differing
}

async function changedOf(
  gates: Gates,
  arrow: Arrow,
  recorded: Readonly<Record<string, string>>,
  signal: AbortSignal
): Promise<readonly Dependency[]> {
  const declared = arrow.dependencies ?? []
  try {
    const { dependencies } = await gates.ports.artifacts.take(arrow, signal)
    return declared.filter(({ artifact }) => dependencies?.[artifact] !== recorded[artifact])
  } catch (cause) {
    letBugsThrough(cause)
    gates.ports.warn(`dependencies of ${arrow.id} could not be read`, cause)
    return declared
  }
}

/** Whether the arrow ever had a pass, an open one included: what never had one has nothing to be voided (RUN-722). */
export function hadPass(gates: Gates, arrowId: string): boolean {
  return (
    gates.history.latest(arrowId) !== null ||
    gates.history.effective(arrowId) !== null ||
    gates.passes.all().some(({ record }) => record.arrowId === arrowId)
  )
}
