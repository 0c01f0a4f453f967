import { createParser } from 'eventsource-parser'
import { sizeLimits } from './limits.ts'

const LF = 0x0a
const CR = 0x0d

export type SseDecoder = {
  /** The data of the events that this piece completes, in order (MODEL-030). */
  feed(bytes: Uint8Array): readonly string[]
  /** End of the stream; an event that only lacks its blank line counts. */
  end(): readonly string[]
  /** A line, or an event of many lines, was longer than any server has reason to send (MODEL-037). Nothing comes after it. */
  readonly overflowed: boolean
}

/**
 * Server-sent events from bytes, however they are cut. The grammar is the library's; what is added here is UTF-8 across pieces
 * (MODEL-031) and the limit of a line, counted in bytes, so that an endless one takes no more memory than a long one.
 */
export function sseDecoder(): SseDecoder {
  const text = new TextDecoder()
  const events: string[] = []
  let lineBytes = 0
  let overflowed = false
  const parser = createParser({
    maxBufferSize: sizeLimits.content,
    onEvent: (event) => events.push(event.data),
    onError: (error) => {
      // Unknown fields are ignored, as the grammar wants it.
      if (error.type === 'max-buffer-size-exceeded') overflowed = true
    }
  })

  /** How much of `bytes` lies before a line that is too long. */
  const acceptable = (bytes: Uint8Array): number => {
    let complete = 0
    for (let at = 0; at < bytes.length; at += 1) {
      lineBytes += 1
      if (bytes[at] === LF || bytes[at] === CR) {
        complete = at + 1
        lineBytes = 0
      } else if (lineBytes > sizeLimits.line) {
        overflowed = true
        return complete
      }
    }
    return bytes.length
  }

  return {
    feed(bytes) {
      if (overflowed) return []
      parser.feed(text.decode(bytes.subarray(0, acceptable(bytes)), { stream: true }))
      return events.splice(0)
    },
    end() {
      if (overflowed) return []
      parser.feed(`${text.decode()}\n\n`)
      return events.splice(0)
    },
    get overflowed() {
      return overflowed
    }
  }
}
