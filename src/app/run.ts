import { messageOf } from '../lib/error.ts'
import { visibleLine } from '../lib/safe-text.ts'
import { version } from '../lib/version.ts'
import type { Command } from '../protocol/command.ts'
import { createBus } from './bus.ts'
import { headerOf } from './header.ts'
import { loadProgram } from './load-program.ts'
import type { Program } from './program.ts'
import { watchSignals } from './signals.ts'
import { type Started, type StartOptions, start } from './start.ts'
import { isAsciiTerminal } from './terminal-facts.ts'

export type RunOptions = StartOptions & {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  /** Lines for the normal screen, after the terminal was given back. */
  readonly print: (line: string) => void
  readonly printError: (line: string) => void
}

/** The full-screen session. Resolves with the exit code; throws `StartFailure` before the screen is taken over. */
export async function run(options: RunOptions): Promise<number> {
  const started = start(options)
  try {
    return await runScreen(started, options)
  } finally {
    started.release()
  }
}

/**
 * Mounts the screen first and opens the program behind its first frame (SESS-027): what is typed meanwhile is kept and handed over
 * as soon as the session exists.
 */
async function runScreen(started: Started, options: RunOptions): Promise<number> {
  const { mountScreen } = await import('../../ui/mount.tsx')
  const bus = createBus((thrown) => started.log.error(`screen: ${messageOf(thrown)}`))
  const early: Command[] = []
  let program: Program | null = null
  const dispatch = (command: Command) => {
    if (program === null) early.push(command)
    else program.dispatch(command)
  }

  const screen = mountScreen(
    { subscribe: bus.subscribe, dispatch, boot: bootOf(started, options) },
    { stdin: options.stdin, stdout: options.stdout }
  )
  let wantsOut: NodeJS.Signals | null = null
  const leave = (signal: NodeJS.Signals) => {
    wantsOut = signal
    if (program === null) screen.unmount()
    else void program.close({ signal })
  }
  const stopWatching = watchSignals(process, {
    interrupt() {
      screen.pressInterrupt()
      return true
    },
    leave,
    hurry: () => program?.hurry(),
    abandon(code) {
      screen.unmount()
      started.release()
      process.exit(code)
    }
  })

  try {
    // The first frame is out; what follows is loaded behind it.
    const { openProgram } = await loadProgram()
    program = await openProgram(started, bus, { asking: 'screen' })
    const opened = program
    for (const command of early.splice(0)) opened.dispatch(command)
    // A signal that came before there was anything to close.
    if (wantsOut !== null) void opened.close({ signal: wantsOut })

    // The screen can end first: its input closed, or a component brought it down.
    const crash = screen.exited.then((exit) => {
      if (exit.reason !== 'ended') void opened.close({ signal: exit.reason === 'stdin-closed' ? 'SIGHUP' : null })
      return exit
    })
    const end = await opened.ended
    screen.unmount()
    const exit = await crash
    for (const line of end.lines) options.print(line)
    if (exit.reason !== 'crashed') return end.exitCode
    options.printError(`ghyll: the screen failed: ${visibleLine(messageOf(exit.error))}`)
    return 1
  } catch (thrown) {
    screen.unmount()
    await screen.exited
    throw thrown
  } finally {
    stopWatching()
  }
}

function bootOf(started: Started, { env }: RunOptions) {
  const { ui, keys } = started.config
  return {
    version,
    header: headerOf(started),
    keys,
    mouse: ui.mouse,
    notify: ui.notify,
    colour: !env.NO_COLOR && env.TERM !== 'dumb',
    ascii: isAsciiTerminal(env)
  }
}
