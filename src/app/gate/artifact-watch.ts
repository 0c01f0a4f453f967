import type { Gates, Outdated } from '../../gate/runner/index.ts'
import { letBugsThrough } from '../../lib/assert.ts'
import { outdatedArrows, sameOutdated } from './outdated.ts'

/** Which valid arrows have moved since they were verified, as of the last look (RUN-252). */
export interface ArtifactWatch {
  outdated(): ReadonlyMap<string, Outdated>
  /** Looks in the background; what cannot be read leaves the last look standing. */
  look(): void
}

export type ArtifactWatchOptions = {
  readonly gates: Gates
  /** Ends with the session. */
  readonly signal: AbortSignal
  readonly changed: () => void
  readonly failed: (cause: unknown) => void
}

/** Nothing is known to have moved at first (RUN-252). */
export function watchArtifacts({ gates, signal, changed, failed }: ArtifactWatchOptions): ArtifactWatch {
  let outdated: ReadonlyMap<string, Outdated> = new Map()
  return {
    outdated: () => outdated,
    look: () => void lookNow()
  }

  async function lookNow(): Promise<void> {
    try {
      const found = await outdatedArrows(gates, signal)
      if (sameOutdated(found, outdated)) return
      outdated = found
      changed()
    } catch (thrown) {
      letBugsThrough(thrown)
      if (!signal.aborted) failed(thrown)
    }
  }
}
