import type { AnchorEntry, AssistantEntry, HistoryEntry } from '../../src/protocol/entry.ts'
import type { DurableEvent } from '../../src/protocol/event.ts'
import { entryId, type SessionId, stepId } from '../../src/protocol/ids.ts'
import type { ToolCall } from '../../src/protocol/tool.ts'

type Body<T> = T extends unknown ? Omit<T, 'session' | 'at'> : never

/**
 * A made-up but possible life of a session: batches of durable events as a session would record them, one batch per change.
 * `choose(n)` picks 0…n-1 and decides everything, so a script is as random and as repeatable as its chooser. Inbox sequence
 * numbers start behind `firstSeq`.
 */
export function* sessionScript(
  session: SessionId,
  choose: (n: number) => number,
  options: { readonly turns: number; readonly firstSeq?: number }
): Generator<DurableEvent[]> {
  let at = 1_000
  let ids = 0
  let seq = options.firstSeq ?? 0
  const history: HistoryEntry[] = []
  const name = (prefix: string) => `${session}/${prefix}${++ids}`
  const stamp = (bodies: Body<DurableEvent>[]): DurableEvent[] =>
    bodies.map((body) => {
      if (body.kind === 'input-promoted') history.push(...body.entries)
      if (body.kind === 'reply-opened' || body.kind === 'tool-ended' || body.kind === 'anchored')
        history.push(body.entry)
      return { ...body, session, at: ++at } as DurableEvent
    })

  yield stamp([{ kind: 'session-opened', workdir: '/repo', model: 'm25' }])
  if (choose(3) === 0)
    yield stamp([
      { kind: 'note-added', entry: { kind: 'note', id: entryId(name('n')), turn: 0, sub: 'resume', text: 'earlier' } }
    ])

  for (let turn = 1; turn <= options.turns; turn++) {
    const rows = Array.from({ length: 1 + choose(2) }, () => ++seq)
    for (const row of rows) {
      const delivery = 'steer' as const
      yield stamp([
        { kind: 'input-submitted', row: { seq: row, kind: 'input', delivery, origin: 'operator', text: `ask ${row}` } }
      ])
    }
    if (choose(4) === 0) {
      seq++
      yield stamp([
        {
          kind: 'input-submitted',
          row: { seq, kind: 'input', delivery: 'queue', origin: 'remote', text: 'never mind' }
        }
      ])
      yield stamp([{ kind: 'input-dropped', seq }])
    }
    yield stamp([
      { kind: 'turn-started', turn },
      {
        kind: 'input-promoted',
        seqs: rows,
        entries: rows.map((row) => ({ kind: 'user', id: entryId(name('u')), turn, text: `ask ${row}` }))
      }
    ])
    let outcome: 'completed' | 'partial' | 'interrupted' = 'completed'
    for (let round = choose(3); round >= 0; round--) {
      const step = stepId(name('s'))
      yield stamp([{ kind: 'step-opened', step, turn, model: 'm25' }])
      if (choose(4) === 0) yield stamp([{ kind: 'step-retried', step, retriesUsed: 1, compacted: false }])
      const calls: ToolCall[] = Array.from({ length: round === 0 ? 0 : 1 + choose(2) }, (_, n) => ({
        id: `c${n}`,
        name: 'bash',
        arguments: '{"command":"true"}'
      }))
      const reply: AssistantEntry = {
        kind: 'assistant',
        id: entryId(name('a')),
        turn,
        step,
        model: 'm25',
        family: 'minimax',
        text: 'a',
        reasoning: '',
        toolCalls: [],
        status: 'open'
      }
      yield stamp([{ kind: 'reply-opened', entry: reply }])
      if (choose(2) === 0) yield stamp([{ kind: 'reply-updated', entry: reply.id, text: 'a bit', reasoning: 'hm' }])
      const isCut = round === 0 && choose(5) === 0
      const settled = { kind: 'reply-settled' as const, entry: reply.id, text: `answer ${ids}`, reasoning: 'why' }
      yield stamp([
        { ...settled, status: isCut ? 'partial' : 'done', toolCalls: calls },
        {
          kind: 'usage-counted',
          model: 'm25',
          purpose: 'turn',
          usage: { prompt: 10, completion: 5, total: 15 },
          estimated: false
        }
      ])
      if (isCut) outcome = 'partial'
      for (const call of calls) {
        // Some calls are settled without ever having started.
        const started = choose(5) > 0
        if (started) yield stamp([{ kind: 'tool-started', message: reply.id, call }])
        const entry = { kind: 'tool' as const, id: entryId(name('r')), turn, message: reply.id, call, text: 'ok' }
        const status = started ? ('done' as const) : ('interrupted' as const)
        yield stamp([{ kind: 'tool-ended', entry: { ...entry, status, durationMs: 3, meta: { filesRead: ['a.ts'] } } }])
      }
      yield stamp([{ kind: 'step-ended', step, outcome }])
    }
    yield stamp([{ kind: 'turn-ended', turn, outcome, code: outcome === 'completed' ? null : 'stream-interrupted' }])
    if (outcome !== 'completed') yield stamp([{ kind: 'hold-changed', held: true }])
    yield* between(turn)
  }
  if (choose(2) === 0) yield stamp([{ kind: 'session-closed' }])

  function* between(turn: number): Generator<DurableEvent[]> {
    if (choose(3) === 0) {
      const checkpoint = { hash: `h${turn}`, index: turn, turn, summary: `turns 1-${turn}` }
      yield stamp([{ kind: 'checkpoint-created', ...checkpoint }])
    }
    if (choose(4) === 0) yield stamp([{ kind: 'plan-mode-changed', on: choose(2) === 0 }])
    if (choose(4) === 0) yield stamp([{ kind: 'deep-override-changed', on: choose(2) === 0 }])
    if (choose(4) === 0) {
      yield stamp([{ kind: 'model-switched', from: 'm25', to: 'glm5', reason: 'deep-override', checkpoint: null }])
    }
    if (choose(4) === 0) {
      const barrier = { seq: ++seq, kind: 'compaction', delivery: 'steer', origin: 'operator', text: '' } as const
      yield stamp([{ kind: 'input-submitted', row: barrier }])
      const anchor: AnchorEntry = {
        kind: 'compaction',
        id: entryId(name('x')),
        turn,
        notes: [{ kind: 'note', id: entryId(name('n')), turn, sub: 'summary', text: `compaction at turn ${turn}` }],
        kept: history
          .slice(-3)
          .filter((entry) => entry.kind !== 'compaction')
          .map((entry, n) => (n === 1 ? { entry: entry.id, text: 'cut' } : { entry: entry.id }))
      }
      yield stamp([
        { kind: 'input-promoted', seqs: [barrier.seq], entries: [] },
        { kind: 'anchored', entry: anchor, tokens: 99 }
      ])
    }
  }
}
