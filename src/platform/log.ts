import { closeSync, constants, fstatSync, mkdirSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { Failure, messageOf } from '../lib/error.ts'
import { openRegular } from './regular-file.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
export type LogFormat = 'text' | 'json'

/** Diagnostics for the file, never for the screen. Message bodies belong to `debug` and keys nowhere (CFG-040). */
export interface Logger {
  debug(text: string): void
  info(text: string): void
  warn(text: string): void
  error(text: string): void
  /** The same log under another session's id. */
  forSession(session: string): Logger
  close(): void
}

export type LogOptions = {
  readonly level: LogLevel
  readonly format: LogFormat
  readonly session: string
  /** Takes keys out of a text before it is written. */
  readonly redact: (text: string) => string
  /** Milliseconds since the epoch. */
  readonly now?: () => number
  /** Size at which the file becomes `<path>.1`; bytes. */
  readonly rotateAtBytes?: number
}

/** The log file cannot be opened; diagnostics stay on standard error (SESS-020, step 4). */
export class LogFailure extends Failure {
  readonly code = 'log-unavailable'
  readonly path: string
  constructor(path: string, cause: unknown) {
    super(`cannot open ${path}: ${messageOf(cause)}`, { cause })
    this.path = path
  }
}

/** Level and format from the environment, and the line to print on standard error when the level is no known one. */
export function logSettings(env: Readonly<Record<string, string | undefined>>): {
  readonly level: LogLevel
  readonly format: LogFormat
  readonly warning: string | null
} {
  const format = env.GHYLL_LOG_FORMAT?.trim().toLowerCase() === 'json' ? 'json' : 'text'
  const wanted = env.GHYLL_LOG_LEVEL
  if (wanted === undefined || wanted.trim() === '') return { level: 'warn', format, warning: null }
  const level = levels.find((each) => each === wanted.trim().toLowerCase())
  if (level !== undefined) return { level, format, warning: null }
  return { level: 'warn', format, warning: `ghyll: GHYLL_LOG_LEVEL="${wanted}" not recognized; using warn` }
}

/** Opens `path` for appending, mode 0600, and rotates it when it grows (CFG-040). Throws `LogFailure`. */
export function openLog(path: string, options: LogOptions): Logger {
  const rotateAt = options.rotateAtBytes ?? 10 * 1024 * 1024
  let descriptor: number | null
  let size: number
  try {
    mkdirSync(dirname(path), { recursive: true })
    descriptor = openForAppend(path)
    size = fstatSync(descriptor).size
  } catch (error) {
    throw new LogFailure(path, error)
  }

  return logger(options, {
    write(line) {
      if (descriptor === null) return
      const bytes = Buffer.from(line)
      try {
        if (size > 0 && size + bytes.length > rotateAt) {
          closeSync(descriptor)
          descriptor = null
          renameSync(path, `${path}.1`)
          descriptor = openForAppend(path)
          size = 0
        }
        writeSync(descriptor, bytes)
        size += bytes.length
      } catch {
        // A full disk or a vanished folder: there is no better place to say so, and the session matters more than its log.
      }
    },
    close() {
      if (descriptor !== null) closeSync(descriptor)
      descriptor = null
    }
  })
}

/** A log on any sink, such as standard error before the file is open. */
export function logTo(write: (line: string) => void, options: LogOptions): Logger {
  return logger(options, { write, close: () => undefined })
}

const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error']

function logger(options: LogOptions, sink: { write(line: string): void; close(): void }): Logger {
  const now = options.now ?? Date.now
  const entry = (level: LogLevel) => (text: string) => {
    if (levels.indexOf(level) < levels.indexOf(options.level)) return
    sink.write(format(options.format, new Date(now()).toISOString(), level, options.session, options.redact(text)))
  }
  return {
    debug: entry('debug'),
    info: entry('info'),
    warn: entry('warn'),
    error: entry('error'),
    forSession: (session) => logger({ ...options, session }, sink),
    close: () => sink.close()
  }
}

function format(kind: LogFormat, time: string, level: LogLevel, session: string, text: string): string {
  if (kind === 'json') return `${JSON.stringify({ time, level, session, text })}\n`
  return `${time} ${level} ${session} ${oneLine(text)}\n`
}

/** Keeps an entry on its line and the terminal of whoever reads it unharmed. */
function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\\]/g, (each) => {
    if (each === '\n') return '\\n'
    if (each === '\\') return '\\\\'
    return `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

function openForAppend(path: string): number {
  return openRegular(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, 0o600)
}
