import type { ContextEntry } from '../../protocol/entry.ts'
import type { ToolSpec } from '../../protocol/tool.ts'

/** Estimates of the active dialect, uncorrected (MODEL-010). Pure functions of their argument. */
export type Estimator = {
  entry(entry: ContextEntry): number
  text(text: string): number
}

/** What goes into one request beside its entries. */
export type RequestParts = {
  /** The composed system prompt (CTX-005). */
  readonly system: string
  readonly entries: readonly ContextEntry[]
  readonly tools: readonly ToolSpec[]
}

/** Tokens of a whole request: system prompt, notes, entries and tool schemas (CTX-010). */
export type TokenCounter = {
  /** `correction` is the model's observed ratio (MODEL-011); below 1 it counts as 1. */
  request(parts: RequestParts, correction?: number): number
  /** Tokens of entries alone, for shares of the window. */
  entries(entries: readonly ContextEntry[], correction?: number): number
  text(text: string, correction?: number): number
}

/**
 * A counter for one dialect. Entries never change, so each is counted once and remembered by identity; a dialect change takes
 * a new counter (CTX-013). The system prompt and the tool schemas are counted again only when they are others.
 */
export function tokenCounter(estimator: Estimator): TokenCounter {
  const counted = new WeakMap<object, number>()
  let system = { text: '', tokens: 0 }

  const remembered = (key: object, count: () => number) => {
    const known = counted.get(key)
    if (known !== undefined) return known
    const tokens = count()
    counted.set(key, tokens)
    return tokens
  }
  const sum = (entries: readonly ContextEntry[]) =>
    entries.reduce((total, entry) => total + remembered(entry, () => estimator.entry(entry)), 0)

  return {
    request(parts, correction = 1) {
      if (parts.system !== system.text) system = { text: parts.system, tokens: estimator.text(parts.system) }
      const tools =
        parts.tools.length === 0 ? 0 : remembered(parts.tools, () => estimator.text(JSON.stringify(parts.tools)))
      return corrected(system.tokens + tools + sum(parts.entries), correction)
    },
    entries: (entries, correction = 1) => corrected(sum(entries), correction),
    text: (text, correction = 1) => corrected(estimator.text(text), correction)
  }
}

/** Proactive threshold: strictly more than `floor(0.9 × maxContext)` (CTX-011). */
export function needsCompaction(tokens: number, maxContext: number): boolean {
  return tokens > share(maxContext, 90)
}

/** More than 95 % of the window is never sent; the rest belongs to the answer (CTX-012). */
export function exceedsWindow(tokens: number, maxContext: number): boolean {
  return tokens * 100 > maxContext * 95
}

/** Whole tokens in `percent` of a window, rounded down. */
export function share(maxContext: number, percent: number): number {
  return Math.floor((maxContext * percent) / 100)
}

const corrected = (tokens: number, correction: number) => Math.ceil(tokens * Math.max(1, correction))
