import { safeJson, safeText } from '../lib/safe-text.ts'
import type { GhyllEvent } from '../protocol/event.ts'
import type { SessionId } from '../protocol/ids.ts'
import { createBus } from './bus.ts'
import { noticeLine, plainLine } from './plain-lines.ts'
import { openProgram, type Program } from './program.ts'
import { signalCode, watchSignals } from './signals.ts'
import { type Started, type StartOptions, start } from './start.ts'

export type ExecOptions = Omit<StartOptions, 'throwAway'> & {
  readonly prompt: string
  readonly json: boolean
  /** Most model calls of the turn, null for no limit but the tool ceiling. */
  readonly maxTurns: number | null
  readonly out: (text: string) => void
  readonly err: (text: string) => void
}

/**
 * One turn without a screen (TERM-60, CLI-034): a session like any other, whose answer alone goes to `out`. Resolves with the exit
 * code: 0 done, 1 failed or partial, 3 a verdict is needed, 4 tool ceiling or limit, 130 interrupted. Throws `StartFailure` and store failures.
 */
export async function exec(options: ExecOptions): Promise<number> {
  const started = start(options)
  try {
    return await runTurn(started, options)
  } finally {
    started.release()
  }
}

async function runTurn(started: Started, options: ExecOptions): Promise<number> {
  const bus = createBus((thrown) => started.log.error(String(thrown)))
  const outcome = watchOutcome(started.session, options.maxTurns, () => program?.session.interrupt())
  bus.subscribe(outcome.see)
  if (options.json) bus.subscribe((event) => options.out(`${safeJson(event)}\n`))
  else bus.subscribe((event) => writeLine(plainLine(event), options.err))

  let program: Program | null = await openProgram(started, bus, { asking: 'nobody' })
  const opened = program
  let interrupts = 0
  let signalled: NodeJS.Signals | null = null
  const stopWatching = watchSignals(process, {
    interrupt() {
      interrupts += 1
      return interrupts === 1 && opened.session.interrupt()
    },
    leave(signal) {
      signalled = signal
      void opened.close({ signal })
    },
    hurry: () => opened.hurry(),
    abandon(code) {
      started.release()
      process.exit(code)
    }
  })
  try {
    // A session that is ended while it opens is never idle.
    const early = await Promise.race([opened.idle().then(() => null), opened.ended])
    if (!options.json)
      for (const ref of opened.verdictsWaiting()) options.err(`${noticeLine('info', `verdict waiting: ${ref}`)}\n`)
    if (early === null) {
      outcome.begin()
      opened.session.submit(options.prompt, 'steer', 'operator')
      await Promise.race([opened.idle(), opened.ended])
    }
    // Nobody here can answer: the pass stays parked, and the next session with a person asks (OPUI-801).
    const needed = opened.verdictsNeeded()
    const answer = lastAnswer(opened)
    const end = await opened.close({ signal: null })
    if (!options.json && answer !== '') options.out(`${safeText(answer)}\n`)
    const unasked = early !== null && signalled !== null ? signalCode(signalled) : 0
    const code = interrupts > 0 ? 130 : end.exitCode || unasked || (needed.length > 0 ? 3 : outcome.code())
    if (options.json) options.out(`${safeJson({ kind: 'outcome', exitCode: code, verdictsNeeded: needed })}\n`)
    else for (const ref of needed) options.err(`verdict needed: ${safeText(ref)}\n`)
    return code
  } finally {
    program = null
    stopWatching()
  }
}

/**
 * Turns the events of the turn into an exit code, and stops it at the limit of model calls. What is settled of a session that crashed
 * before is none of its business.
 */
function watchOutcome(own: SessionId, maxTurns: number | null, stop: () => void) {
  let calls = 0
  let limited = false
  let code = 0
  let hasBegun = false
  return {
    code: () => (limited ? 4 : code),
    /** The prompt is about to be handed over; what is told before is not about it. */
    begin() {
      hasBegun = true
    },
    see(event: GhyllEvent) {
      if (event.session !== own) return
      // A prompt that was not even queued has no turn to tell (SESS-038); a turn that there is has the last word.
      if (event.kind === 'notice' && event.level === 'error' && hasBegun && code === 0) code = 1
      if (event.kind === 'step-opened') {
        calls += 1
        if (maxTurns !== null && calls > maxTurns) {
          limited = true
          stop()
        }
      } else if (event.kind === 'turn-ended') {
        code = codeOf(event)
      } else if (event.kind === 'shell-ended' && event.status !== 'done') {
        code = event.status === 'interrupted' ? 130 : 1
      } else if (event.kind === 'command-output' && event.failed === true) {
        code = 1
      }
    }
  }
}

function codeOf({ outcome, code }: Extract<GhyllEvent, { kind: 'turn-ended' }>): number {
  if (code === 'tool-depth-exceeded') return 4
  if (outcome === 'interrupted') return 130
  return outcome === 'completed' ? 0 : 1
}

/** The text the last model call of the turn ended with; empty when there was none. */
function lastAnswer(program: Program): string {
  const { history } = program.session.state()
  const last = history.findLast((entry) => entry.kind === 'assistant' && entry.status !== 'superseded')
  return last?.kind === 'assistant' ? last.text : ''
}

function writeLine(line: string | null, write: (text: string) => void): void {
  if (line !== null) write(`${line}\n`)
}
