import { share } from './tokens.ts'

/** Tokens that backfill may add: `min(8000, 10 % of the window, room below the routing threshold)`, at least 500 (CTX-048). */
export function backfillBudget(sizes: {
  readonly maxContext: number
  readonly depthThreshold: number
  readonly tokens: number
}): number {
  return Math.max(500, Math.min(8000, share(sizes.maxContext, 10), sizes.depthThreshold - sizes.tokens))
}
