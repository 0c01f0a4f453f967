import { describe, expect, it } from 'vitest'
import { sessionId } from '../../../src/protocol/ids.ts'
import { user } from '../../support/entries.ts'
import { openStore, temporaryRepository } from './open.ts'

const day = 24 * 60 * 60 * 1000
const opened = (id: string, at: number) =>
  ({ kind: 'session-opened', session: sessionId(id), at, workdir: '/repo', model: 'm25' }) as const
const closed = (id: string, at: number) => ({ kind: 'session-closed', session: sessionId(id), at }) as const
const said = (id: string) =>
  ({ kind: 'input-promoted', session: sessionId(id), at: 1, seqs: [], entries: [user(`u-${id}`)] }) as const

describe('predecessors (SESS-102, SESS-103)', () => {
  it('are the sessions of other processes, newest first; one that was not closed had crashed', () => {
    const repository = temporaryRepository()
    const before = openStore(repository)
    before.record([opened('old', 1), closed('old', 2), opened('crashed', 3)])
    expect(before.predecessors(sessionId('crashed'))).toEqual([])
    before.close()

    const store = openStore(repository)
    store.record([opened('mine', 4), opened('side', 5)])
    expect(store.predecessors(sessionId('mine'))).toEqual([
      { session: 'crashed', state: 'active' },
      { session: 'old', state: 'closed' }
    ])
    store.record([closed('crashed', 6)])
    expect(store.predecessors(sessionId('mine'))[0]).toEqual({ session: 'crashed', state: 'closed' })
  })
})

describe('retention (SESS-026)', () => {
  it('drops transcripts closed more than 14 days ago at the next start, and no others', () => {
    const repository = temporaryRepository()
    const store = openStore(repository)
    store.record([opened('old', 1), said('old'), closed('old', 2)])
    store.record([opened('recent', 1), said('recent'), closed('recent', day)])
    store.record([opened('crashed', 1), said('crashed')])
    store.close()

    const later = openStore(repository, { now: () => day + 14 * day })
    expect(later.load(sessionId('old'))).toEqual([])
    expect(later.older(sessionId('old'), null, 5)).toEqual({ entries: [], complete: true })
    expect(later.load(sessionId('recent'))).toHaveLength(3)
    expect(later.load(sessionId('crashed'))).toHaveLength(2)
    expect(later.predecessors(sessionId('mine')).map((found) => found.session)).toContain('old')
  })
})
