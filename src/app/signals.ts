/** What a process signal asks for. */
export type SignalActions = {
  /** The first SIGTERM or SIGHUP, or a SIGINT that leaves. */
  leave(signal: NodeJS.Signals): void
  /** SIGINT counts as Ctrl+C (TERM-45a). True when it was used up by an interrupt or a question, false when it should leave. */
  interrupt(): boolean
  /** A signal while leaving already: skip what can be skipped (SESS-142). */
  hurry(): void
  /** The third one: release the lock and exit at once with `code`. */
  abandon(code: number): void
}

const codes: Partial<Record<NodeJS.Signals, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }
const watched = Object.keys(codes) as NodeJS.Signals[]

/** The exit code of a process that `signal` ended (SESS-143). */
export function signalCode(signal: NodeJS.Signals): number {
  return codes[signal] ?? 1
}

/** Routes SIGINT, SIGTERM and SIGHUP until the returned function is called (SESS-005, SESS-142). */
export function watchSignals(host: Pick<NodeJS.Process, 'on' | 'off'>, actions: SignalActions): () => void {
  let leaving = 0
  const onSignal = (signal: NodeJS.Signals) => {
    if (leaving === 0 && signal === 'SIGINT' && actions.interrupt()) return
    leaving += 1
    if (leaving === 1) actions.leave(signal)
    else if (leaving === 2) actions.hurry()
    else actions.abandon(signalCode(signal))
  }
  for (const signal of watched) host.on(signal, onSignal)
  return () => {
    for (const signal of watched) host.off(signal, onSignal)
  }
}
