export type { Amendment } from './amendment.ts'
export {
  type AmendmentContent,
  type CommitOutcome,
  type CommitPorts,
  type Committer,
  commitAmendment,
  commitBindings
} from './commit.ts'
export { type DrainPorts, drainAmendments, type Proposed } from './drain.ts'
export { ledgerPath } from './ledger.ts'
export type { AmendmentPreview } from './preview.ts'
export { type AmendmentQueue, createAmendmentQueue } from './queue.ts'
export { createAmendmentSlot } from './slot.ts'
export { amendmentsText, pendingBanner } from './texts.ts'
export { createWriteLock } from './write-lock.ts'
