import { createInputDecoder, type TerminalInput } from '../keys/index.ts'

/** The terminal as a stream to read from; what `process.stdin` is. */
export type TerminalSource = NodeJS.ReadableStream & {
  readonly isTTY?: boolean
  setRawMode?(isRaw: boolean): unknown
  ref?(): unknown
  unref?(): unknown
}

export type InputReader = {
  /** Raw mode on, keys flow. */
  start(): void
  /** Raw mode off, nothing is read: the terminal belongs to someone else. */
  stop(): void
}

/** Reads the terminal and decodes what it sends; `clock` in milliseconds. `onClose` is called once when there is no more to come. */
export function createInputReader(
  source: TerminalSource,
  clock: () => number,
  onInput: (inputs: readonly TerminalInput[], now: number) => void,
  onClose: () => void
): InputReader {
  const decoder = createInputDecoder()
  let timer: NodeJS.Timeout | null = null
  let isReading = false

  function deliver(inputs: readonly TerminalInput[], now: number): void {
    if (inputs.length > 0) onInput(inputs, now)
    if (timer !== null) clearTimeout(timer)
    const deadline = isReading ? decoder.deadline() : null
    timer = deadline === null ? null : setTimeout(flush, Math.max(0, deadline - clock()))
  }

  function flush(): void {
    const now = clock()
    deliver(decoder.flush(now), now)
  }

  function onData(chunk: Uint8Array | string): void {
    const now = clock()
    deliver(decoder.push(chunk, now), now)
  }

  return {
    start() {
      if (isReading) return
      isReading = true
      source.setRawMode?.(true)
      source.ref?.()
      source.on('data', onData)
      source.on('end', onClose)
      source.on('close', onClose)
      source.on('error', onClose)
      source.resume()
    },
    stop() {
      if (!isReading) return
      isReading = false
      if (timer !== null) clearTimeout(timer)
      timer = null
      source.off('data', onData)
      source.off('end', onClose)
      source.off('close', onClose)
      source.off('error', onClose)
      source.pause()
      try {
        source.setRawMode?.(false)
      } catch {
        // The terminal is gone, and with it the mode.
      }
      source.unref?.()
    }
  }
}
