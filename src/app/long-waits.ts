import { safeLine } from '../lib/safe-text.ts'
import type { GhyllEvent, Waiting } from '../protocol/event.ts'
import { noticeLine } from './plain-lines.ts'

/** Waiting is told once it is longer than this (TERM-25). */
const TOLD_AFTER_MS = 300

/**
 * Tells somebody who reads or hears lines what a long pause is about: once for each, when it has become one (TERM-62). The returned
 * `stop` lets go of the timer.
 */
export function createLongWaits(say: (line: string) => void): {
  take(event: GhyllEvent): void
  stop(): void
} {
  let timer: NodeJS.Timeout | null = null
  let since: number | null = null
  const stop = () => {
    if (timer !== null) clearTimeout(timer)
    timer = null
  }
  return {
    take(event) {
      if (event.kind !== 'waiting-changed') return
      const { waiting } = event
      // The same wait with another count.
      if (waiting !== null && waiting.since === since) return
      stop()
      since = waiting?.since ?? null
      const text = waiting === null ? null : waitText(waiting)
      if (text !== null) timer = setTimeout(() => say(noticeLine('detail', text)), TOLD_AFTER_MS)
    },
    stop
  }
}

/** Null for what is told as a line anyway. */
function waitText({ what, label }: Waiting): string | null {
  switch (what) {
    case 'model':
      return `waiting for ${safeLine(label)}`
    case 'tool':
    case 'sub-agent':
      return `${safeLine(label)} is running`
    case 'compaction':
      return 'compacting'
    case 'handoff':
      return 'handing over'
    case 'sync':
      return safeLine(label)
    case 'retry':
      return null
  }
}
