import { createInterface, type Interface } from 'node:readline'
import type { Readable } from 'node:stream'
import { safeText } from '../lib/safe-text.ts'
import type { GhyllEvent } from '../protocol/event.ts'
import { createBus } from './bus.ts'
import { noticeLine, plainLine } from './plain-lines.ts'
import { openProgram, type Program } from './program.ts'
import { watchSignals } from './signals.ts'
import type { Started } from './start.ts'

export type LineModeOptions = {
  readonly input: Readable
  /** A person types: a prompt is shown. */
  readonly prompts: boolean
  readonly out: (text: string) => void
}

/**
 * The session without a screen (CLI-031): each line of `input` is one input, output is plain text, the end of input ends the
 * session once the work under way is done. Resolves with the exit code.
 */
export async function runLines(started: Started, { input, prompts, out }: LineModeOptions): Promise<number> {
  const bus = createBus((thrown) => started.log.error(String(thrown)))
  bus.subscribe((event) => {
    const text = answerText(event) ?? plainLine(event)
    if (text !== null && text !== '') out(`${text}\n`)
  })
  const program = await openProgram(started, bus, { canAsk: false })
  const stopWatching = watchSignals(process, {
    // In line mode Ctrl+C leaves at once when idle (TERM-45a).
    interrupt: () => program.session.interrupt(),
    leave: (signal) => void program.close({ signal }),
    hurry: () => program.hurry(),
    abandon(code) {
      started.release()
      process.exit(code)
    }
  })
  let lines: Interface | null = null
  try {
    await Promise.race([program.idle(), program.ended])
    // Not before somebody takes the lines: what is read until then would be lost.
    lines = createInterface({ input, terminal: false })
    void (prompts ? converse(lines, program, out) : feed(lines, program))
    const end = await program.ended
    for (const line of end.lines) out(`${line}\n`)
    return end.exitCode
  } finally {
    lines?.close()
    stopWatching()
  }
}

/** A person types: what is entered while the model works steers it, and the prompt comes back when it is idle. */
async function converse(lines: Interface, program: Program, out: (text: string) => void): Promise<void> {
  let isAwaited = false
  // However many lines were entered meanwhile, there is one prompt once all is done.
  const prompt = async () => {
    if (isAwaited) return
    isAwaited = true
    await program.idle()
    isAwaited = false
    out(promptText(program))
  }
  void prompt()
  for await (const line of lines) {
    enter(line, program)
    void prompt()
  }
  await leaveWhenIdle(program)
}

/** The prompt, and above it what only Enter takes up (SESS-092). */
function promptText({ session }: Program): string {
  const { model, held, inbox } = session.state()
  const waiting = held && inbox.length > 0 ? `${noticeLine('info', `${inbox.length} held: Enter sends it`)}\n` : ''
  return `${waiting}ghyll [${model}] > `
}

/** Lines from a file or a pipe are separate inputs: each waits until the one before it is done. */
async function feed(lines: Interface, program: Program): Promise<void> {
  for await (const line of lines) {
    await program.idle()
    enter(line, program)
  }
  await leaveWhenIdle(program)
}

function enter(line: string, program: Program): void {
  if (line.trim() === '') program.session.takeUp()
  else program.session.submit(line, 'steer', 'operator')
}

async function leaveWhenIdle(program: Program): Promise<void> {
  await program.idle()
  await program.close({ signal: null })
}

/** A model's answer, once it is whole. */
function answerText(event: GhyllEvent): string | null {
  return event.kind === 'reply-settled' && event.status !== 'superseded' ? safeText(event.text) : null
}
