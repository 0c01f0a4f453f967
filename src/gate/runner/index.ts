export { abortPass, type InvalidateCommand, invalidateArrow } from './acts.ts'
export type { KnownArrow } from './attestation/ref.ts'
export type { AttestationDraft, Attestations, Recorded } from './attestation/store.ts'
export type { Bus } from './bus.ts'
export {
  abortPassCommand,
  invalidateCommand,
  invalidateLines,
  listArrows,
  listAttestations,
  listFindings,
  listPasses,
  type RunArrowArgs,
  readRunArrow
} from './commands/arrows.ts'
export { attestCommand, recordedLine } from './commands/attest.ts'
export { floorOf } from './depth.ts'
export type { DepthChange } from './depths.ts'
export { becomesEffective, type EffectivePass, holdsUp, statusLabel } from './derive.ts'
export { dispatch } from './dispatch/dispatch.ts'
export { renewedHint } from './dispatch/requests.ts'
export type { DispatchOutcome, DispatchRefusal, DispatchRequest, DispatchResult } from './dispatch/types.ts'
export type { GateEvent } from './event-kinds.ts'
export type { FindingChange } from './findings.ts'
export { createGates, type Gates } from './gates.ts'
export type { Hint } from './hint.ts'
export type { ArrowHistory } from './history.ts'
export type { PassRequest } from './live-pass.ts'
export { validateOpId } from './op-id.ts'
export { movedSince, type Outdated, outdatedLabel, outdatedLine, outdatedOf } from './outdated.ts'
export type { PassEvent, PassSeed } from './passes.ts'
export type * from './ports.ts'
export { queriesOf } from './queries.ts'
export type * from './records.ts'
export type { Refusal } from './refusal.ts'
export { thresholdOf } from './severity.ts'
export { type ArrowState, arrowState, type ProjectSnapshot, snapshotOf } from './snapshot.ts'
export { outcomeLines, refusalLines, resultLines } from './texts/dispatch.ts'
export { eventLine } from './texts/events.ts'
export { outcomeWhy } from './texts/listings.ts'
export { adversaryStatus, projectLine, projectWord, type StatusFacts, statusBlock } from './texts/project.ts'
export { carryOutAnswer, factsFor } from './verdicts/answer.ts'
export { announceCapped, nextInDrain, startDrain } from './verdicts/drain.ts'
export { answerEscalation } from './verdicts/escalation.ts'
export {
  answerPrompt,
  openPrompt,
  type PromptEffect,
  type PromptInput,
  type PromptState,
  type PromptStep
} from './verdicts/prompt.ts'
export { createVerdictQueue, type QueueItem, type VerdictQueue } from './verdicts/queue.ts'
export { recordVerdict } from './verdicts/record.ts'
export { askLine, errorLine, type PromptFacts, questionLines, withdrawnLine } from './verdicts/texts.ts'
