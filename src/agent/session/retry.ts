import type { ModelFailure } from '../../protocol/model.ts'
import { maxRetries } from './rules.ts'
import type { StepState } from './state.ts'

/** Longest `Retry-After` that is waited for (MODEL-054). */
const longestWaitSeconds = 120

/** What a failed attempt leads to. Looks at the fields of the failure, never at its text. */
export type Verdict =
  /** Too long: compact, then the same step once more, at no cost to the budget (SESS-046). */
  | { readonly kind: 'restart' }
  | { readonly kind: 'retry'; readonly delayMs: number; readonly rateLimited: boolean }
  /** The endpoint's budget is used up; the alternate may be tried (MODEL-060). */
  | { readonly kind: 'exhausted' }
  | { readonly kind: 'fail'; readonly code: FailureCode; readonly text: string }

export type FailureCode = 'reactive-retry-failed' | 'rate-limited' | 'auth-failed' | 'stream-failed'

/**
 * Judges one failed attempt. There is one budget per logical step: a restart neither uses it nor resets it (SESS-045).
 * `jitter` is in [0, 1).
 */
export function judge(failure: ModelFailure, step: StepState, jitter: number): Verdict {
  if (failure.contextTooLong) {
    if (!step.compacted) return { kind: 'restart' }
    return { kind: 'fail', code: 'reactive-retry-failed', text: 'context: reactive compaction retry failed' }
  }
  if (failure.code === 'auth-failed') return { kind: 'fail', code: 'auth-failed', text: failure.message }
  if (!failure.retryable) return { kind: 'fail', code: 'stream-failed', text: failure.message }
  const rateLimited = failure.code === 'rate-limited'
  const asked = failure.retryAfterSeconds ?? 0
  if (rateLimited && asked > longestWaitSeconds)
    return { kind: 'fail', code: 'rate-limited', text: `rate limited, retry after ${asked}s` }
  if (step.retriesUsed >= maxRetries) return { kind: 'exhausted' }
  const backoff = backoffMs(step.retriesUsed + 1, jitter)
  return { kind: 'retry', delayMs: rateLimited ? Math.max(backoff, asked * 1000) : backoff, rateLimited }
}

/** Wait before retry `k` (1, 2, 3 …), milliseconds: 1 s, 2 s, 4 s with ±10 % jitter (MODEL-053). */
export function backoffMs(k: number, jitter: number): number {
  return Math.round(1000 * 2 ** Math.min(k - 1, 6) * (0.9 + 0.2 * jitter))
}
