import { PassThrough, Writable } from 'node:stream'
import { Terminal } from '@xterm/headless'
import type { TerminalSource } from '../../ui/terminal/input.ts'
import type { TerminalOutput } from '../../ui/terminal/output.ts'
import { readLines } from './screen.ts'
import { type ModeWatch, watchModes } from './terminal-modes.ts'

/** An emulated terminal in this process, and the hand in front of it. */
export type EmulatedTerminal = {
  readonly stdin: TerminalSource
  readonly stdout: TerminalOutput
  readonly terminal: Terminal
  readonly modes: ModeWatch
  readonly raw: { readonly isOn: boolean }
  /** The clock of whoever reads the keyboard, in milliseconds. */
  now(): number
  /** Bytes from the keyboard, read before it returns. */
  type(bytes: string): void
  resize(columns: number, rows: number): void
  /** Ends the input, as a closed terminal window does. */
  hangUp(): void
  lines(): string[]
  text(): string
  cursor(): { readonly column: number; readonly row: number }
  bytesWritten(): number
  /** What was written, joined. */
  written(): string
  /** Something that `until` may wait for has happened without a write. */
  stir(): void
  /** Resolves once `holds`; looked at after every write. */
  until(holds: () => boolean, what?: string): Promise<void>
}

const LIMIT_MS = 4_000
/** No hand types faster, and what comes faster is a paste or a held key (TERM-43, TERM-52): so much passes on the clock before it types. */
const HAND_MS = 150

/** A terminal of a size. `answers`: it answers queries. */
export function emulateTerminal(size: {
  readonly columns: number
  readonly rows: number
  readonly answers: boolean
}): EmulatedTerminal {
  const { columns, rows, answers } = size
  // A raw terminal still turns LF into CR LF (ONLCR), as Node leaves it.
  const terminal = new Terminal({ cols: columns, rows, convertEol: true, allowProposedApi: true })
  const modes = watchModes(terminal)
  const raw = { isOn: false }
  const shown = { columns, rows }
  const waits = new Set<() => void>()
  const chunks: string[] = []
  let typedMs = 0

  const input = new PassThrough()
  const stdin = Object.assign(input, {
    isTTY: true,
    setRawMode(isRaw: boolean) {
      raw.isOn = isRaw
      return stdin
    },
    ref: () => stdin,
    unref: () => stdin
  })
  const stir = () => {
    for (const look of [...waits]) look()
  }
  const stdout = Object.defineProperties(
    new Writable({
      decodeStrings: false,
      write(chunk: string, _encoding, done) {
        chunks.push(chunk)
        terminal.write(chunk, () => {
          stir()
          done()
        })
      }
    }),
    { isTTY: { value: true }, columns: { get: () => shown.columns }, rows: { get: () => shown.rows } }
  )
  terminal.onData((data) => {
    if (answers) input.write(data)
  })

  const lines = () => readLines(terminal, 'visible')
  return {
    stdin,
    stdout,
    terminal,
    modes,
    raw,
    now: () => performance.timeOrigin + performance.now() + typedMs,
    type(bytes) {
      typedMs += HAND_MS
      input.write(bytes)
    },
    resize(toColumns, toRows) {
      shown.columns = toColumns
      shown.rows = toRows
      terminal.resize(Math.max(2, toColumns), Math.max(1, toRows))
      stdout.emit('resize')
    },
    hangUp: () => void input.end(),
    lines,
    text: () => lines().join('\n'),
    cursor: () => ({ column: terminal.buffer.active.cursorX, row: terminal.buffer.active.cursorY }),
    bytesWritten: () => chunks.reduce((sum, chunk) => sum + Buffer.byteLength(chunk), 0),
    written: () => chunks.join(''),
    stir,
    until(holds, what = String(holds)) {
      return new Promise((resolve, reject) => {
        const look = () => {
          if (!holds()) return
          settle(resolve)
        }
        const settle = (then: () => void) => {
          clearTimeout(limit)
          clearInterval(pulse)
          waits.delete(look)
          then()
        }
        const limit = setTimeout(
          () => settle(() => reject(new Error(`not on the screen: ${what}\n${lines().join('\n')}`))),
          LIMIT_MS
        )
        // State without a byte written (raw mode) is looked at as well.
        const pulse = setInterval(look, 20)
        waits.add(look)
        look()
      })
    }
  }
}
