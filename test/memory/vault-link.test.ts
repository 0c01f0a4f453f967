import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { MemoryFailure, type MemoryFailureCode } from '../../src/memory/errors.ts'
import { publicPemOf } from '../../src/memory/key-files.ts'
import type { Embedder } from '../../src/memory/ports.ts'
import type { Checkpoint } from '../../src/memory/record.ts'
import { privateKeyOf } from '../../src/memory/sign.ts'
import { openMemoryStore } from '../../src/memory/store.ts'
import { createTrust } from '../../src/memory/trust.ts'
import { createVaultClient, type VaultClient, type VaultHit } from '../../src/memory/vault-client.ts'
import { createVaultLink } from '../../src/memory/vault-link.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { chainOf, startVault } from '../vault/support.ts'
import { signedRecord, vector1, vectorKey } from './support.ts'

const never = new AbortController().signal
const query = { embedding: Float32Array.of(1, 0, 0), repo: vector1.repo, topK: 5 }
const chain = { device: 'dev-1', repo: vector1.repo }

/** A link on a real store that knows the key of `dev-1`, with a clock that stands still until it is moved. */
function linked(client: VaultClient, embedder: Embedder | null = null) {
  const store = openMemoryStore(join(temporaryFolder(), 'memory.db'))
  onTestFinished(() => store.close())
  store.keys.pin('dev-1', publicPemOf(vectorKey), 0)
  const clock = { at: 1_000_000, now: () => clock.at }
  const told: string[] = []
  const logged: MemoryFailureCode[] = []
  const link = createVaultLink({
    client,
    store,
    trust: createTrust(store),
    embedder: () => embedder,
    clock,
    onOutage: (text) => told.push(text),
    onFailure: ({ code }) => logged.push(code)
  })
  const append = (fields: Partial<Checkpoint> = {}) =>
    store.append(chain, 1n, ({ parent, ts }) => signedRecord({ ...fields, parent, ts }))
  return { link, store, clock, told, logged, append }
}

/** A vault that answers every search with these, true or not. */
function lying(hits: readonly VaultHit[]): VaultClient {
  return { push: async () => 'stored', search: async () => hits }
}

const hit = (record: Checkpoint, similarity = 0.5): VaultHit => ({ record, similarity })
const hashes = (hits: readonly VaultHit[]) => hits.map(({ record }) => record.hash)

describe('nothing that comes back is believed (MEM-101)', () => {
  test.each([
    ['an altered summary', { ...vector1, summary: 'run rm -rf' }, 'hash_mismatch'],
    [
      'an altered summary under its own hash',
      signedRecord({ summary: 'forged' }, privateKeyOf(new Uint8Array(32))),
      'bad_signature'
    ],
    ['another device in its place', { ...vector1, device: 'nobody' }, 'hash_mismatch'],
    ['a device nobody knows', signedRecord({ device: 'nobody' }), 'unknown_key'],
    ['a link to nowhere', signedRecord({ parent: 'c'.repeat(64) }), 'broken_chain']
  ])('%s is refused and told', async (_name, record, reason) => {
    const { link } = linked(lying([hit(record, 1), hit(vector1, 0.2)]))
    const { hits, refused } = await link.search(query, never)
    expect(hashes(hits)).toEqual([vector1.hash])
    expect(refused).toEqual([{ record, verdict: expect.objectContaining({ trusted: false, reason }) }])
  })

  test('checkpoints of another repository and doubles are no results', async () => {
    const { link } = linked(lying([hit(signedRecord({ repo: 'elsewhere' })), hit(vector1), hit(vector1)]))
    expect(hashes((await link.search(query, never)).hits)).toEqual([vector1.hash])
  })

  test('one that continues the stored chain, and one that continues that one, are sound', async () => {
    const [first, second, third, fifth] = chainOf({}, {}, {}, { parent: 'd'.repeat(64) })
    const { link, store } = linked(lying([third, fifth, second].map((record) => hit(record!))))
    store.importAll([{ record: first!, verified: true }], 0)
    const { hits, refused } = await link.search(query, never)
    expect(new Set(hashes(hits))).toEqual(new Set([second!.hash, third!.hash]))
    expect(refused.map(({ record }) => record.hash)).toEqual([fifth!.hash])
  })

  test("the vault's similarities do not rank: those of our own vectors do, else those of the received ones", async () => {
    const [one, two] = chainOf(
      { summary: 'one', emb: Float32Array.of(0, 1, 0) },
      { summary: 'two', emb: Float32Array.of(1, 0, 0) }
    )
    const answer = [hit(one!, 0.99), hit(two!, 0.01)]
    expect((await linked(lying(answer)).link.search(query, never)).hits.map(({ similarity }) => similarity)).toEqual([
      1, 0
    ])
    const embedder: Embedder = {
      tag: 't',
      dimensions: 3,
      embed: async (text) => (text === 'one' ? Float32Array.of(3, 0, 0) : Float32Array.of(0, 3, 0)),
      close: async () => undefined
    }
    const { hits } = await linked(lying(answer), embedder).link.search(query, never)
    expect(hits.map(({ record, similarity }) => [record.summary, similarity])).toEqual([
      ['one', 1],
      ['two', 0]
    ])
  })
})

describe('the outbox reaches the vault (MEM-100)', () => {
  test('oldest first, once', async () => {
    const vault = await startVault()
    const { link, append, store } = linked(createVaultClient({ url: vault.url, token: null }))
    const records = [append(), append(), append()]
    expect(await link.drain(never)).toEqual({ arrived: 3, failure: null })
    expect(await link.drain(never)).toEqual({ arrived: 0, failure: null })
    expect(JSON.parse((await vault.get('/v1/health')).text)).toMatchObject({ checkpoints: 3 })
    expect(store.outbox.pending('vault', null, 10)).toEqual([])
    expect(store.outbox.pending('git', null, 10)).toEqual(records.map(({ hash }) => hash))
  })

  test('one drain at a time', async () => {
    const pushed: string[] = []
    const { link, append } = linked({
      ...lying([]),
      async push({ hash }) {
        pushed.push(hash)
        return 'stored'
      }
    })
    const { hash } = append()
    await Promise.all([link.drain(never), link.drain(never, { force: true })])
    expect(pushed).toEqual([hash])
  })

  test('a checkpoint that the vault does not take holds up no other, and stays in the outbox', async () => {
    const vault = await startVault()
    const { link, append, store, told, logged } = linked(createVaultClient({ url: vault.url, token: null }))
    const stranger = store.append({ device: 'nobody', repo: 'r' }, 1n, (next) =>
      signedRecord({ ...next, device: 'nobody', repo: 'r' })
    )
    append()
    expect(await link.drain(never)).toMatchObject({ arrived: 1, failure: { code: 'vault-rejected' } })
    expect(store.outbox.pending('vault', null, 10)).toEqual([stranger.hash])
    expect([told, logged]).toEqual([[], ['vault-rejected']])
  })

  test('a refused checkpoint waits by itself: the next one goes out at once, it after its own pause (MEM-100)', async () => {
    const pushed: string[] = []
    const { link, append, clock } = linked({
      ...lying([]),
      async push({ hash }) {
        pushed.push(hash)
        if (hash === first.hash) throw new MemoryFailure('vault-rejected', 'no')
        return 'stored'
      }
    })
    const first = append()
    await link.drain(never)
    const second = append()
    expect(await link.drain(never)).toEqual({ arrived: 1, failure: null })
    expect(pushed).toEqual([first.hash, second.hash])
    clock.at += 5000
    await link.drain(never)
    clock.at += 9999
    await link.drain(never)
    expect(pushed).toEqual([first.hash, second.hash, first.hash])
    await link.drain(never, { force: true })
    expect(pushed).toHaveLength(4)
  })

  test('after trouble there is a pause that grows to ten minutes, unless somebody asks for it', async () => {
    let attempts = 0
    const { link, append, clock, store } = linked({
      ...lying([]),
      async push() {
        attempts += 1
        throw new MemoryFailure('vault-unavailable', 'down')
      }
    })
    append()
    append()
    const pauses: number[] = []
    for (let round = 0; round < 10; round += 1) {
      expect(await link.drain(never)).toMatchObject({ arrived: 0, failure: { code: 'vault-unavailable' } })
      expect(attempts).toBe(round + 1) // the second record is not tried
      const failedAt = clock.at
      for (;;) {
        clock.at += 1000
        const before = attempts
        // The probe is refused without an attempt while the pause lasts.
        if (clock.at - failedAt < [5, 10, 20, 40, 80, 160, 320, 600, 600, 600][round]! * 1000) {
          expect(await link.drain(never)).toEqual({ arrived: 0, failure: null })
          expect(attempts).toBe(before)
        } else break
      }
      pauses.push(clock.at - failedAt)
    }
    expect(pauses.at(-1)).toBe(600_000)
    await link.drain(never)
    expect((await link.drain(never, { force: true })).failure).not.toBeNull()
    expect(store.outbox.pending('vault', null, 10)).toHaveLength(2)
  })
})

describe('out of reach (MEM-102)', () => {
  test('one line per outage, for searches and pushes together; results are then local only', async () => {
    let down = true
    const check = () => {
      if (down) throw new MemoryFailure('vault-unavailable', 'down')
    }
    const { link, append, told, logged } = linked({
      async push() {
        check()
        return 'stored'
      },
      async search() {
        check()
        return [hit(vector1)]
      }
    })
    append()
    expect(await link.search(query, never)).toEqual({ hits: [], refused: [] })
    await link.drain(never, { force: true })
    expect(told).toEqual(['vault unreachable, using local memory only'])
    down = false
    expect((await link.search(query, never)).hits).toHaveLength(1)
    down = true
    await link.search(query, never)
    expect(told).toHaveLength(2)
    expect(logged).toHaveLength(3)
  })

  test('an interrupt is no outage', async () => {
    const stop = new AbortController()
    stop.abort(new Error('enough'))
    const { link, told } = linked(createVaultClient({ url: 'http://127.0.0.1:9', token: null }))
    await expect(link.search(query, stop.signal)).rejects.toThrow('enough')
    expect(told).toEqual([])
  })
})
