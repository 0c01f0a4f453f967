import type { ModelDelta, ModelReply } from '../../protocol/model.ts'
import type { ToolCall } from '../../protocol/tool.ts'
import type { CallOrigin, Dialect, ParsedCalls, ParseRefusal, SegmentEvent } from './types.ts'

/** What to do on the screen with a piece of a reply. */
export type ReplyShow = Extract<SegmentEvent, { readonly kind: 'text' | 'reasoning' | 'reclassify' }>

/** A reply as the session keeps it. */
export type FinishedReply = {
  /** What was still held back, to be shown now. */
  readonly shown: readonly ReplyShow[]
  readonly text: string
  readonly reasoning: string
  /** The calls to run, in order; empty for a partial reply (MODEL-042). */
  readonly calls: readonly ToolCall[]
  /** Calls that do not run and why (MODEL-073, MODEL-075). Whole calls beside a half one are in `calls`. */
  readonly refusal: ParseRefusal | null
}

export type ReplyReader = {
  /** Takes one delta as it arrives; answers what can be shown of it. */
  feed(delta: ModelDelta): readonly ReplyShow[]
  /** Text and reasoning so far, for the open row (SESS-050). */
  soFar(): { readonly text: string; readonly reasoning: string }
  /** The end of the response: what the envelope brought wins over what was found in the text (MODEL-070). */
  finish(reply: ModelReply): FinishedReply
}

/** Follows one streamed response in the grammar of its family. */
export function newReplyReader(dialect: Dialect, origin: CallOrigin): ReplyReader {
  const segmenter = dialect.newSegmenter()
  const native: { calls: ToolCall[]; refusal: string | null } = { calls: [], refusal: null }
  let text = ''
  let reasoning = ''
  let envelopeReasoning = ''

  const take = (events: readonly SegmentEvent[]): ReplyShow[] => {
    const shown: ReplyShow[] = []
    for (const event of events) {
      switch (event.kind) {
        case 'text':
          text += event.text
          break
        case 'reasoning':
          if (envelopeReasoning !== '') continue
          reasoning += event.text
          break
        case 'reclassify':
          reasoning += text.slice(text.length - event.count)
          text = text.slice(0, text.length - event.count)
          break
        case 'call':
          native.calls.push(event.call)
          continue
        case 'refused':
          native.refusal ??= event.reason
          continue
      }
      shown.push(event)
    }
    return shown
  }

  return {
    feed(delta) {
      if (delta.channel === 'content') return take(segmenter.feed(delta.text))
      envelopeReasoning += delta.text
      return delta.text === '' ? [] : [{ kind: 'reasoning', text: delta.text }]
    },
    soFar: () => ({ text, reasoning: envelopeReasoning || reasoning }),
    finish(reply) {
      const shown = take(segmenter.flush())
      const kept = { shown, text, reasoning: envelopeReasoning || reasoning }
      if (reply.partial) return { ...kept, calls: [], refusal: null }

      const isNative = reply.malformedToolCalls === undefined && reply.toolCalls.length === 0
      const parsed = isNative ? parse(native.calls) : parse(reply.toolCalls, reply.malformedToolCalls)
      if (!parsed.ok) return { ...kept, calls: [], refusal: parsed.refusal }
      return { ...kept, calls: parsed.calls, refusal: isNative ? halfCall() : null }
    }
  }

  function parse(calls: readonly ToolCall[], malformed?: string): ParsedCalls {
    return dialect.parseToolCalls(malformed ?? envelopeOf(calls), origin)
  }

  function halfCall(): ParseRefusal | null {
    return native.refusal === null ? null : { code: 'parse-refused', reason: native.refusal, offending: null }
  }
}

/** A response that nobody watched while it streamed, read in one go. */
export function readReply(dialect: Dialect, origin: CallOrigin, reply: ModelReply): FinishedReply {
  const reader = newReplyReader(dialect, origin)
  reader.feed({ channel: 'reasoning', text: reply.reasoningContent })
  reader.feed({ channel: 'content', text: reply.content })
  return reader.finish(reply)
}

function envelopeOf(calls: readonly ToolCall[]): string {
  return JSON.stringify(
    calls.map(({ id, name, arguments: args }) => ({ id, type: 'function', function: { name, arguments: args } }))
  )
}
