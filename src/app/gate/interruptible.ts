/** Runs work of a command under a signal that fires with the reason it was stopped for (RUN-236). */
export type Interruptible = <Result>(
  interrupt: AbortSignal,
  perform: (signal: AbortSignal) => Promise<Result>
) => Promise<Result>

export type InterruptibleOptions = {
  /** Fires when the gate closes. */
  readonly closing: AbortSignal
  /** The session is on its way out: what it interrupts now ends as `manual-stop`. */
  readonly isLeaving: () => boolean
  readonly ended: () => void
}

/** The operator's interrupt and the end of the session stop it, each with its reason (RUN-236). */
export function createInterruptible({ closing, isLeaving, ended }: InterruptibleOptions): Interruptible {
  return async (interrupt, perform) => {
    const stop = new AbortController()
    const onInterrupt = () => stop.abort(isLeaving() ? 'manual-stop' : 'operator-interrupt')
    if (interrupt.aborted) onInterrupt()
    interrupt.addEventListener('abort', onInterrupt, { once: true })
    try {
      return await perform(AbortSignal.any([stop.signal, closing]))
    } finally {
      interrupt.removeEventListener('abort', onInterrupt)
      ended()
    }
  }
}
