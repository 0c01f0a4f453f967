export { activeContext, isAnchor, notesOf, splitTurns, unansweredCalls } from './active.ts'
export { type Acceptance, anchorEntry, handoffNotes, judgeSummary, summaryNote } from './compaction.ts'
export { preservedTurns, type Selection, selectForCompaction } from './select.ts'
export { clipLine, clipText, cutBytes, headAndTail } from './shorten.ts'
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
