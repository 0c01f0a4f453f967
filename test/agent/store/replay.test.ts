import { describe, expect, it } from 'vitest'
import { activeContext } from '../../../src/agent/context/index.ts'
import { evolve } from '../../../src/agent/session/evolve.ts'
import type { SessionStorePort } from '../../../src/agent/session/ports.ts'
import type { Rules } from '../../../src/agent/session/rules.ts'
import { initialState } from '../../../src/agent/session/state.ts'
import type { DurableEvent } from '../../../src/protocol/event.ts'
import { entryId, sessionId } from '../../../src/protocol/ids.ts'
import { assistant, user } from '../../support/entries.ts'
import { fc, runs } from '../../support/laws.ts'
import { sessionScript } from '../../support/session-script.ts'
import { openStore, temporaryRepository } from './open.ts'

const session = sessionId('dev-1')
// All the fold looks at.
const rules = { routing: { defaultModel: 'm25', deepModel: 'glm5' } } as Rules
const fold = (events: readonly DurableEvent[]) => events.reduce(evolve, initialState(session, rules))

describe('replay', () => {
  it('gives the live state at whatever point the session stopped', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat(1_000)), fc.double({ min: 0, max: 1, noNaN: true }), (numbers, part) => {
        const choose = (n: number) => (numbers.next().value ?? 0) % n
        const script = [...sessionScript(session, choose, { turns: 4 })]
        const batches = script.slice(0, Math.ceil(script.length * part))
        const repository = temporaryRepository()
        const store = openStore(repository)
        for (const batch of batches) store.record(batch)
        const live = fold(batches.flat())
        expect(fold(store.load(session))).toEqual(live)
        store.close()

        const reopened = openStore(repository)
        const replayed = fold(reopened.load(session))
        expect(replayed).toEqual(live)
        expect(reopened.pending(session)).toEqual(live.inbox)
        expect(activeContext(replayed.history)).toEqual(activeContext(live.history))
        reopened.close()
      }),
      { numRuns: runs(40) }
    )
  })

  it('has the text so far of a reply that was open when the process died (SESS-050)', () => {
    const store = openStore(temporaryRepository())
    const entry = assistant('a1', { status: 'open', text: 'The' })
    store.record([{ kind: 'reply-opened', session, at: 1, entry }])
    store.record([{ kind: 'reply-updated', session, at: 2, entry: entry.id, text: 'The answer', reasoning: 'so' }])
    expect(store.load(session)).toEqual([
      { kind: 'reply-opened', session, at: 1, entry: { ...entry, text: 'The answer', reasoning: 'so' } }
    ])
  })

  it('keeps sessions apart', () => {
    const store: SessionStorePort = openStore(temporaryRepository())
    const other = sessionId('dev-2')
    const opened = (of: typeof session): DurableEvent => ({
      kind: 'session-opened',
      session: of,
      at: 1,
      workdir: '/',
      model: 'm'
    })
    store.record([opened(session), opened(other)])
    expect(store.load(session)).toEqual([opened(session)])
    expect(store.load(sessionId('unknown'))).toEqual([])
  })

  it('pages backwards through the history (TERM-15)', () => {
    const store = openStore(temporaryRepository())
    const entries = Array.from({ length: 5 }, (_, n) => user(`u${n}`))
    store.record([{ kind: 'input-promoted', session, at: 1, seqs: [], entries }])
    expect(store.older(session, null, 2)).toEqual({ entries: entries.slice(3), complete: false })
    expect(store.older(session, entryId('u3'), 2)).toEqual({ entries: entries.slice(1, 3), complete: false })
    expect(store.older(session, entryId('u1'), 2)).toEqual({ entries: entries.slice(0, 1), complete: true })
  })
})
