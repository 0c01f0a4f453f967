import { format } from 'node:util'
import { type Instance, render, useApp } from 'ink'
import { useLayoutEffect } from 'react'
import type { ScreenExit, ScreenPorts } from '../src/protocol/screen.ts'
import { App } from './app.tsx'
import { nowMs } from './clock.ts'
import type { TerminalInput } from './keys/index.ts'
import { createRuntime } from './runtime.ts'
import { createScreenStore, StoreContext } from './store/store.ts'
import { createInputReader, type TerminalSource } from './terminal/input.ts'
import { createModes, queries } from './terminal/modes.ts'
import { createScreenOutput, type TerminalOutput } from './terminal/output.ts'
import { createTheme } from './theme/index.ts'
import { TranscriptView } from './transcript/view.ts'

export type ScreenIo = {
  readonly stdin: TerminalSource
  readonly stdout: TerminalOutput
  /** Stops the process group as the terminal's own Ctrl+Z would; replaced in tests. */
  readonly stop?: () => void
  /** When keys and frames come, in milliseconds (`nowMs`); replaced in tests, whose typing is quicker than a hand (TERM-43). */
  readonly now?: () => number
}

export type Screen = {
  /** Settles when the terminal has been given back. Never rejects. */
  readonly exited: Promise<ScreenExit>
  /** Gives the terminal back, whatever is going on. Synchronous up to the last byte; safe to call twice. */
  unmount(): void
  /** SIGINT from outside counts as Ctrl+C (TERM-45a). */
  pressInterrupt(): void
}

/** A terminal that answers no query within this never will (TERM-17). */
const ANSWER_WAIT_MS = 200
/** After the stop signal: time for it to take effect. A shell without job control ignores it, and the screen comes back. */
const STOP_WAIT_MS = 100

type SuspendTerminal = ReturnType<typeof useApp>['suspendTerminal']

/**
 * Takes the terminal over and draws the session on it until it ends. Every way out gives the terminal back as it was found (TERM-5):
 * the end of the session, `unmount` (signals are the caller's), the input's end, an exception or rejection nobody caught, and the
 * process's exit as the last resort.
 */
export function mountScreen(ports: ScreenPorts, io: ScreenIo): Screen {
  const { boot } = ports
  const { now = nowMs } = io
  const theme = createTheme({ colour: boot.colour, ascii: boot.ascii })
  const output = createScreenOutput(io.stdout, queries)
  const modes = createModes(output.control, { hasMouse: boot.mouse })
  const store = createScreenStore(boot, output.size())
  const view = new TranscriptView({ glyphs: theme.glyphs, highlight: null })
  const exit = Promise.withResolvers<ScreenExit>()
  const askedAt = now()
  let suspendTerminal: SuspendTerminal | null = null
  let isAnswered = false
  let isSuspended = false
  let isOver = false
  let handed = Promise.resolve()
  let redraws = 0

  const runtime = createRuntime(ports, store, view, {
    now,
    control: output.control,
    redraw,
    suspend: () => void suspend(),
    handOver,
    setMouse: modes.setMouse,
    leave: () => finish({ reason: 'ended' })
  })
  const reader = createInputReader(io.stdin, now, takeInput, () => finish({ reason: 'stdin-closed' }))

  const grip = (suspend: SuspendTerminal) => {
    suspendTerminal = suspend
  }
  const tree = () => (
    <StoreContext value={store}>
      <TerminalGrip onGrip={grip} />
      <App view={view} isColoured={boot.colour} isAscii={boot.ascii} redraws={redraws} onError={runtime.report} />
    </StoreContext>
  )

  const restoreConsole = captureConsole(runtime.report)
  process.on('uncaughtException', onCrash)
  process.on('unhandledRejection', onCrash)
  process.on('exit', onExit)
  process.on('SIGCONT', onContinued)
  io.stdout.on('resize', onResize)
  // Keys typed before the first frame are not lost (TERM-70).
  reader.start()
  const instance: Instance = render(tree(), {
    stdout: output.stream,
    stdin: io.stdin as NodeJS.ReadStream,
    interactive: true,
    alternateScreen: true,
    // Whole frames: what of them reaches the terminal is decided where it is written (`terminal/paint`).
    incrementalRendering: false,
    // What a key changes is painted at once, also right after a frame of the stream (TERM-11).
    maxFps: 240,
    exitOnCtrlC: false,
    patchConsole: false,
    // The environment must not turn it on: a screen reader gets plain lines instead (TERM-62).
    isScreenReaderEnabled: false,
    onRender: runtime.painted
  })
  // An error outside every area ends Ink by itself.
  instance.waitUntilExit().then(() => finish({ reason: 'ended' }), onCrash)
  modes.enter()
  runtime.start()

  function takeInput(inputs: readonly TerminalInput[], at: number): void {
    for (const input of inputs) if (input.kind === 'reply') takeReply(input.to)
    if (!isOver) runtime.input(inputs, at)
  }

  function takeReply(to: Extract<TerminalInput, { kind: 'reply' }>['to']): void {
    if (to === 'synchronized') output.adoptSynchronized()
    if (to === 'kitty') modes.adoptKitty()
    if (to !== 'attributes') return
    // Whatever knows the kitty protocol has said so before. One terminal draws the other request as underlined text.
    if (process.env.TERM_PROGRAM !== 'Apple_Terminal') modes.adoptModifiedKeys()
    isAnswered = true
    if (isOver) reader.stop()
  }

  function onResize(): void {
    if (isSuspended) return
    runtime.resized(output.size())
    // React has drawn for the new size when Ink hears of it, so that no frame is larger than the window (TERM-1).
    setImmediate(() => output.announceSize())
  }

  function redraw(): void {
    redraws += 1
    output.control('\x1b[H\x1b[2J')
    instance.clear()
    instance.rerender(tree())
  }

  async function suspend(): Promise<void> {
    if (isSuspended) return
    const { back } = await handOver()
    const stop = io.stop ?? (() => void process.kill(0, 'SIGTSTP'))
    stop()
    // The process stands still here until it is continued; the timer also covers a stop that was ignored.
    await new Promise((resolve) => setTimeout(resolve, STOP_WAIT_MS))
    await back()
  }

  /** Gives the terminal away; whoever had it before has given it back by then. */
  async function handOver(): Promise<{ back(): Promise<void> }> {
    const free = handed
    const returned = Promise.withResolvers<void>()
    handed = returned.promise
    await free
    isSuspended = true
    modes.leave()
    reader.stop()
    const suspension = await suspendTerminal?.()
    await output.flushed()
    return {
      async back() {
        isSuspended = false
        if (!isOver) {
          reader.start()
          runtime.resized(output.size())
          await suspension?.resume()
          if (!isOver) modes.enter()
        }
        returned.resolve()
      }
    }
  }

  /** Someone stopped the process from outside and the shell took the terminal's modes away. */
  function onContinued(): void {
    if (isSuspended || isOver) return
    modes.leave()
    reader.stop()
    reader.start()
    modes.enter()
    redraw()
  }

  function onCrash(error: unknown): void {
    finish({ reason: 'crashed', error })
  }

  function onExit(): void {
    finish({ reason: 'ended' })
    reader.stop()
  }

  /** Modes in the reverse order, alternate screen last, raw mode off, replies to our own queries drained (TERM-5). */
  function finish(how: ScreenExit): void {
    if (isOver) return
    isOver = true
    runtime.stop()
    modes.leave()
    instance.unmount()
    output.close()
    io.stdout.off('resize', onResize)
    process.off('uncaughtException', onCrash)
    process.off('unhandledRejection', onCrash)
    process.off('SIGCONT', onContinued)
    restoreConsole()
    void release(how)
  }

  async function release(how: ScreenExit): Promise<void> {
    const left = askedAt + ANSWER_WAIT_MS - now()
    if (!isAnswered && left > 0 && how.reason !== 'stdin-closed') {
      await new Promise((resolve) => setTimeout(resolve, left))
    }
    reader.stop()
    process.off('exit', onExit)
    await instance.waitUntilExit().catch(() => undefined) // Its error, if any, is the one that ended the screen.
    exit.resolve(how)
  }

  return {
    exited: exit.promise,
    unmount: () => finish({ reason: 'ended' }),
    pressInterrupt() {
      // While somebody else has the terminal, Ctrl+C is theirs: it reaches the whole foreground group.
      if (isSuspended) return
      takeInput([{ kind: 'key', name: 'ctrl+c', text: '', isRepeat: false, isBurst: false }], now())
    }
  }
}

/** Ink gives its hand-over only to components. */
function TerminalGrip({ onGrip }: { readonly onGrip: (grip: SuspendTerminal) => void }) {
  const { suspendTerminal } = useApp()
  useLayoutEffect(() => {
    onGrip(suspendTerminal)
  }, [onGrip, suspendTerminal])
  return null
}

const methods = ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const

/** What a library prints would tear the frame; it goes to the log. Returns what puts the console back. */
function captureConsole(report: (message: string) => void): () => void {
  const saved = methods.map((name) => [name, console[name]] as const)
  for (const name of methods) console[name] = (...args: unknown[]) => report(`console.${name}: ${format(...args)}`)
  return () => {
    for (const [name, method] of saved) console[name] = method
  }
}
