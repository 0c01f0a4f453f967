import { type Item, notice } from './facts.ts'
import { isPending } from './inbox.ts'
import { type SessionState, servingModel } from './state.ts'
import type { Results, StepOf } from './steps.ts'
import { usageEvents } from './usage.ts'

/** What one compaction means: the anchor or the copy it leaves, or what is said and ended without one (SESS-080, SESS-081). */
export function settleCompaction(
  state: SessionState,
  step: StepOf<'compact'>,
  result: Results['compact']
): readonly Item[] {
  const { name, maxContext: limit } = servingModel(state)
  const tried: Item = { fact: 'compaction-tried', model: name }
  const over: readonly Item[] =
    step.why === 'reactive' ? [{ fact: 'overflow-over' }] : step.why === 'backfill' ? [{ fact: 'room-tried' }] : []
  const row = step.row !== null && isPending(state.inbox, step.row) ? step.row : null
  const ran: readonly Item[] = row === null ? [] : [{ kind: 'input-promoted', seqs: [row], entries: [] }]
  const trips = result.kind === 'nothing' ? [] : usageEvents(result.trips, 'compaction')
  switch (result.kind) {
    case 'anchored':
      return [
        ...trips,
        ...ran,
        { kind: 'anchored', entry: result.entry, tokens: result.tokens },
        ...over,
        tried,
        contextMeasured(state, result.tokens, limit),
        ...compactedNotices(result)
      ]
    case 'copied':
      return [
        ...trips,
        { fact: 'copy-compacted', covers: result.covers, entries: result.entries },
        ...over,
        tried,
        contextMeasured(state, result.tokens, limit),
        ...compactedNotices(result)
      ]
    case 'nothing':
      if (step.why === 'reactive')
        return [...over, ...tooLong(state, 'context too long, and nothing is left to summarise')]
      return [
        ...ran,
        ...over,
        tried,
        ...(step.why === 'hand-off' || step.why === 'backfill'
          ? []
          : [notice('warning', 'nothing to compact: the last turns are kept as they are')])
      ]
    case 'failed': {
      // Recall is extra: without the room it gets by with what fits.
      if (step.why === 'backfill') return [...trips, ...over, tried, notice('warning', result.text)]
      const failed = [...trips, ...ran, ...over, notice('error', result.text)]
      if (state.current === null) return failed
      const second = step.why === 'reactive' ? [notice('error', 'context: reactive compaction retry failed')] : []
      return [...failed, ...second, { fact: 'turn-failing', ending: { outcome: 'failed', code: 'compaction-failed' } }]
    }
    case 'interrupted':
      // The operator dropped it; the context is unchanged (SESS-093).
      return [...trips, ...over, ...(row === null ? [] : [{ kind: 'input-dropped', seq: row } as const])]
  }
}

function compactedNotices({
  tokens,
  lacks
}: {
  readonly tokens: number
  readonly lacks: string | null
}): readonly Item[] {
  const done = notice('info', `compacted context (${tokens} tokens)`)
  return lacks === null ? [done] : [done, notice('warning', `the summary is incomplete: ${lacks}`)]
}

/** How large the next request is, and what it may not exceed (CTX-010). */
export function contextMeasured(state: SessionState, tokens: number, limit: number): Item {
  const threshold = state.rules.routing.contextDepthThreshold
  return { kind: 'context-measured', tokens, limit, threshold, toolDepth: state.toolDepth }
}

/** A request that does not fit ends the turn; outside of one nothing waits to be sent (CTX-012). */
export function tooLong(state: SessionState, text: string): readonly Item[] {
  if (state.current === null) return [notice('warning', text)]
  return [
    notice('error', text, 'shorten it with /compact, or start over with /new'),
    { fact: 'turn-failing', ending: { outcome: 'failed', code: 'context-too-long' } }
  ]
}
