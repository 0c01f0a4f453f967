import type { MessagePort } from 'node:worker_threads'

/** One request: search these lines. `first` keeps one match per line, `count` only counts. */
export type PatternRequest = {
  readonly pattern: string
  readonly lines: readonly string[]
  readonly mode: 'all' | 'first' | 'count'
  /** Matches after which the search stops. */
  readonly limit: number
}

export type PatternMatch = {
  /** 0-based. */
  readonly line: number
  /** The whole match, then its captures; a capture that took no part is null. */
  readonly groups: readonly (string | null)[]
}

export type PatternAnswer = {
  readonly matches: readonly PatternMatch[]
  readonly count: number
  /** The limit was reached before the text ended. */
  readonly truncated: boolean
  /** Some match was empty: a count of such matches means nothing (CONC-33). */
  readonly emptyMatch: boolean
}

/**
 * Runs in a thread of its own, so that a pattern that never ends can be stopped and does not hold up the screen (CONC-33). The thread
 * is started from this function's own text: it must not refer to anything outside of its body.
 */
export function patternWorker(port: MessagePort): void {
  port.on('message', ({ pattern, lines, mode, limit }: PatternRequest) => {
    const expression = new RegExp(pattern, 'gu')
    const matches: PatternMatch[] = []
    let count = 0
    let emptyMatch = false
    let truncated = false
    search: for (const [line, text] of lines.entries()) {
      for (const match of text.matchAll(expression)) {
        if (count >= limit) {
          truncated = true
          break search
        }
        count += 1
        if (match[0] === '') emptyMatch = true
        if (mode !== 'count') matches.push({ line, groups: Array.from(match, (group) => group ?? null) })
        if (mode === 'first') break
      }
    }
    port.postMessage({ matches, count, truncated, emptyMatch } satisfies PatternAnswer)
  })
}
