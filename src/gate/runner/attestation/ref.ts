import { attestationRef } from '../arrow-id.ts'

// Reading an attestation ref that somebody typed (ATT-200…202). Arrow and context names may hold `-` and `-v`, so that what is known is
// compared first and the text is only taken apart when nothing matches.

export type ReadRef = {
  readonly ref: string
  readonly arrowId: string
  /** null: the whole arrow. */
  readonly clauseId: string | null
  readonly gridVersion: number
}

/** What may be attested in some known grid version. */
export type KnownArrow = {
  readonly id: string
  readonly clauseIds: readonly string[]
  readonly versions: readonly number[]
}

/** The ref of this text, or why it is none. A round id names its ref (ATT-201). */
export function readRef(typed: string, known: Iterable<KnownArrow>): ReadRef | { readonly problem: string } {
  const given = typed.trim().replace('->', '→')
  const ref = given.replace(/-r\d+$/, '')
  for (const arrow of known) {
    // Cheap first: most arrows are not meant.
    if (!ref.startsWith(`att-${arrow.id}-`)) continue
    for (const gridVersion of arrow.versions)
      for (const clauseId of [null, ...arrow.clauseIds])
        if (attestationRef(arrow.id, clauseId, gridVersion) === ref)
          return { ref, arrowId: arrow.id, clauseId, gridVersion }
  }
  return parseRef(ref)
}

/** Takes a ref apart from the right; the arrow id is for the caller to look up (ATT-201, ATT-202). */
export function parseRef(ref: string): ReadRef | { readonly problem: string } {
  if (!ref.startsWith('att-')) return { problem: "missing 'att-' prefix" }
  const match = /^att-(.+)-v(\d+)$/su.exec(ref)
  if (match === null) return { problem: "expected '<ids>-v<version>' shape" }
  const [, ids = '', version = ''] = match
  const cut = ids.lastIndexOf('-')
  if (cut <= 0 || cut === ids.length - 1) return { problem: "expected '<arrow-id>-<clause-id>' before the version" }
  return { ref, arrowId: ids.slice(0, cut), clauseId: ids.slice(cut + 1), gridVersion: Number(version) }
}
