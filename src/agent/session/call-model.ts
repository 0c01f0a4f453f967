import { type ModelDelta, type ModelOutcome, type ModelRequest, modelFailure } from '../../protocol/model.ts'
import { type CallOrigin, type Dialect, type FinishedReply, newReplyReader, type ReplyShow } from '../dialects/index.ts'
import type { Ports } from './ports.ts'
import { withinTeardown } from './teardown.ts'

/** Between two updates of the open row (SESS-050), and between two counts of the waiting line (TERM-25). */
const rowEveryMs = 1000
const waitingEveryMs = 250

/** Where the pieces of a reply go while it streams. */
export type ReplySink = {
  /** The first output: from here on the reply has its place in the history. */
  opened(): void
  /** The text so far, at most once a second. */
  updated(soFar: { readonly text: string; readonly reasoning: string }): void
  shown(piece: ReplyShow): void
  /** Tokens received so far, estimated from characters; for the waiting line. */
  counted(characters: number): void
}

export type Attempt = {
  readonly isOpen: boolean
  readonly text: string
  readonly reasoning: string
  readonly outcome: ModelOutcome
  /** null when the attempt failed. */
  readonly finished: FinishedReply | null
}

/** One request, its stream read in the grammar of its family. Never rejects; returns only when the stream is torn down. */
export async function attempt(
  ports: Pick<Ports, 'model' | 'clock' | 'log'>,
  request: ModelRequest,
  parts: {
    readonly dialect: Dialect
    readonly origin: CallOrigin
    readonly signal: AbortSignal
    readonly sink: ReplySink
  }
): Promise<Attempt> {
  const { signal, sink } = parts
  const reader = newReplyReader(parts.dialect, parts.origin)
  let isOpen = false
  let isOver = false
  let characters = 0
  let rowAt = 0
  let countAt = 0

  const show = (pieces: readonly ReplyShow[]) => {
    for (const piece of pieces) {
      if (!isOpen) {
        isOpen = true
        rowAt = ports.clock.now()
        sink.opened()
      }
      sink.shown(piece)
    }
  }
  const onDelta = (delta: ModelDelta) => {
    // A stream that outlives its abort is not listened to any more.
    if (isOver || signal.aborted) return
    show(reader.feed(delta))
    characters += delta.text.length
    const now = ports.clock.now()
    if (isOpen && now - rowAt >= rowEveryMs) {
      rowAt = now
      sink.updated(reader.soFar())
    }
    if (now - countAt >= waitingEveryMs) {
      countAt = now
      sink.counted(characters)
    }
  }
  const outcome = signal.aborted
    ? interrupted
    : await withinTeardown(ports, ports.model.request(request, signal, onDelta), signal, 'a model stream', interrupted)
  isOver = true
  if (outcome.kind === 'failure') return { isOpen, ...reader.soFar(), outcome, finished: null }
  // A server that does not stream brings its text only now (MODEL-028).
  if (characters === 0 && !outcome.reply.partial) {
    show(reader.feed({ channel: 'reasoning', text: outcome.reply.reasoningContent }))
    show(reader.feed({ channel: 'content', text: outcome.reply.content }))
  }
  const finished = reader.finish(outcome.reply)
  show(finished.shown)
  return { isOpen, text: finished.text, reasoning: finished.reasoning, outcome, finished }
}

/** What a request comes to that the operator stopped. */
export const interrupted: ModelOutcome = {
  kind: 'failure',
  failure: modelFailure('interrupted by operator', { code: 'interrupted' })
}
