import type { Gates } from '../../gate/runner/index.ts'

/** Arrows that are valid while their artifact is no longer the one that was verified (RUN-252). */
export async function outdatedArrows(gates: Gates, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (const arrow of gates.grid.current()?.arrows ?? []) {
    signal.throwIfAborted()
    if (gates.current(arrow.id)?.status !== 'complete') continue
    const verified = gates.history.effective(arrow.id)?.pass.artifactDigest ?? ''
    if (verified === '') continue
    const { digest } = await gates.ports.artifacts.take(arrow, signal)
    if (digest !== verified) found.add(arrow.id)
  }
  return found
}
