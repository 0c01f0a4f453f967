import type { Gates } from '../gates.ts'
import type { AmendmentSlot } from '../ports.ts'
import { importLedger } from './ledger.ts'
import type { AmendmentQueue } from './queue.ts'
import { scanForAmendments } from './scan.ts'

export type AmendmentSlotOptions = {
  /** The slot is made before the gates it serves. */
  readonly gates: () => Gates
  readonly queue: () => AmendmentQueue
  /** Text of the ledger of a context, or null when there is none. Rejects when it cannot be read. */
  readonly readLedger: (context: string) => Promise<string | null>
}

/** What the dispatcher asks of amendments around an integrator's pass (RUN-710, RUN-711). Nothing drains by itself. */
export function createAmendmentSlot({ gates, queue, readLedger }: AmendmentSlotOptions): AmendmentSlot {
  return {
    async beforeVerification(pass) {
      const ledger = await readLedger(pass.context)
      // The pass may be gone meanwhile; then nothing derives from its ledger (RUN-112).
      if (ledger !== null && gates().passes.get(pass.id) !== null) importLedger(gates(), pass, ledger)
    },
    afterClose: (pass) => scanForAmendments(gates(), queue(), pass),
    counts: () => queue().counts()
  }
}
