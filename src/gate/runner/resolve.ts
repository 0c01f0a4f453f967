import { digestOfHint } from './hint.ts'
import type { Attestation, Invalidation } from './records.ts'
import { nsOf } from './stamp.ts'

// Whether an earlier verdict still speaks about what is there now (RUN-232).

export type Resolution =
  | { readonly kind: 'pass'; readonly record: Attestation }
  /** `previous` is the line about an earlier verdict, or null. */
  | { readonly kind: 'request'; readonly previous: string | null }

export type ResolveInput = {
  /** All rounds on the ref, oldest first. */
  readonly rounds: readonly Attestation[]
  readonly gridVersion: number
  readonly latestInvalidation: Invalidation | null
  /** The artifact as it is now. */
  readonly artifactDigest: string
  /** An escalation is outstanding: only its answer decides. */
  readonly isCrossed: boolean
}

/** Resolves one attested clause: the latest usable record decides, and only a `pass` decides without asking again (RUN-232). */
export function resolveAttested(input: ResolveInput): Resolution {
  const usable = input.rounds.filter((record) => isUsable(record, input)).at(-1)
  if (!input.isCrossed && usable?.verdict === 'pass') return { kind: 'pass', record: usable }
  const last = input.rounds.at(-1)
  return { kind: 'request', previous: last === undefined ? null : previousLine(last) }
}

function isUsable(record: Attestation, { gridVersion, latestInvalidation, artifactDigest }: ResolveInput): boolean {
  if (record.gridVersion !== gridVersion || artifactDigest === '') return false
  if (latestInvalidation !== null && !isLater(record, latestInvalidation)) return false
  return digestOfHint(record.hintJson) === artifactDigest
}

/** An invalidation whose time cannot be read voids everything. */
function isLater({ timestamp }: Attestation, { at }: Invalidation): boolean {
  const voidedAt = nsOf(at)
  return voidedAt !== null && timestamp >= voidedAt
}

/** `<verdict> by <op-id> in <pass>` (RUN-232) */
export function previousLine({ verdict, opId, passId }: Attestation): string {
  return `${verdict} by ${opId} in ${passId}`
}
