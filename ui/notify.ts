import type { GhyllEvent } from '../src/protocol/event.ts'

/** A turn this long may have made its operator look elsewhere. */
const LONG_TURN_MS = 10_000

/** Watches turns; `attention` answers whether an event is one an operator who is elsewhere wants to know of (TERM-63). */
export function createTurnWatch(): { attention(event: GhyllEvent): boolean } {
  let startedAt: number | null = null
  return {
    attention(event) {
      if (event.kind === 'turn-started') startedAt = event.at
      if (event.kind !== 'turn-ended' || startedAt === null) return false
      const isLong = event.at - startedAt >= LONG_TURN_MS
      startedAt = null
      return isLong
    }
  }
}

/** The bytes of a notification; none for `none`. */
export function notification(how: 'bell' | 'osc9' | 'none', text: string): string {
  if (how === 'bell') return '\x07'
  return how === 'osc9' ? `\x1b]9;${text}\x07` : ''
}
