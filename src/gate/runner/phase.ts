import { assert } from '../../lib/assert.ts'

/** Before a store is attached to its journal it may be loaded from it, afterwards never: it would journal its own input (PERS-305). */
export interface Phase {
  isAttached(): boolean
  attach(): void
  /** Stops a load that comes too late. */
  loading(): void
}

/** Loading first, then attached, and never back (PERS-305). */
export function createPhase(): Phase {
  let isAttached = false
  return {
    isAttached: () => isAttached,
    attach() {
      assert(!isAttached, 'attach-twice')
      isAttached = true
    },
    loading() {
      assert(!isAttached, 'replay-after-attach')
    }
  }
}
