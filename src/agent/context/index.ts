export { activeContext, isAnchor, notesOf, splitTurns } from './active.ts'
export { backfillBudget } from './backfill.ts'
export { type Acceptance, anchorEntry, handoffNotes, judgeSummary, summaryNote } from './compaction.ts'
export { preservedTurns, type Selection, selectForCompaction } from './select.ts'
export { clipLine, clipText, cutBytes, headAndTail } from './shorten.ts'
export { type InjectionSignal, type SignalLabel, scanForSignals, signalLabels } from './signals.ts'
export {
  checkpointFacts,
  checkpointSummary,
  handoffBody,
  localBody,
  type SummaryReason,
  summaryFirstLine
} from './summary.ts'
export {
  type Estimator,
  exceedsWindow,
  needsCompaction,
  type RequestParts,
  share,
  type TokenCounter,
  tokenCounter
} from './tokens.ts'
export { chunkMessage, renderTranscript, splitTranscript } from './transcript.ts'
