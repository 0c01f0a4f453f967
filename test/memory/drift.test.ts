import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { publicPemOf } from '../../src/memory/key-files.ts'
import { openMemoryStore } from '../../src/memory/store.ts'
import type { DriftAsk } from '../../src/protocol/drift.ts'
import type { ContextEntry } from '../../src/protocol/entry.ts'
import { entryId, sessionId } from '../../src/protocol/ids.ts'
import { assistant, call, tool, user } from '../support/entries.ts'
import { startVault } from '../vault/support.ts'
import { draft, openPlace, topicEmbedder } from './memory-place.ts'
import { signedRecord, vectorKey } from './support.ts'

const here = sessionId('laptop-9')
const signal = new AbortController().signal

function ask(entries: readonly ContextEntry[], over: Partial<DriftAsk> = {}): DriftAsk {
  return { session: here, turn: 5, reason: 'interval', entries, tokens: 1000, budget: 2000, canGrow: false, ...over }
}

/** A memory with finished sessions about each topic. */
async function remembering() {
  const place = await openPlace()
  await place.memory.ready
  const { create } = place.memory.checkpoints
  const auth = await create(draft({ session: sessionId('laptop-1'), turn: 1, summary: 'turns 1-5\nauth auth' }))
  await create(draft({ session: sessionId('laptop-1'), turn: 2, summary: 'turns 6-9\nscreen' }))
  const auth2 = await create(draft({ session: sessionId('laptop-1'), turn: 3, summary: 'turns 10-11\nauth database' }))
  return { ...place, auth, auth2 }
}

const aboutDeploy = [user('u1', 'deploy', 1)]
const nowAuth = [user('u1', 'deploy', 1), assistant('a1', { text: 'auth '.repeat(20) }), user('u2', 'auth auth', 5)]

describe('drift (CTX-041…052)', () => {
  test('a conversation that stays where it began is left alone', async () => {
    const { memory } = await remembering()
    expect(await memory.drift.check(ask(aboutDeploy), signal)).toEqual({ notes: [], notices: [] })
  })

  test('one that left its first message is given the two best checkpoints, best first (CTX-043, CTX-047, CTX-050)', async () => {
    const { memory, auth, auth2 } = await remembering()
    const { notes, notices } = await memory.drift.check(ask(nowAuth), signal)
    expect(notes.map((note) => note.split('\n')[0])).toEqual([
      `checkpoint ${auth.hash.slice(0, 12)} by @ann`,
      `checkpoint ${auth2.hash.slice(0, 12)} by @ann`
    ])
    expect(notices).toEqual([
      { level: 'info', text: 'drift detected, backfilling from checkpoints 0, 2' },
      { level: 'info', text: 'backfill from checkpoints 0, 2' }
    ])
  })

  test('the reference is the last checkpoint of the session (CTX-043)', async () => {
    const { memory } = await remembering()
    await memory.checkpoints.create(draft({ session: here, turn: 5, summary: 'auth' }))
    expect((await memory.drift.check(ask(nowAuth), signal)).notes).toEqual([])
    await memory.checkpoints.create(draft({ session: here, turn: 6, summary: 'deploy' }))
    expect((await memory.drift.check(ask(nowAuth), signal)).notes).toHaveLength(2)
  })

  test('measured is what user and assistant said, newest first, without what tools printed (CTX-042)', async () => {
    const embedder = topicEmbedder()
    const place = await openPlace({ embedder })
    await place.memory.ready
    const printed = tool('t1', 'a0', call('c1'), { text: 'screen '.repeat(50) })
    await place.memory.drift.check(ask([user('u1', 'first', 1), printed, assistant('a1', { text: 'second' })]), signal)
    expect(embedder.asked[0]).toBe('second\nfirst\n')
  })

  test('without a vector for either side there is no drift (CTX-044)', async () => {
    const place = await openPlace({ embedder: { ...topicEmbedder(), embed: async () => null } })
    await place.memory.ready
    expect(await place.memory.drift.check(ask(nowAuth), signal)).toEqual({ notes: [], notices: [] })
  })

  test('the vault is asked when nothing here is close enough, and only then (CTX-045, CTX-050)', async () => {
    const vault = await startVault()
    const config = { url: vault.url, token: null, keysDir: null, listen: null, allowSegments: true }
    const place = await openPlace({ vault: config })
    await place.memory.ready
    const store = openMemoryStore(join(place.folder, 'home', 'memory.db'))
    store.keys.pin('dev-1', publicPemOf(vectorKey), 0)
    store.close()
    const emb = await topicEmbedder().embed('auth auth')
    const theirs = signedRecord({
      v: 2,
      author: 'bob',
      repo: place.root,
      turn: 7,
      summary: 'turns 5-7\nauth auth',
      emb
    })
    expect(await vault.push(theirs)).toMatchObject({ status: 201 })

    const { notes, notices } = await place.memory.drift.check(ask(nowAuth, { turn: 5 }), signal)
    expect(notes.map((note) => note.split('\n')[0])).toEqual([`checkpoint ${theirs.hash.slice(0, 12)} by @bob`])
    expect(notices.map(({ text }) => text)).toContain('backfill from @bob checkpoint 7: turns 5-7')

    await place.memory.checkpoints.create(draft({ session: sessionId('laptop-1'), summary: 'turns 1-2\nauth auth' }))
    const later = await place.memory.drift.check(ask(nowAuth, { turn: 10 }), signal)
    expect(later.notes.map((note) => note.split('\n')[0])).toEqual([expect.stringContaining('by @ann')])
  })

  test('once per interval; the next interval may again, without what is there already (CTX-047, CTX-052)', async () => {
    const { memory, logged } = await remembering()
    const { notes } = await memory.drift.check(ask(nowAuth, { turn: 5 }), signal)
    expect((await memory.drift.check(ask(nowAuth, { turn: 7, reason: 'compaction' }), signal)).notes).toEqual([])
    expect(logged.at(-1)).toContain('backfilled already')
    const present = notes.map(
      (text, n) => ({ kind: 'note', sub: 'backfill', id: entryId(`n${n}`), turn: 5, text }) as const
    )
    const next = await memory.drift.check(ask([...present, ...nowAuth], { turn: 10 }), signal)
    expect(next.notes.map((note) => note.includes('screen'))).toEqual([true])
  })

  test('checkpoints about turns that are still in the conversation are skipped (CTX-047)', async () => {
    const { memory } = await remembering()
    await memory.checkpoints.create(draft({ session: here, turn: 3, summary: 'auth auth auth' }))
    await memory.checkpoints.create(draft({ session: here, turn: 5, summary: 'deploy' }))
    const { notes } = await memory.drift.check(ask(nowAuth), signal)
    expect(notes.some((note) => note.includes('auth auth auth'))).toBe(false)
    const compacted = nowAuth.slice(2)
    const { notes: later } = await memory.drift.check(ask(compacted, { turn: 10 }), signal)
    expect(later.some((note) => note.includes('auth auth auth'))).toBe(true)
  })

  test('what does not verify is dropped with its line, what does takes its place (CTX-046)', async () => {
    const place = await remembering()
    const store = openMemoryStore(join(place.folder, 'home', 'memory.db'))
    const foreign = (device: string, summary: string) =>
      signedRecord({ v: 2, device, author: 'bob', repo: place.root, turn: 4, summary, ts: 1n })
    store.importAll([{ record: foreign('stranger', 'turns 1-2\nauth'), verified: true }], 0)
    store.importAll([{ record: foreign('known', 'turns 3-4\nauth!'), verified: true }], 0)
    const orphan = signedRecord({ v: 2, device: 'broken', repo: place.root, parent: 'e'.repeat(64), summary: 'auth?' })
    store.importAll([{ record: orphan, verified: true }], 0)
    for (const device of ['known', 'broken']) store.keys.pin(device, publicPemOf(vectorKey), 0)
    store.close()
    const { notes, notices } = await place.memory.drift.check(ask(nowAuth), signal)
    expect(notes).toHaveLength(2)
    expect(notices.map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        'unverified checkpoint from @stranger (unknown key)',
        `checkpoint chain broken at ${orphan.hash.slice(0, 12)} from @broken`,
        'backfill from @bob checkpoint 4: turns 3-4'
      ])
    )
    expect(notes.join()).not.toContain('turns 1-2')
  })

  test('nothing beyond the budget: room is made first where it can be, then each one left out is logged (CTX-048)', async () => {
    const { memory, logged } = await remembering()
    await memory.checkpoints.create(
      draft({ session: sessionId('laptop-2'), summary: `auth ${'auth '.repeat(600)}`, turn: 1 })
    )
    const crowded = await memory.drift.check(ask(nowAuth, { budget: 500, canGrow: true }), signal)
    expect(crowded).toEqual({ notes: [], notices: [], crowded: true })
    const { notes } = await memory.drift.check(ask(nowAuth, { budget: 500, reason: 'compaction' }), signal)
    expect(notes).toHaveLength(1)
    expect(logged.some((line) => line.includes('does not fit the budget'))).toBe(true)
  })

  test('without an embedder nothing is measured (CTX-040)', async () => {
    const place = await openPlace({ embedder: null })
    await place.memory.ready
    expect(await place.memory.drift.check(ask(nowAuth), signal)).toEqual({ notes: [], notices: [] })
  })
})
