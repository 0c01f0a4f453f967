import type { LoopOutcome } from '../records.ts'

// What a cycle leaves behind for people: every sub-activity with its mark, so that one that was left out can be seen (RUN-631, RUN-652).

/** The coarse word beside the outcome of the loop (RUN-650). */
export type CycleOutcome = 'converged' | 'escalated-after-max-rounds' | 'producer-error' | 'canceled'

/** The coarse word for an outcome of the loop (RUN-650). */
export function cycleOutcomeOf(outcome: LoopOutcome): CycleOutcome {
  switch (outcome) {
    case 'converged':
    case 'converged-with-unevaluated':
      return 'converged'
    case 'escalated-rounds-max':
      return 'escalated-after-max-rounds'
    case 'escalated-no-progress':
    case 'escalated-hook-error':
      return 'producer-error'
    case 'context-cancelled':
    case 'model-unreachable':
      return 'canceled'
  }
}

export type ActivityMark = {
  readonly activity: 'clause-falsification' | 'open-sweep' | 'depth-classification'
  /** False: nothing of this kind was asked for in this arrow. */
  entered: boolean
  finished: boolean
  found: number
  /** One line per clause or requirement that was looked at. */
  readonly lines: string[]
}

/** Filled in as the round goes on. */
export type RoundReport = {
  readonly round: number
  activities: readonly ActivityMark[]
  raised: readonly string[]
  reproduced: readonly string[]
  resolved: readonly string[]
  /** New duplicates that went into a finding that was there, as `<what> → <finding>`. */
  merged: readonly string[]
  /** `<finding>: <action>` of the producer. */
  dispositions: readonly string[]
  /** Each prefixed `round <n>: ` (RUN-623). */
  readonly harnessErrors: string[]
}

/** Event log record `adversarial-cycle-report` (RUN-652). */
export type CycleRecord = {
  readonly arrow_id: string
  readonly pass_id: string
  readonly outcome: LoopOutcome
  readonly cycle_outcome: CycleOutcome
  readonly detail: string
  readonly rounds_used: number
  readonly rounds: readonly RoundReport[]
}

/** The report of a round that begins, with nothing in it yet (RUN-652). */
export function newRound(round: number): RoundReport {
  return {
    round,
    activities: [],
    raised: [],
    reproduced: [],
    resolved: [],
    merged: [],
    dispositions: [],
    harnessErrors: []
  }
}
