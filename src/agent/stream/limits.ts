const MiB = 1024 * 1024

/** Time limits of one attempt, milliseconds (MODEL-039). */
export type TimeLimits = {
  readonly connectMs: number
  /** From the request to the first event, or to the end of a response that is no stream. */
  readonly headersMs: number
  /** Between events, from the first one on. */
  readonly gapMs: number
}

/** Those in force (MODEL-039). */
export const timeLimits: TimeLimits = { connectMs: 5_000, headersMs: 300_000, gapMs: 120_000 }

/** Sizes in bytes that no response may exceed (MODEL-037). */
export const sizeLimits = {
  line: MiB,
  content: 16 * MiB,
  reasoning: 16 * MiB,
  arguments: MiB,
  /** A whole response that is no stream; content and reasoning at their limits, with room for escapes. */
  json: 64 * MiB,
  /** As much of an error body as is worth reading. */
  errorBody: 64 * 1024
} as const
