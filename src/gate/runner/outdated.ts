import type { Arrow } from '../../protocol/grid.ts'
import type { Gates } from './gates.ts'
import type { Artifacts } from './ports.ts'
import type { Outdated, PassRecord } from './records.ts'

// A verdict speaks about what was seen; whoever relies on it must see that it has moved (RUN-252).

/** What moved under a valid arrow since its effective pass closed, or null. Rejects when the artifact cannot be read (RUN-252). */
export async function outdatedOf(gates: Gates, arrow: Arrow, signal: AbortSignal): Promise<Outdated | null> {
  if (gates.current(arrow.id)?.status !== 'complete') return null
  return movedSince(gates.ports.artifacts, arrow, gates.history.effective(arrow.id)?.pass ?? null, signal)
}

/** The same for an arrow that is known to be valid, from its effective pass (RUN-252). */
export async function movedSince(
  artifacts: Artifacts,
  arrow: Arrow,
  pass: Pick<PassRecord, 'id' | 'artifactDigest' | 'closedAt'> | null,
  signal: AbortSignal
): Promise<Outdated | null> {
  if (pass === null || pass.artifactDigest === '') return null
  if ((await artifacts.take(arrow, signal)).digest === pass.artifactDigest) return null
  // A file that is gone leaves no time behind; that something differs is certain.
  const files = Math.max(1, (await artifacts.changedSince?.(arrow, pass.closedAt, signal)) ?? 1)
  return { arrowId: arrow.id, passId: pass.id, files }
}

/** `valid` as listings, detail and panel print it for such an arrow (RUN-252). */
export function outdatedLabel({ files, passId }: Outdated): string {
  return `valid (outdated: ${files} file(s) changed since ${passId})`
}

/** Told before a pass of the next arrow opens (RUN-252). */
export function outdatedLine({ arrowId, files, passId }: Outdated): string {
  return `⚠ upstream ${arrowId} is valid but outdated: ${files} file(s) changed since ${passId}`
}
