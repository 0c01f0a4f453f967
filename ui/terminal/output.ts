import { EventEmitter } from 'node:events'
import { readInkWrite } from './paint/ink-frame.ts'
import { Painter, type Size } from './paint/painter.ts'

/** The terminal as a stream to write to; what `process.stdout` is. */
export type TerminalOutput = NodeJS.WritableStream & {
  readonly columns?: number
  readonly rows?: number
  readonly destroyed?: boolean
  readonly writableEnded?: boolean
}

/** What Ink writes to: the terminal with a size that is never zero, and frames of which only what changed leaves, in one piece. */
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
const LEAVE_ALTERNATE = '\x1b[?1049l'
const HOME = '\x1b[H'
/** From the cursor on. */
const ERASE_BELOW = '\x1b[J'
const HIDE = '\x1b[?25l'
const SHOW = '\x1b[?25h'
/** A terminal that does not know its size. */
const FALLBACK: Size = { columns: 80, rows: 24 }

/** Wraps the terminal. `greeting` is sent once, right after the alternate screen is entered: nothing it may print stays. */
export function createScreenOutput(terminal: TerminalOutput, greeting: string): ScreenOutput {
  const emitter = new EventEmitter()
  const painter = new Painter()
  let lineCount = 0
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
      return draw(whole, done)
    }
    if (frame !== null) {
      frame.push(text)
      done?.()
      return true
    }
    if (text.includes(ENTER_ALTERNATE)) return enter(text, done)
    return text === '' || text === HIDE || text === SHOW || text.includes(LEAVE_ALTERNATE)
      ? send(text, done)
      : draw(text, done)
  }

  /** What Ink drew, as the bytes that bring the screen there. */
  function draw(text: string, done?: () => void): boolean {
    const drawn = readInkWrite(text, lineCount)
    if (drawn.kind === 'frame') lineCount = drawn.lines.length
    if (drawn.kind === 'erased') painter.forget()
    const bytes =
      drawn.kind === 'frame'
        ? painter.paint(drawn, size(), isSynchronized)
        : drawn.kind === 'caret'
          ? painter.place(drawn.caret)
          : ''
    if (bytes !== '') return send(isSynchronized ? BEGIN + bytes + END : bytes, done)
    done?.()
    return true
  }

  /**
   * The alternate screen keeps the cursor where it was; frames begin at the top. It may also hold something already, when a program
   * that was killed never left it.
   */
  function enter(text: string, done?: () => void): boolean {
    painter.forget()
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
      if (frame !== null && frame.length > 0) draw(frame.join(''))
      frame = null
      emitter.removeAllListeners()
    }
  }
}
