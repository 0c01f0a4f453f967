import { EventEmitter } from 'node:events'

/** The terminal as a stream to write to; what `process.stdout` is. */
export type TerminalOutput = NodeJS.WritableStream & {
  readonly columns?: number
  readonly rows?: number
  readonly destroyed?: boolean
  readonly writableEnded?: boolean
}

export type Size = { readonly columns: number; readonly rows: number }

/** What Ink writes to: the terminal with a size that is never zero, and frames that leave in one piece. */
export type ScreenOutput = {
  /** For Ink, which wants a stream of the process. */
  readonly stream: NodeJS.WriteStream
  size(): Size
  /** Writes around Ink: modes, queries, the bell. Never throws, for the terminal may be gone. */
  control(sequence: string): void
  /** Resolves when the terminal has all that was written. */
  flushed(): Promise<void>
  /** The terminal understands synchronized output; until then its brackets are left out (TERM-11). */
  adoptSynchronized(): void
  /** Tells Ink of a new size. The caller has drawn for it already, so that no frame is larger than the window (TERM-1). */
  announceSize(): void
  close(): void
}

const BEGIN = '\x1b[?2026h'
const END = '\x1b[?2026l'
const ENTER_ALTERNATE = '\x1b[?1049h'
const HOME = '\x1b[H'
/** From the cursor on; a frame takes what is under it for blank. */
const ERASE_BELOW = '\x1b[J'
/** A terminal that does not know its size. */
const FALLBACK: Size = { columns: 80, rows: 24 }

/** Wraps the terminal. `greeting` is sent once, right after the alternate screen is entered: nothing it may print stays. */
export function createScreenOutput(terminal: TerminalOutput, greeting: string): ScreenOutput {
  const emitter = new EventEmitter()
  let frame: string[] | null = null
  let isSynchronized = false
  let isGreeted = false

  function size(): Size {
    const { columns = 0, rows = 0 } = terminal
    return columns > 0 && rows > 0 ? { columns, rows } : FALLBACK
  }

  function send(data: string, done?: () => void): boolean {
    if (terminal.destroyed === true || terminal.writableEnded === true) {
      done?.()
      return false
    }
    try {
      return terminal.write(data, done)
    } catch {
      // The terminal is gone; whoever reads from it finds out and ends the screen.
      done?.()
      return false
    }
  }

  function write(data: string | Uint8Array, first?: unknown, second?: unknown): boolean {
    const done = [first, second].find((each) => typeof each === 'function') as (() => void) | undefined
    const text = typeof data === 'string' ? data : Buffer.from(data).toString()
    if (text === BEGIN) {
      frame = []
      return true
    }
    if (text === END && frame !== null) {
      const whole = frame.join('')
      frame = null
      return send(isSynchronized ? BEGIN + whole + END : whole, done)
    }
    if (frame !== null) {
      frame.push(text)
      done?.()
      return true
    }
    if (!text.includes(ENTER_ALTERNATE)) return send(text, done)
    // The alternate screen keeps the cursor where it was; frames begin at the top. It may also hold something already, when a
    // program that was killed never left it.
    const entered = text.replace(ENTER_ALTERNATE, ENTER_ALTERNATE + (isGreeted ? '' : greeting) + HOME + ERASE_BELOW)
    isGreeted = true
    return send(entered, done)
  }

  const stream = Object.defineProperties(emitter, {
    isTTY: { value: true },
    columns: { get: () => size().columns },
    rows: { get: () => size().rows },
    writable: { value: true },
    destroyed: { get: () => terminal.destroyed === true },
    writableEnded: { get: () => terminal.writableEnded === true },
    write: { value: write }
  }) as unknown as NodeJS.WriteStream

  return {
    stream,
    size,
    control(sequence) {
      send(sequence)
    },
    flushed: () => new Promise((resolve) => send('', resolve)),
    adoptSynchronized() {
      isSynchronized = true
    },
    announceSize() {
      emitter.emit('resize')
    },
    close() {
      if (frame !== null && frame.length > 0) send(frame.join(''))
      frame = null
      emitter.removeAllListeners()
    }
  }
}
