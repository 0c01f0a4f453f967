import { createInterface, type Interface } from 'node:readline'
import type { Readable } from 'node:stream'
import { safeText } from '../lib/safe-text.ts'
import type { GhyllEvent } from '../protocol/event.ts'
import { createBus } from './bus.ts'
import { createLongWaits } from './long-waits.ts'
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
  const waits = createLongWaits((line) => out(`${line}\n`))
  // A pipe's reader has no use for it.
  if (prompts) bus.subscribe(waits.take)
  const program = await openProgram(started, bus, { asking: 'lines' })
  const talk = conversation(program, prompts ? out : null)
  const stopWatching = watchSignals(process, {
    // In line mode Ctrl+C leaves at once when idle (TERM-45a); an open question it puts off (OPUI-405).
    interrupt: () => talk.putOff() || program.session.interrupt(),
    leave: (signal) => void program.close({ signal }),
    hurry: () => program.hurry(),
    abandon(code) {
      started.release()
      process.exit(code)
    }
  })
  let lines: Interface | null = null
  try {
    await Promise.race([program.listening(), program.ended])
    // Not before somebody takes the lines: what is read until then would be lost.
    lines = createInterface({ input, terminal: false })
    void (prompts ? converse(lines, talk) : feed(lines, program, talk, out))
    const end = await program.ended
    for (const line of end.lines) out(`${line}\n`)
    return end.exitCode
  } finally {
    lines?.close()
    waits.stop()
    stopWatching()
  }
}

/** What typed lines mean now: the answer to an open question, else words for the session. */
type Conversation = {
  /** Shows what is asked for next, as soon as lines are taken; however often it is called meanwhile, once. */
  prompt(): Promise<void>
  enter(line: string): void
  /** Ctrl+C on an open question: it keeps its place. False when none is open. */
  putOff(): boolean
  /** No more lines: what is asked is put off, and the session ends when its work is done. */
  leave(): Promise<void>
}

/** `show` null: nobody reads prompts. */
function conversation(program: Program, show: ((text: string) => void) | null): Conversation {
  const { session, questions } = program
  let isAwaited = false
  const talk: Conversation = {
    async prompt() {
      if (isAwaited || show === null) return
      isAwaited = true
      await program.listening()
      isAwaited = false
      const asked = questions?.asking() ?? null
      show(asked === null ? promptText(program) : `${asked} `)
    },
    enter(line) {
      if (questions?.asking() == null) {
        if (line.trim() === '') session.takeUp()
        else session.submit(line, 'steer', 'operator')
      } else if (/^\/(exit|quit)\s*$/.test(line)) {
        questions.cancel()
        session.submit(line, 'steer', 'operator')
      } else questions.enter(line)
    },
    putOff() {
      if (questions?.asking() == null) return false
      questions.cancel()
      void talk.prompt()
      return true
    },
    async leave() {
      await program.listening()
      while (questions?.asking() != null) {
        questions.cancel()
        await program.listening()
      }
      await program.close({ signal: null })
    }
  }
  return talk
}

/** A person types: what is entered while the model works steers it, and the prompt comes back when it is idle. */
async function converse(lines: Interface, talk: Conversation): Promise<void> {
  void talk.prompt()
  for await (const line of lines) {
    talk.enter(line)
    void talk.prompt()
  }
  await talk.leave()
}

/** The prompt, and above it what only Enter takes up (SESS-092). */
function promptText({ session }: Program): string {
  const { model, held, inbox } = session.state()
  const waiting = held && inbox.length > 0 ? `${noticeLine('info', `${inbox.length} held: Enter sends it`)}\n` : ''
  return `${waiting}ghyll [${model}] > `
}

/** Lines from a file or a pipe are separate inputs: each waits until the one before it is done, or until something is asked. */
async function feed(
  lines: Interface,
  program: Program,
  talk: Conversation,
  out: (text: string) => void
): Promise<void> {
  for await (const line of lines) {
    await program.listening()
    const asked = program.questions?.asking() ?? null
    if (asked !== null) out(`${asked} ${safeText(line)}\n`)
    talk.enter(line)
  }
  await talk.leave()
}

/** A model's answer, once it is whole. */
function answerText(event: GhyllEvent): string | null {
  return event.kind === 'reply-settled' && event.status !== 'superseded' ? safeText(event.text) : null
}
