import { describe, expect, it } from 'vitest'
import type { DurableEvent } from '../../../src/protocol/event.ts'
import { sessionId } from '../../../src/protocol/ids.ts'
import { user } from '../../support/entries.ts'
import { openStore, temporaryRepository } from './open.ts'

const session = sessionId('dev-1')
const typed = (text: string) => ({ kind: 'input', delivery: 'steer', origin: 'operator', text }) as const
const compaction = { kind: 'compaction', delivery: 'steer', origin: 'operator', text: '' } as const
const promote = (...seqs: number[]): DurableEvent => ({
  kind: 'input-promoted',
  session,
  at: 1,
  seqs,
  entries: seqs.map((seq) => user(`u${seq}`))
})

describe('the inbox', () => {
  it('keeps rows in order, also for the next process, and announces them once they are kept (SESS-030)', () => {
    const repository = temporaryRepository()
    const store = openStore(repository)
    const heard: DurableEvent[] = []
    store.subscribe((event) => heard.push(event))
    const one = store.submit(session, typed('one'))
    const two = store.submit(session, { ...typed('two'), delivery: 'queue', origin: 'remote' })
    expect(one).toEqual({ row: { seq: 1, ...typed('one') } })
    expect(two).toMatchObject({ row: { seq: 2, delivery: 'queue', origin: 'remote' } })
    expect(heard.map((event) => (event.kind === 'input-submitted' ? event.row.text : ''))).toEqual(['one', 'two'])
    store.close()
    expect(openStore(repository).pending(session)).toEqual(
      heard.map((event) => event.kind === 'input-submitted' && event.row)
    )
  })

  it('gives a dropped row back once, and none that was promoted', () => {
    const store = openStore(temporaryRepository())
    store.submit(session, typed('one'))
    store.submit(session, typed('two'))
    expect(store.drop(session, 1)).toMatchObject({ seq: 1, text: 'one' })
    expect(store.drop(session, 1)).toBeNull()
    store.record([promote(2)])
    expect(store.drop(session, 2)).toBeNull()
    expect(store.drop(sessionId('dev-2'), 2)).toBeNull()
    expect(store.pending(session)).toEqual([])
    expect(store.load(session).map((event) => event.kind)).toEqual([
      'input-submitted',
      'input-submitted',
      'input-dropped',
      'input-promoted'
    ])
  })

  it('never gives a number twice, even when the last row is gone', () => {
    const store = openStore(temporaryRepository())
    store.submit(session, typed('one'))
    store.deleteTranscript(session)
    expect(store.submit(session, typed('two'))).toMatchObject({ row: { seq: 2 } })
  })

  it('refuses the 65th pending row and takes it when there is room again (SESS-038)', () => {
    const store = openStore(temporaryRepository())
    for (let n = 1; n <= 64; n++) expect(store.submit(session, typed(`${n}`))).toHaveProperty('row')
    expect(store.submit(session, typed('65'))).toMatchObject({ refused: { code: 'inbox-full' } })
    expect(store.submit(sessionId('dev-2'), typed('1'))).toHaveProperty('row')
    store.drop(session, 7)
    expect(store.submit(session, typed('65'))).toHaveProperty('row')
    expect(store.pending(session)).toHaveLength(64)
  })

  it('takes 4 MiB of text and not a byte more (SESS-038)', () => {
    const store = openStore(temporaryRepository())
    const most = 'é'.repeat(2 * 1024 * 1024)
    expect(store.submit(session, typed(most))).toHaveProperty('row')
    expect(store.submit(session, typed(`${most}x`))).toMatchObject({ refused: { code: 'input-too-large' } })
    expect(store.pending(session)).toHaveLength(1)
  })

  it('lets nothing past a pending compaction (SESS-034)', () => {
    const store = openStore(temporaryRepository())
    store.submit(session, typed('before'))
    store.submit(session, compaction)
    store.submit(session, typed('behind'))
    expect(() => store.record([promote(1, 3)])).toThrow('behind a pending compaction')
    store.record([promote(1)])
    store.record([{ ...promote(2), entries: [] } as DurableEvent])
    store.record([promote(3)])
    expect(store.pending(session)).toEqual([])
  })

  it('promotes a row once', () => {
    const store = openStore(temporaryRepository())
    store.submit(session, typed('one'))
    store.record([promote(1)])
    expect(() => store.record([{ ...promote(1), entries: [] } as DurableEvent])).toThrow('not pending')
  })

  it('keeps text without half characters (TERM-33)', () => {
    const store = openStore(temporaryRepository())
    const submitted = store.submit(session, typed('broken \ud83d'))
    expect(submitted).toMatchObject({ row: { text: 'broken \ufffd' } })
    expect(store.pending(session)).toEqual(['row' in submitted ? submitted.row : null])
  })
})
