import xterm from '@xterm/headless'
import { spawn } from 'node-pty'
import { type Cell, readCell, readLines } from './screen.ts'
import { watchModes } from './terminal-modes.ts'

// Runs a program in a pseudo-terminal and reads it the way a person does: through a terminal emulator, so that what was
// written and erased again is not on the screen. Waiting is for output, never for time; the limit only ends a test that
// would hang.

export type TerminalOptions = {
  readonly command: string
  readonly args?: readonly string[]
  readonly cwd?: string
  /** Replaces the environment; `CI` is removed whatever it says, since Ink takes it for "no terminal". */
  readonly env?: NodeJS.ProcessEnv
  readonly cols?: number
  readonly rows?: number
  /** Whether the terminal answers queries (device attributes, cursor position). False is a terminal that stays mute (TERM-17). */
  readonly answers?: boolean
  /** Longest wait of `until` and `exited`, a safety net. Default 20 s. */
  readonly limitMs?: number
}

export type Exit = { readonly code: number; readonly signal: number }

export type TerminalDriver = {
  readonly pid: number
  /** Types bytes: text, or keys from `keys.ts`. */
  write(keys: string | Uint8Array): void
  resize(cols: number, rows: number): void
  /** Reads nothing more until `resume`: what the program writes blocks once the pseudo-terminal is full. */
  pause(): void
  resume(): void
  /** Sends a signal to the program. */
  kill(signal: NodeJS.Signals): void
  /** Closes the terminal as a window is closed: nothing can be written or read any more, and SIGHUP is sent. */
  hangUp(): void
  /**
   * Resolves as soon as `holds` is true of the screen, with the time (performance.now) at which the bytes that made it true
   * arrived. Rejects with the screen's text when the program ends or the limit passes first.
   */
  until(holds: (screen: TerminalDriver) => boolean, what?: string): Promise<number>
  /** `until` for text on the screen. */
  untilText(text: string | RegExp): Promise<number>
  /** Resolves when the program has ended and all it wrote is on the screen. */
  exited(): Promise<Exit>
  /** The visible rows, right-trimmed; joined with line feeds. */
  text(): string
  lines(): string[]
  /** Visible rows and all that scrolled off above them. */
  everything(): string
  cell(column: number, row: number): Cell
  cursor(): { readonly column: number; readonly row: number; readonly hidden: boolean }
  /** Everything read from the pseudo-terminal. */
  raw(): Buffer
  byteCount(): number
  /** How often the screen (`2J`) and the scrollback (`3J`) were cleared. */
  clears(): { readonly screen: number; readonly scrollback: number }
  /** Modes a program must give back, by name, that are on now: alternate buffer, mouse, paste, hidden cursor … (TERM-5). */
  modesLeftOn(): string[]
  /** When bytes last arrived (performance.now), or 0. */
  lastOutputAt(): number
  /** Kills the program if it still runs; safe to call twice. */
  close(): Promise<void>
}

/** Starts `command` in a new pseudo-terminal, 80×24 unless told otherwise. */
export function openTerminal(options: TerminalOptions): TerminalDriver {
  const { command, args = [], cols = 80, rows = 24, answers = true, limitMs = 20_000 } = options
  const env = { ...(options.env ?? process.env) }
  delete env.CI
  const child = spawn(command, [...args], {
    cols,
    rows,
    name: env.TERM ?? 'xterm-256color',
    cwd: options.cwd ?? process.cwd(),
    env,
    encoding: null
  })
  const emulator = new xterm.Terminal({ cols, rows, scrollback: 200_000, allowProposedApi: true })
  const modes = watchModes(emulator)
  const chunks: Buffer[] = []
  let bytes = 0
  let lastOutputAt = 0
  let ended: Exit | null = null
  const watchers = new Set<(arrived: number) => void>()
  const announce = (arrived: number) => {
    for (const watcher of [...watchers]) watcher(arrived)
  }

  if (answers) emulator.onData((reply) => child.write(reply))
  child.onData((data) => {
    const chunk = data as unknown as Buffer // What node-pty delivers without an encoding.
    const arrived = performance.now()
    lastOutputAt = arrived
    chunks.push(chunk)
    bytes += chunk.length
    emulator.write(chunk, () => announce(arrived))
  })
  child.onExit(({ exitCode, signal }) => {
    // Behind the last output: an empty write is parsed after everything before it.
    emulator.write('', () => {
      ended = { code: exitCode, signal: signal ?? 0 }
      announce(performance.now())
    })
  })

  function wait<T>(look: (arrived: number) => T | undefined, what: string): Promise<T> {
    return new Promise((resolve, reject) => {
      const settle = (arrived: number) => {
        try {
          const found = look(arrived)
          if (found !== undefined) return finish(() => resolve(found))
          if (ended !== null) finish(() => reject(new Error(`the program ended before ${what}${report()}`)))
        } catch (thrown) {
          finish(() => reject(thrown))
        }
      }
      const timer = setTimeout(() => finish(() => reject(new Error(`waited in vain for ${what}${report()}`))), limitMs)
      const finish = (how: () => void) => {
        clearTimeout(timer)
        watchers.delete(settle)
        how()
      }
      watchers.add(settle)
      settle(performance.now())
    })
  }
  const report = () => `; exit ${JSON.stringify(ended)}, screen:\n${driver.text()}`

  const driver: TerminalDriver = {
    pid: child.pid,
    write(keys) {
      child.write(typeof keys === 'string' ? keys : Buffer.from(keys))
    },
    resize(columns, lines) {
      emulator.resize(columns, lines)
      child.resize(columns, lines)
    },
    pause: () => child.pause(),
    resume: () => child.resume(),
    kill(signal) {
      child.kill(signal)
    },
    hangUp() {
      ;(child as unknown as { destroy(): void }).destroy() // Not among the types of node-pty.
    },
    until(holds, what = 'what the test wants to see') {
      return wait((arrived) => (holds(driver) ? arrived : undefined), what)
    },
    untilText(text) {
      const found = (screen: string) => (typeof text === 'string' ? screen.includes(text) : text.test(screen))
      return driver.until(() => found(driver.text()), String(text))
    },
    exited() {
      return wait(() => ended ?? undefined, 'the end of the program')
    },
    text: () => driver.lines().join('\n').trimEnd(),
    lines: () => readLines(emulator, 'visible'),
    everything: () => readLines(emulator, 'all').join('\n').trimEnd(),
    cell: (column, row) => readCell(emulator, column, row),
    cursor: () => ({
      column: emulator.buffer.active.cursorX,
      row: emulator.buffer.active.cursorY,
      hidden: modes.cursorHidden()
    }),
    raw: () => Buffer.concat(chunks),
    byteCount: () => bytes,
    clears: () => modes.clears(),
    modesLeftOn: () => modes.left(),
    lastOutputAt: () => lastOutputAt,
    async close() {
      if (ended === null) {
        child.kill('SIGKILL')
        await driver.exited()
      }
      emulator.dispose()
    }
  }
  return driver
}
