import type { DepthRank, Requirement } from '../../protocol/grid.ts'
import { createObservers } from './observers.ts'
import type { Phase } from './phase.ts'
import type { Classification, DeclaredRequirement } from './records.ts'
import { type Refusal, refusal } from './refusal.ts'
import type { Stamps } from './stamp.ts'

// How deep the artifact of an arrow was found to be, requirement by requirement (RUN-660…663).

export type DepthRefusal = Refusal<'requirement-duplicate-id' | 'requirement-unknown' | 'requirement-min-depth-invalid'>

export type DepthChange =
  | { readonly kind: 'declared'; readonly requirement: DeclaredRequirement }
  /** No definition asks for it any more; what was observed of it went with it. */
  | { readonly kind: 'withdrawn'; readonly arrowId: string; readonly requirementId: string }
  /** `before` is what was overwritten, for the audit (RUN-661). */
  | { readonly kind: 'observed'; readonly classification: Classification; readonly before: Classification | null }

export type Observation = {
  readonly arrowId: string
  readonly requirementId: string
  /** `unevaluated`: the classifier ran below the rank it needed (RUN-663). */
  readonly observed: DepthRank | 'unevaluated'
  readonly evidence: string
}

export interface Depths {
  declare(arrowId: string, requirement: Requirement): DepthRefusal | null
  /** A new definition of the arrow asks for something else under a known id; what was observed stays. */
  redeclare(arrowId: string, requirement: Requirement): DepthRefusal | null
  /** Withdraws what the definition of the arrow that is in force no longer asks for; `ids` is all that it does ask for (RUN-723). */
  retain(arrowId: string, ids: readonly string[]): void
  observe(observation: Observation): DepthRefusal | null
  requirements(arrowId: string): readonly DeclaredRequirement[]
  classification(arrowId: string, requirementId: string): Classification | null
  load(requirements: Iterable<DeclaredRequirement>, classifications: Iterable<Classification>): void
  watch(observer: (change: DepthChange) => void): () => void
}

/** Empty stores of requirements and what was observed of them (RUN-660). */
export function createDepths(options: {
  readonly stamps: Stamps
  readonly phase: Phase
  readonly warn: (message: string, cause: unknown) => void
}): Depths {
  const { stamps, phase, warn } = options
  const requirements = new Map<string, Map<string, DeclaredRequirement>>()
  const classifications = new Map<string, Classification>()
  const observers = createObservers<DepthChange>('depths', warn)
  let version = 0
  const keyOf = (arrowId: string, requirementId: string) => JSON.stringify([arrowId, requirementId])
  const put = (requirement: DeclaredRequirement) => {
    const ofArrow = requirements.get(requirement.arrowId) ?? new Map<string, DeclaredRequirement>()
    requirements.set(requirement.arrowId, ofArrow.set(requirement.id, requirement))
  }
  const classification = (arrowId: string, requirementId: string) => {
    const found = classifications.get(keyOf(arrowId, requirementId))
    return found === undefined ? null : { ...found }
  }
  const store = (arrowId: string, { id, minDepth, description }: Requirement): DepthRefusal | null => {
    if (![1, 2, 3].includes(minDepth)) return refusal('requirement-min-depth-invalid')
    version += 1
    const declaredAt = stamps.now()
    const requirement = { arrowId, id, minDepth, description, declaredAt, storeVersion: version }
    put(requirement)
    observers.notify({ kind: 'declared', requirement: { ...requirement } })
    return null
  }
  return {
    declare(arrowId, requirement) {
      const { id } = requirement
      if (requirements.get(arrowId)?.has(id) !== true) return store(arrowId, requirement)
      return refusal('requirement-duplicate-id', `requirement-duplicate-id: "${id}"`)
    },
    redeclare(arrowId, requirement) {
      const known = requirements.get(arrowId)?.get(requirement.id)
      if (known === undefined) return refusal('requirement-unknown', `requirement-unknown: "${requirement.id}"`)
      const { minDepth, description } = requirement
      const isSame = known.minDepth === minDepth && known.description === description
      return isSame ? null : store(arrowId, requirement)
    },
    retain(arrowId, ids) {
      const declared = requirements.get(arrowId)
      for (const requirementId of [...(declared?.keys() ?? [])].filter((id) => !ids.includes(id))) {
        declared?.delete(requirementId)
        classifications.delete(keyOf(arrowId, requirementId))
        observers.notify({ kind: 'withdrawn', arrowId, requirementId })
      }
    },
    observe({ arrowId, requirementId, observed, evidence }) {
      if (requirements.get(arrowId)?.has(requirementId) !== true)
        return refusal('requirement-unknown', `requirement-unknown: "${requirementId}"`)
      const before = classification(arrowId, requirementId)
      version += 1
      const next: Classification = {
        arrowId,
        requirementId,
        observed: observed === 'unevaluated' ? 0 : observed,
        unevaluated: observed === 'unevaluated',
        evidence,
        overwriteCount: before === null ? 0 : before.overwriteCount + 1,
        classifiedAt: stamps.now(),
        storeVersion: version
      }
      classifications.set(keyOf(arrowId, requirementId), next)
      observers.notify({ kind: 'observed', classification: { ...next }, before })
      return null
    },
    requirements: (arrowId) => [...(requirements.get(arrowId)?.values() ?? [])].map((each) => ({ ...each })),
    classification,
    load(loadedRequirements, loadedClassifications) {
      phase.loading()
      for (const requirement of loadedRequirements) {
        put(requirement)
        version = Math.max(version, requirement.storeVersion)
      }
      for (const each of loadedClassifications) {
        classifications.set(keyOf(each.arrowId, each.requirementId), each)
        version = Math.max(version, each.storeVersion)
      }
    },
    watch: observers.observe
  }
}
