import { byteLength, cutLength } from '../../lib/cap-text.ts'
import { safeText } from '../../lib/safe-text.ts'
import type { Args } from '../../protocol/grid.ts'

/** What the operator is shown about one clause to be attested; the detail of its request and part of its record (ATT-360, EVT-320). */
export type Hint = {
  readonly arrow_id: string
  readonly clause_id: string
  /** `attested` for a clause without one, `unknown` when the hint was rebuilt from an event. */
  readonly concept: string
  readonly attestation_ref: string
  /** The artifact as it is spoken about (RUN-232). */
  readonly artifact_digest: string
  readonly description?: string
  readonly locations?: readonly string[]
  readonly basis?: string
  /** What the selection rule left out. */
  readonly residue?: string
  /** Result of the concept's evaluator, as text; it never decides (RUN-230). */
  readonly evidence?: string
  /** `depth-below-required` when the clause was handed over by GATE-24. */
  readonly unevaluated_reason?: string
  readonly note?: string
  /** An earlier verdict that no longer counts. */
  readonly previous?: string
}

/** Longest hint text that is read back, in bytes (ATT-362). */
export const maxHintBytes = 64 * 1024

/**
 * Words that judge; no hint may hold one (GATE-58, RUN-623). The name of a file says nothing about it. Letters that only look different,
 * and characters between them that nobody sees, change no word.
 */
export function holdsJudgement(text: string): boolean {
  return judgement.test(safeText(text).normalize('NFKC').replace(fileName, ' '))
}

/** The same of a place to look at: a path is none, whatever it is called; words beside or instead of one may be. */
export function isJudgingPlace(place: string): boolean {
  return holdsJudgement(place.trim().replace(/^[^\s:]*\/[^\s:]*(?=:\d|$)|^[^\s:]+(?=:\d)/u, ' '))
}

const judgement = /(?<![\p{L}\p{N}_])(?:approved?|looks\s+good|sufficient|lgtm)(?![\p{L}\p{N}_])/iu

/** A word that ends like a file, with folders before it or not; a full stop ends a sentence and no file. */
const fileName = /(?<![^\s`'"(,])(?:[\w@.~*-]+\/)*[\w@*-]+(?:\.[\w-]+)*\.[a-z][a-z0-9]{0,9}(?![\w/]|\.\w)/gu

/** Lengths of what a producer says about where to look, in characters (ATT-362). */
const producerLimits = { locations: 20, location: 500, basis: 1000, residue: 4000 } as const

/** A producer's words as they enter a hint: no longer than a person reads, so that the hint is read back with its digest (ATT-362). */
export function cutProducerHint({
  locations,
  basis,
  residue
}: Required<Pick<Hint, 'locations' | 'basis' | 'residue'>>) {
  return {
    locations: locations.slice(0, producerLimits.locations).map((place) => cutLength(place, producerLimits.location)),
    basis: cutLength(basis, producerLimits.basis),
    residue: cutLength(residue, producerLimits.residue)
  }
}

/** The hint as the detail of a request; evidence gives way first when it is too long to be read back (ATT-362). */
export function hintText(hint: Hint): string {
  const whole = JSON.stringify(hint)
  if (byteLength(whole) <= maxHintBytes) return whole
  const { evidence = '', ...rest } = hint
  const room = maxHintBytes - byteLength(JSON.stringify(rest)) - 64
  // A character takes at most six bytes in JSON text (`\u001b`).
  const cut = room > 0 ? cutLength(evidence, Math.floor(room / 6)) : ''
  return JSON.stringify({ ...rest, ...(cut !== '' && { evidence: `${cut} …` }) })
}

/** Reads a hint back; null when it is too long or no hint (EVT-320). */
export function parseHint(text: string): Hint | null {
  if (text === '' || byteLength(text) > maxHintBytes) return null
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // Not JSON: the caller rebuilds the hint from the event's fields.
    return null
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const { arrow_id, clause_id, concept, attestation_ref, artifact_digest } = value as Args
  const ids = [arrow_id, clause_id, concept, attestation_ref, artifact_digest]
  return ids.every((id) => typeof id === 'string') ? (value as Hint) : null
}

/** The artifact digest a record's hint carries, or `''` (RUN-232). */
export function digestOfHint(hintJson: string): string {
  return parseHint(hintJson)?.artifact_digest ?? ''
}
