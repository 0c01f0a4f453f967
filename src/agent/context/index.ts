export { activeContext, isAnchor, notesOf, splitTurns } from './active.ts'
export { backfillBudget } from './backfill.ts'
export { anchorEntry, handoffNotes, judgeSummary, summaryNote } from './compaction.ts'
export { preservedTurns, selectForCompaction } from './select.ts'
export { cutBytes, headAndTail } from './shorten.ts'
export { type InjectionSignal, scanForSignals, signalLabels } from './signals.ts'
export {
  checkpointFacts,
  checkpointSummary,
  handoffBody,
  localBody,
  type SummaryReason,
  summaryFirstLine
} from './summary.ts'
export { exceedsWindow, needsCompaction, type TokenCounter, tokenCounter } from './tokens.ts'
export { chunkMessage, renderTranscript, splitTranscript } from './transcript.ts'
