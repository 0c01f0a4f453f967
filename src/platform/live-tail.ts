import { StringDecoder } from 'node:string_decoder'

const maxLines = 200
/** A line without end must not grow without end either. */
const maxChars = 64 * 1024
const minIntervalMs = 50

export type LiveTail = {
  /** Text of one stream of the program, in the order it came. */
  add(stream: 'stdout' | 'stderr', chunk: Buffer): void
  /** Nothing is told any more. */
  stop(): void
}

/**
 * Tells `onTail` the last 200 lines of a running program's output, stdout and stderr as they came, at most 20 times a second
 * (TOOL-125). The first output is told at once, the latest at the end of each interval.
 */
export function createLiveTail(onTail: (tail: string) => void): LiveTail {
  const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') }
  let text = ''
  let timer: NodeJS.Timeout | null = null
  let isStale = false

  const tell = () => {
    isStale = false
    timer = setTimeout(() => {
      timer = null
      if (isStale) tell()
    }, minIntervalMs)
    text = lastLines(text)
    onTail(text)
  }

  return {
    add(stream, chunk) {
      text += decoders[stream].write(chunk)
      if (text.length > 2 * maxChars) text = lastLines(text)
      isStale = true
      if (timer === null) tell()
    },
    stop() {
      if (timer !== null) clearTimeout(timer)
      timer = null
    }
  }
}

function lastLines(text: string): string {
  let from = Math.max(0, text.length - maxChars)
  let at = text.endsWith('\n') ? text.length - 1 : text.length
  for (let lines = 0; lines < maxLines; lines += 1) {
    at = text.lastIndexOf('\n', at - 1)
    if (at <= from) return text.slice(from)
  }
  from = at + 1
  return text.slice(from)
}
