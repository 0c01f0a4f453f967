import { describe, expect, test } from 'vitest'
import { sha256Hex } from '../../src/lib/hash.ts'
import { canonicalString, canonicalText, hashMatches, hashOf } from '../../src/memory/canonical.ts'
import type { Checkpoint } from '../../src/memory/record.ts'
import { publicKeyOf, rawPublicKey, signatureMatches, signHash } from '../../src/memory/sign.ts'
import { vector1, vector2, vector3, vector3b, vectorKey } from './support.ts'

const vectors = [
  ['1', vector1, 371],
  ['2', vector2, 623],
  ['3', vector3, 253],
  ['3b', vector3b, 257]
] as const

describe('test vectors', () => {
  test.each(vectors)('vector %s: length, hash and signature (MEM-010, MEM-020)', (_, record, bytes) => {
    expect(Buffer.byteLength(canonicalText(record))).toBe(bytes)
    expect(hashOf(record)).toBe(record.hash)
    expect(signHash(vectorKey, record.hash)).toBe(record.sig)
    expect(signatureMatches(vectorKey, record.hash, record.sig.toUpperCase())).toBe(true)
  })

  test('canonical text of vector 2, character by character', () => {
    expect(canonicalText(vector2)).toBe(
      String.raw`{"author":"alice","branch":"feat/größe","device":"dev-1","files":["src/größe.ts"],"injections":["instruction_override","sensitive_path"],"model":"glm5","parent":"88ac8d9adc0a7cf4b752083689bbedef2c881fe30131e34e728911b58a5912ee","plan_mode":true,"repo":"https://example.com/team/app.git","resumed_from":{"session":"dev-1-1713000000000000000","hash":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},"session":"dev-1-1713100000000000000","summary":"Réfactor \u003cFoo\u003e \u0026 \"Bar\"\\Baz\n\t日本語 🚀 sep\u2028end\u2029 ctl\u0001\b\f a/b","tools":[],"ts":1713100000123456790,"turn":10,"v":2}`
    )
  })

  test('the public key of the vectors, and the repository hash (MEM-061)', () => {
    const raw = '03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8'
    expect(rawPublicKey(vectorKey).toString('hex')).toBe(raw)
    expect(signatureMatches(publicKeyOf(Buffer.from(raw, 'hex')), vector1.hash, vector1.sig)).toBe(true)
    expect(sha256Hex(vector1.repo)).toBe('77b35993b393d3131941c954ab7b227f9b7c989abbdefd8ab8fce4aef1aa9dc7')
  })
})

describe('strings (MEM-010 rule 6)', () => {
  test.each([
    ['"', '\\"'],
    ['\\', '\\\\'],
    ['\b\f\n\r\t', '\\b\\f\\n\\r\\t'],
    ['\u0000\u0001\u000b\u001f', '\\u0000\\u0001\\u000b\\u001f'],
    ['<>&', '\\u003c\\u003e\\u0026'],
    ['\u2028\u2029', '\\u2028\\u2029'],
    ['/\u007fé日🚀', '/\u007fé日🚀'],
    ['a\ud800b', 'a\ufffdb'],
    ['\udc00', '\ufffd'],
    ['e\u0301', 'e\u0301']
  ])('%j', (text, escaped) => {
    expect(canonicalString(text)).toBe(`"${escaped}"`)
  })
})

describe('empty lists (MEM-018)', () => {
  const asNull = (record: Checkpoint): Checkpoint => ({ ...record, files: null, tools: null })
  const asEmpty = (record: Checkpoint): Checkpoint => ({ ...record, files: [], tools: [] })

  test('a store that conflates null and empty still verifies', () => {
    expect([vector3, vector3b].flatMap((record) => [asNull(record), asEmpty(record)]).every(hashMatches)).toBe(true)
  })

  test('null and empty hash differently, and a filled list has one reading', () => {
    expect(vector3.hash).not.toBe(vector3b.hash)
    expect(hashMatches({ ...vector1, files: null })).toBe(false)
    expect(hashMatches({ ...vector1, tools: [] })).toBe(false)
  })
})
