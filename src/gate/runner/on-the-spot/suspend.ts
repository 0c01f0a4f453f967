import { cutBytes, cutLength } from '../../../lib/cap-text.ts'
import { safeLine } from '../../../lib/safe-text.ts'
import type { Arrow } from '../../../protocol/grid.ts'
import { arrowId as idOf, parseArrowId } from '../arrow-id.ts'
import { floorOf, stratumOf } from '../depth.ts'
import type { Gates } from '../gates.ts'
import { noGrid, notAttached, type Refusal, refusal } from '../refusal.ts'

/** Longest text somebody supplies here, in bytes (GATE-100). */
const maxText = 8 * 1024

/** A requested hand-off that nobody has declared: it neither fails nor proceeds (RUN-800, GATE-96). */
export type Suspension = {
  readonly arrowId: string
  readonly source: string
  readonly target: string
  readonly context: string
  /** Label of what would be declared. */
  readonly stratum: string
  /** One line, or empty. */
  readonly upstreamArtifact: string
  /** What ghyll would declare: the contract of the source role for this context. */
  readonly proposal: Arrow
}

export type Suspended =
  | { readonly kind: 'suspended'; readonly suspension: Suspension }
  /** Nothing to declare: the arrow is there. */
  | { readonly kind: 'declared'; readonly arrow: Arrow }
  | {
      readonly kind: 'refused'
      readonly refusal: Refusal<'engine-not-initialized' | 'no-grid' | 'arrow-id-malformed'>
    }

export type SuspendCommand = {
  /** As typed, in either spelling. */
  readonly arrow: string
  readonly upstreamArtifact?: string
  /** The source role's contract for this context, as `ghyll init` proposes it. */
  readonly propose: (name: NonNullable<ReturnType<typeof parseArrowId>>) => Arrow
}

/** Suspends a transition nobody has declared, and tells of it (RUN-800, GATE-96). */
export function suspendTransition(gates: Gates, { arrow, upstreamArtifact = '', propose }: SuspendCommand): Suspended {
  if (!gates.phase.isAttached()) return { kind: 'refused', refusal: notAttached }
  if (gates.grid.current() === null) return { kind: 'refused', refusal: noGrid }
  const name = parseArrowId(arrow)
  if (name === null) {
    const text = `arrow-id-malformed: "${cutLength(safeLine(arrow), 200)}" is no <source>→<target>/<context>`
    return { kind: 'refused', refusal: refusal('arrow-id-malformed', text) }
  }
  const { source, target, context } = name
  const arrowId = idOf(source, target, context)
  const declared = gates.grid.arrow(arrowId)
  if (declared !== null) return { kind: 'declared', arrow: declared }
  const proposal = propose(name)
  const floor = floorOf(proposal.clauses)
  const stratum = floor.kind === 'floor' ? stratumOf(floor.floor) : proposal.stratum
  gates.bus.publish({
    kind: 'on-the-spot-suspended',
    arrow_id: arrowId,
    role: source,
    detail: 'arrow-undeclared',
    payload: { source_role: source, target_role: target, context }
  })
  return {
    kind: 'suspended',
    suspension: {
      arrowId,
      source,
      target,
      context,
      stratum,
      upstreamArtifact: cutBytes(safeLine(upstreamArtifact), maxText),
      proposal: { ...proposal, stratum }
    }
  }
}
