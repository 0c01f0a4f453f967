import { PassThrough, Writable } from 'node:stream'
import { Terminal } from '@xterm/headless'
import type { Command } from '../../src/protocol/command.ts'
import type { DurableEvent, GhyllEvent, TransientEvent } from '../../src/protocol/event.ts'
import { sessionId } from '../../src/protocol/ids.ts'
import type { ScreenBoot } from '../../src/protocol/screen.ts'
import { mountScreen, type Screen } from '../../ui/mount.tsx'
import { readLines } from './screen.ts'
import { type ModeWatch, watchModes } from './terminal-modes.ts'

// The real screen in this process on an emulated terminal, fed with scripted events: what a person would see, without a program
// behind it.

/** An event without the fields that are the same in every test. */
export type ScriptedEvent = Unaddressed<DurableEvent> | Unaddressed<TransientEvent>
type Unaddressed<Event> = Event extends unknown ? Omit<Event, 'session' | 'at'> : never

export type ScreenHarness = {
  readonly screen: Screen
  readonly terminal: Terminal
  readonly modes: ModeWatch
  /** Commands dispatched so far. */
  readonly commands: readonly Command[]
  readonly raw: { readonly isOn: boolean }
  emit(...events: readonly ScriptedEvent[]): void
  /** Bytes from the keyboard. */
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
  /** Resolves once `holds`; looked at after every write. */
  until(holds: () => boolean, what?: string): Promise<void>
  close(): Promise<void>
}

export const boot: ScreenBoot = {
  version: '0.0.0',
  header: {
    model: 'm25',
    tier: 'fast',
    workdir: '~/repos/shop',
    branch: 'main',
    gridVersion: null,
    residue: null,
    unevaluated: null,
    opId: null
  },
  keys: {},
  mouse: true,
  notify: 'bell',
  colour: true,
  ascii: false
}

const LIMIT_MS = 4_000

/** Mounts the screen at a size. `answers`: the terminal answers the screen's queries. */
export function openScreen(
  options: {
    readonly columns?: number
    readonly rows?: number
    readonly boot?: Partial<ScreenBoot>
    readonly answers?: boolean
    readonly stop?: () => void
  } = {}
): ScreenHarness {
  const { columns = 80, rows = 24, answers = true } = options
  // A raw terminal still turns LF into CR LF (ONLCR), as Node leaves it.
  const terminal = new Terminal({ cols: columns, rows, convertEol: true, allowProposedApi: true })
  const modes = watchModes(terminal)
  const raw = { isOn: false }
  const waits = new Set<() => void>()
  const chunks: string[] = []
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
  const size = { columns, rows }
  const stdout = Object.defineProperties(
    new Writable({
      decodeStrings: false,
      write(chunk: string, _encoding, done) {
        chunks.push(chunk)
        terminal.write(chunk, () => {
          for (const wait of [...waits]) wait()
          done()
        })
      }
    }),
    { isTTY: { value: true }, columns: { get: () => size.columns }, rows: { get: () => size.rows } }
  )
  terminal.onData((data) => {
    if (answers) input.write(data)
  })

  const listeners = new Set<(event: GhyllEvent) => void>()
  const commands: Command[] = []
  const screen = mountScreen(
    {
      boot: { ...boot, ...options.boot },
      subscribe(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      dispatch(command) {
        commands.push(command)
        for (const wait of [...waits]) wait()
      }
    },
    { stdin, stdout, stop: options.stop ?? (() => undefined) }
  )
  const lines = () => readLines(terminal, 'visible')

  return {
    screen,
    terminal,
    modes,
    commands,
    raw,
    lines,
    emit(...events) {
      for (const event of events) {
        const whole = { ...event, session: sessionId('s'), at: Date.now() } as GhyllEvent
        for (const listener of listeners) listener(whole)
      }
    },
    type: (bytes) => void input.write(bytes),
    resize(toColumns, toRows) {
      size.columns = toColumns
      size.rows = toRows
      terminal.resize(Math.max(2, toColumns), Math.max(1, toRows))
      stdout.emit('resize')
    },
    hangUp: () => void input.end(),
    text: () => lines().join('\n'),
    cursor: () => ({ column: terminal.buffer.active.cursorX, row: terminal.buffer.active.cursorY }),
    bytesWritten: () => chunks.reduce((sum, chunk) => sum + Buffer.byteLength(chunk), 0),
    written: () => chunks.join(''),
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
        // State without a byte written (raw mode, commands) is looked at as well.
        const pulse = setInterval(look, 20)
        waits.add(look)
        look()
      })
    },
    async close() {
      screen.unmount()
      await screen.exited
      terminal.dispose()
    }
  }
}
