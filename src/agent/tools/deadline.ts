import { interrupted, ToolFailure } from './errors.ts'

/** `30` → `30s`, as the limit is named to the model. */
export const seconds = (value: number) => `${value}s`

/**
 * Runs `work` under the operator's signal and a time limit (TOOL-004, TOOL-010). When either strikes, the promise rejects at once
 * with a `ToolFailure`, even if a file system hangs; `work` is told by its own signal and must look at it before it changes anything.
 */
export async function withDeadline<T>(
  limits: {
    readonly seconds: number
    readonly signal: AbortSignal
    readonly timeoutText: string
    readonly interruptText?: string
  },
  work: (signal: AbortSignal) => Promise<T>
): Promise<T> {
  const stop = new AbortController()
  const interrupt = () =>
    stop.abort(
      limits.interruptText === undefined ? interrupted() : new ToolFailure('interrupted', limits.interruptText)
    )
  const timer = setTimeout(() => stop.abort(new ToolFailure('timeout', limits.timeoutText)), limits.seconds * 1000)
  limits.signal.addEventListener('abort', interrupt, { once: true })
  if (limits.signal.aborted) interrupt()
  try {
    stop.signal.throwIfAborted()
    return await Promise.race([work(stop.signal), rejection(stop.signal)])
  } catch (thrown) {
    // An operation that failed because it was stopped says so in words of its own.
    throw stop.signal.aborted ? stop.signal.reason : thrown
  } finally {
    clearTimeout(timer)
    limits.signal.removeEventListener('abort', interrupt)
  }
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
}
