import { describe, expect, test } from 'vitest'
import { publicPemOf } from '../../src/memory/key-files.ts'
import { zeroHash } from '../../src/memory/record.ts'
import { privateKeyOf } from '../../src/memory/sign.ts'
import type { MemoryStore } from '../../src/memory/store.ts'
import { createTrust, distrustFailure } from '../../src/memory/trust.ts'
import { append, chain, open, place, tamper } from './store-place.ts'
import { signedRecord, vector1, vectorKey } from './support.ts'

describe('trust is decided with the keys known now (MEM-045, MEM-055)', () => {
  async function verdicts(store: MemoryStore): Promise<unknown[]> {
    const trust = createTrust(store)
    return Promise.all(
      [...store.records(chain)].map(async (record) => {
        const verdict = await trust.verdictOn(record)
        return verdict.trusted ? 'ok' : verdict.reason
      })
    )
  }

  test('a tampered summary is found, and what follows is not trusted until a new segment', async () => {
    const path = place()
    const store = open(path)
    store.keys.pin('dev-1', publicPemOf(vectorKey), 0)
    const made = Array.from({ length: 5 }, (_, n) => append(store, { turn: n }))
    const segment = signedRecord({ v: 2, parent: zeroHash, ts: 9000n })
    store.importAll([{ record: segment, verified: true }], 0)
    expect(await verdicts(store)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'ok'])
    tamper(path, `UPDATE checkpoints SET summary = 'forged' WHERE hash = '${made[2]?.hash}'`)
    expect(await verdicts(store)).toEqual(['ok', 'ok', 'hash_mismatch', 'broken_chain', 'broken_chain', 'ok'])
  })

  test.each([
    ['nothing known', null, 'unknown_key'],
    ['another key', privateKeyOf(new Uint8Array(32)), 'bad_signature']
  ])('%s', async (_, key, reason) => {
    const store = open()
    append(store)
    if (key !== null) store.keys.pin('dev-1', publicPemOf(key), 0)
    expect(await verdicts(store)).toEqual([reason])
  })

  test('damaged columns make a record untrusted, not unreadable', async () => {
    const path = place()
    const store = open(path)
    store.keys.pin('dev-1', publicPemOf(vectorKey), 0)
    const { hash } = append(store)
    tamper(path, `UPDATE checkpoints SET files = '{broken', resumed_from = '[]' WHERE hash = '${hash}'`)
    expect(await verdicts(store)).toEqual(['hash_mismatch'])
  })
})

test.each([
  ['unknown_key', 'unknown-key', 'unverified checkpoint from @dev-1 (unknown key)'],
  ['bad_signature', 'signature-invalid', 'unverified checkpoint from @dev-1 (bad signature)'],
  ['hash_mismatch', 'hash-mismatch', 'unverified checkpoint from @dev-1 (hash mismatch)'],
  ['unverifiable_version', 'hash-mismatch', 'unverified checkpoint from @dev-1 (unverifiable version)'],
  ['broken_chain', 'chain-broken', `checkpoint chain broken at ${'a'.repeat(12)} from @dev-1`]
] as const)('%s is told with code and facts (CTX-046, MEM-021, MEM-053)', (reason, code, message) => {
  const record = { hash: vector1.hash, device: 'dev-1' }
  const brokenAt = reason === 'broken_chain' ? { brokenAt: 'a'.repeat(64) } : {}
  const failure = distrustFailure(record, { trusted: false, reason, ...brokenAt })
  expect(failure).toMatchObject({ code, message, facts: record })
})
