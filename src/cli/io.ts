import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import type { Environment } from '../config/paths.ts'
import { Failure } from '../lib/error.ts'

/** What a subcommand sees of the world around it; a test hands in its own. */
export interface CliIo {
  /** Standard output: what was asked for. */
  out(text: string): void
  /** Standard error: errors, warnings and notices. */
  err(text: string): void
  readonly env: Environment
  /** Throws `NoWorkingDirectory`. */
  readonly cwd: string
  readonly stdinIsTty: boolean
  /** Standard input to its end. */
  readStdin(): Promise<string>
  /** Standard input line by line, as it comes. Ending the iteration lets go of it. */
  readLines(): AsyncIterableIterator<string>
}

/**
 * The process's own streams. A reader that goes away (`ghyll config show | head`) ends the program quietly, with the exit code as it
 * stands; a full disk behind standard output ends it with a word. A terminal that hung up is no error of a write: its SIGHUP, or the
 * end of its input, ends a session in order.
 */
export function processIo(): CliIo {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EIO') return
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0)
    process.stderr.write(`ghyll: cannot write to standard output: ${error.message}\n`)
    process.exit(1)
  })
  // There is nobody left to tell.
  process.stderr.on('error', () => undefined)
  return {
    out: (chunk) => void process.stdout.write(chunk),
    err: (chunk) => void process.stderr.write(chunk),
    env: process.env,
    get cwd() {
      return workingDirectory()
    },
    stdinIsTty: process.stdin.isTTY === true,
    readStdin: () => text(process.stdin),
    readLines: () => linesOf(process.stdin)
  }
}

/** The folder the program was started in is gone; commands that need none still work. */
class NoWorkingDirectory extends Failure {
  readonly code = 'no-working-directory'
}

function workingDirectory(): string {
  try {
    return process.cwd()
  } catch (cause) {
    throw new NoWorkingDirectory('the working directory does not exist any more', {
      cause,
      hint: 'change to another folder'
    })
  }
}

async function* linesOf(input: NodeJS.ReadStream): AsyncGenerator<string, undefined> {
  const lines = createInterface({ input })
  try {
    yield* lines
  } finally {
    // Otherwise a terminal that could still say something keeps the process alive.
    lines.close()
    input.unref?.()
  }
}
