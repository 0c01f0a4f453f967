import { describe, expect, test } from 'vitest'
import { type Checkpoint, parseRecord } from '../../src/memory/record.ts'
import { privateKeyOf } from '../../src/memory/sign.ts'
import { distrust, type KeyLookup } from '../../src/memory/verify.ts'
import { fc } from '../support/laws.ts'
import { vector1, vector2, vector3, vectorKey } from './support.ts'

const known: KeyLookup = () => vectorKey
const others: { readonly [K in Exclude<keyof Checkpoint, 'emb' | 'sig'>]: Checkpoint[K] } = {
  v: 3,
  hash: 'b'.repeat(64),
  parent: 'c'.repeat(64),
  device: 'dev-2',
  author: 'mallory',
  ts: 1713100000123456788n,
  repo: '/elsewhere',
  branch: 'other',
  session: 'another',
  turn: 11,
  model: 'm26',
  planMode: false,
  resumedFrom: null,
  summary: 'something else',
  files: ['src/other.ts'],
  tools: ['bash'],
  injections: ['base64_payload']
}

describe('a record changed in any single field no longer verifies (MEM-021)', () => {
  test.each(Object.keys(others) as (keyof typeof others)[])('%s', (field) => {
    expect(distrust({ ...vector2, [field]: others[field] }, known)).not.toBeNull()
  })

  test('one nanosecond, one list entry more, one in another order', () => {
    const changes: readonly Partial<Checkpoint>[] = [
      { ts: vector1.ts + 1n },
      { files: [...(vector1.files ?? []), 'x'] },
      { files: vector1.files?.toReversed() ?? null },
      { tools: [] },
      { injections: ['sensitive_path'] },
      { planMode: true },
      { resumedFrom: { session: '', hash: '' } }
    ]
    for (const change of changes) expect(distrust({ ...vector1, ...change }, known)).toBe('hash_mismatch')
  })

  test('any text in place of a text', () => {
    const field = fc.constantFrom('author', 'branch', 'repo', 'session', 'model', 'summary', 'parent', 'device')
    fc.assert(
      fc.property(field, fc.string({ unit: 'binary' }), (name, text) => {
        fc.pre(text !== vector2[name as 'author'])
        expect(distrust({ ...vector2, [name]: text }, known)).toBe('hash_mismatch')
      })
    )
  })

  test('the embedding is the one field that may change (MEM-002)', () => {
    expect(distrust({ ...vector1, emb: Float32Array.of(1, 2) }, known)).toBeNull()
  })
})

describe('reasons', () => {
  test('vectors hold', () => {
    for (const record of [vector1, vector2, vector3]) expect(distrust(record, known)).toBeNull()
  })

  test.each([
    ['no key for the device', vector1, () => null, 'unknown_key'],
    ['another key', vector1, () => privateKeyOf(new Uint8Array(32).fill(7)), 'bad_signature'],
    ['a signature cut short', { ...vector1, sig: vector1.sig.slice(2) }, known, 'bad_signature'],
    ['no hex', { ...vector1, sig: 'g'.repeat(128) }, known, 'bad_signature'],
    ['another signature', { ...vector1, sig: vector2.sig }, known, 'bad_signature'],
    ['a newer format that hashes otherwise (MEM-005)', { ...vector1, v: 4 }, known, 'unverifiable_version']
  ] as const)('%s', (_, record, keyFor, reason) => {
    expect(distrust(record, keyFor)).toBe(reason)
  })
})

describe('reading a record', () => {
  const json = (change: Record<string, unknown> = {}): string => {
    const { planMode, resumedFrom, injections, ...rest } = vector1
    return JSON.stringify({ ...rest, ts: 'TS', ...change }).replace('"TS"', String(vector1.ts))
  }
  const parsed = (text: string) => {
    const result = parseRecord(text)
    return 'record' in result ? result.record : result.malformed
  }

  test('keeps every digit of the time, ignores unknown keys and their order (MEM-005, MEM-016)', () => {
    expect(parsed(json({ later: { deep: [1, 12345678901234567890n.toString()] } }))).toEqual(vector1)
  })

  test('lists left out stay null, and the record still verifies under the hash of nulls', () => {
    expect(parsed(json({ files: undefined, tools: null }))).toMatchObject({ files: null, tools: null })
  })

  test('an embedding is read as float32; one beyond its range is none', () => {
    expect(parsed(json({ emb: [1, -0.5, 0.1] }))).toMatchObject({ emb: Float32Array.of(1, -0.5, 0.1) })
    expect(parsed(json({ emb: [1e300] }))).toMatchObject({ emb: null })
  })

  test.each([
    ['truncated', json().slice(0, -20)],
    ['not an object', '[]'],
    ['a path for a device', json({ device: '../x' })],
    ['upper-case hash', json({ hash: vector1.hash.toUpperCase() })],
    ['fractional turn', json({ turn: 1.5 })],
    ['a time beyond 64 bits', json().replace(String(vector1.ts), '9223372036854775808')],
    ['text for a list', json({ files: 'a' })],
    ['nested beyond the stack', `${'['.repeat(100_000)}${']'.repeat(100_000)}`]
  ])('%s is malformed', (_, text) => {
    expect(parsed(text)).toBeTypeOf('string')
  })
})
