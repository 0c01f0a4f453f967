export type { Answers } from './answers.ts'
export { type ArrowView, showArrow } from './arrow-view.ts'
export type { Append } from './attestations/append.ts'
export { exportFlat } from './attestations/export.ts'
export { treeExists } from './attestations/files.ts'
export { loadTree } from './attestations/load.ts'
export { treeRoot } from './attestations/paths.ts'
export { rebuildTree } from './attestations/rebuild.ts'
export { verifyAttestations } from './attestations/verify.ts'
export { findStore, openReadOnly, storePath } from './database.ts'
export { type Engine, type EngineOptions, openEngine, type StartReport } from './engine.ts'
export { AttestationFailure, EngineFailure } from './errors.ts'
export { openEventLog } from './event-log.ts'
export { recentEvents } from './event-log-read.ts'
export { outcomesOf } from './history.ts'
export { attestInit, type InitAttested } from './init-attest.ts'
export { arrowJson, recoverJson, replayJson, statusJson, verifyJson } from './json.ts'
export { previewRecovery, previewReplay } from './preview.ts'
export type { EngineReads } from './reads.ts'
export type { PreservedPass } from './recover.ts'
export { engineStatus } from './status.ts'
export { tableAttestations } from './table-attestations.ts'
export {
  arrowLines,
  dryRunLines,
  isVerified,
  noVerdictLines,
  replayLines,
  startLines,
  statusLines,
  verifyLines
} from './texts.ts'
