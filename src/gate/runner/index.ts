export { abortPass } from './acts.ts'
export { type AmendmentHits, amendmentHits, hitsText, invalidationCauses } from './amendment-hits.ts'
export { attestationRef, normaliseArrowId } from './arrow-id.ts'
export { selfCertProblem, structureProblem, writeProblem } from './attestation/check.ts'
export { baseRef, roundOf } from './attestation/store.ts'
export { defaultResidueMaxBytes, objectOf, unitProblem, verdictUnits } from './attestation/unit.ts'
export { readStored } from './clause.ts'
export {
  abortPassCommand,
  invalidateCommand,
  invalidateTold,
  listArrows,
  listAttestations,
  listFindings,
  listPasses,
  type RunArrowArgs,
  readRunArrow
} from './commands/arrows.ts'
export { attestCommand, recordedLine } from './commands/attest.ts'
export { floorOf, mislabelled } from './depth.ts'
export type { DepthChange } from './depths.ts'
export { becomesEffective, currentStatus, holdsUp, statusLabel } from './derive.ts'
export { dispatch } from './dispatch/dispatch.ts'
export { noteOf } from './dispatch/evaluate.ts'
export { hasConverged } from './dispatch/plan.ts'
export { renewedHint } from './dispatch/requests.ts'
export type { DispatchOutcome, DispatchRefusal, DispatchResult } from './dispatch/types.ts'
export { type GateEvent, listText } from './event-kinds.ts'
export { findingStatuses } from './finding.ts'
export type { FindingChange } from './findings.ts'
export { createGates, type Gates } from './gates.ts'
export type { ArrowHistory } from './history.ts'
export { verdictsHolding } from './holding.ts'
export { defaultLadder, rankOfLabel } from './ladder.ts'
export type { PassRequest } from './live-pass.ts'
export { isClearingWord, readOpIdAnswer, validateOpId } from './op-id.ts'
export { movedSince, outdatedLabel, outdatedLine, outdatedOf } from './outdated.ts'
export type { PassEvent } from './passes.ts'
export type * from './ports.ts'
export { predecessorOf } from './predecessor.ts'
export type * from './records.ts'
export { noGrid } from './refusal.ts'
export { isSeverity, severities, severityRank, thresholdOf } from './severity.ts'
export { type ArrowState, arrowState, snapshotOf } from './snapshot.ts'
export { createStamps, type Stamps, stampOf } from './stamp.ts'
export { outcomeTold, resultLines } from './texts/dispatch.ts'
export { eventLine } from './texts/events.ts'
export { outcomeWhy } from './texts/listings.ts'
export { adversaryStatus, projectWord, type StatusFacts, statusBlock } from './texts/project.ts'
export { refusedTold, type Told, told } from './texts/told.ts'
export { createTracker } from './tracker.ts'
export { carryOutAnswer, factsFor } from './verdicts/answer.ts'
export { announceCapped, nextInDrain, startDrain } from './verdicts/drain.ts'
export {
  answerPrompt,
  openPrompt,
  type PromptEffect,
  type PromptState,
  type PromptStep
} from './verdicts/prompt.ts'
export { createVerdictQueue, type QueueItem, type VerdictQueue } from './verdicts/queue.ts'
export { recordVerdict } from './verdicts/record.ts'
export { askLine, errorLine, type PromptFacts, questionLines, withdrawnLine } from './verdicts/texts.ts'
