import { describe, expect, test } from 'vitest'
import { type Checkpoint, parseRecord } from '../../src/memory/record.ts'
import { chainLine, readChainFile, recordFile } from '../../src/memory/record-file.ts'
import { distrust } from '../../src/memory/verify.ts'
import { fc } from '../support/laws.ts'
import { signedRecord, vector1, vector2, vector3, vector3b, vectorKey } from './support.ts'

const text = fc.string({ unit: 'binary' }).map((value) => value.toWellFormed())
const records: fc.Arbitrary<Checkpoint> = fc
  .record({
    ts: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    author: text,
    branch: text,
    model: text,
    repo: text,
    summary: text,
    turn: fc.nat(),
    planMode: fc.boolean(),
    files: fc.array(text),
    tools: fc.array(text),
    injections: fc.array(text),
    resumedFrom: fc.option(fc.record({ session: text, hash: text })),
    emb: fc.option(
      fc
        .float32Array({ minLength: 1, maxLength: 8, noNaN: true, noDefaultInfinity: true })
        .map((v) => v.map((x) => x + 0))
    )
  })
  .map((fields) => signedRecord({ ...fields, v: 2 }))

describe('record files (MEM-062)', () => {
  test('the text of vector 2, with an embedding', () => {
    expect(recordFile({ ...vector2, emb: Float32Array.of(1, -0.5, 0.1, 1e-7) })).toBe(
      String.raw`{
  "v": 2,
  "hash": "357bff7829c0dc563c7a4152f9582892c6306357169939be59990d56564549e1",
  "parent": "88ac8d9adc0a7cf4b752083689bbedef2c881fe30131e34e728911b58a5912ee",
  "device": "dev-1",
  "author": "alice",
  "ts": 1713100000123456790,
  "repo": "https://example.com/team/app.git",
  "branch": "feat/größe",
  "session": "dev-1-1713100000000000000",
  "turn": 10,
  "model": "glm5",
  "plan_mode": true,
  "resumed_from": {
    "session": "dev-1-1713000000000000000",
    "hash": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
  },
  "summary": "Réfactor \u003cFoo\u003e \u0026 \"Bar\"\\Baz\n\t日本語 🚀 sep\u2028end\u2029 ctl\u0001\b\f a/b",
  "emb": [
    1,
    -0.5,
    0.1,
    1e-7
  ],
  "files": [
    "src/größe.ts"
  ],
  "tools": [],
  "injections": [
    "instruction_override",
    "sensitive_path"
  ],
  "sig": "305c2021d850e2c357c75bab0ef03b0327c8dcd7e99d293b3d6432146a999a1f11548bcaf9367cb5945d028ee8be02f76a2f92509f7ed7923bd7a022a215f70e"
}`
    )
  })

  test('empty lists are arrays; what is not there is left out, not null or false (MEM-003, MEM-004)', () => {
    const written = JSON.parse(recordFile({ ...vector3, planMode: false, resumedFrom: null }))
    expect(written).toMatchObject({ files: [], tools: [], emb: null })
    for (const key of ['plan_mode', 'resumed_from', 'injections']) expect(written).not.toHaveProperty(key)
  })

  test.each([vector1, vector2, vector3, vector3b])('vectors come back as they were', (record) => {
    expect(parseRecord(recordFile(record))).toEqual({ record })
  })

  test('any record comes back with every field, every float and a signature that holds', () => {
    fc.assert(
      fc.property(records, (record) => {
        const parsed = parseRecord(recordFile(record))
        expect(parsed).toEqual({ record })
        expect('record' in parsed && distrust(parsed.record, () => vectorKey)).toBeNull()
      })
    )
  })

  test('a file that something else wrote with sorted keys and other spacing verifies too', () => {
    const value = JSON.parse(recordFile(vector2), (_key, inner: unknown) => inner) as Record<string, unknown>
    const sorted = Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    const rewritten = JSON.stringify({ ...sorted, ts: 'TS' }, null, '\t').replace('"TS"', `${vector2.ts}`)
    const parsed = parseRecord(rewritten)
    expect('record' in parsed && distrust(parsed.record, () => vectorKey)).toBeNull()
  })
})

describe('chain files (MEM-063, MEM-065)', () => {
  test('lines are written as specified and read with every digit', () => {
    const line = chainLine(vector3)
    expect(line).toBe(`{"hash":"${vector3.hash}","parent":"${'0'.repeat(64)}","ts":9007199254740993}\n`)
    const { hash, parent, ts } = vector3
    expect(readChainFile(line)).toEqual({ lines: [{ hash, parent, ts }], skipped: 0 })
  })

  test('a torn last line, garbage and overlong lines are skipped and counted, the rest stays', () => {
    const good = chainLine(vector1)
    const bad = [
      '{"hash":"',
      '[]',
      '{"hash":"x","parent":"y","ts":1}',
      ' '.repeat(2000).concat('{}'),
      good.slice(0, 90)
    ]
    expect(readChainFile([bad[0], good.trim(), ...bad.slice(1)].join('\n'))).toMatchObject({
      lines: [{ hash: vector1.hash }],
      skipped: bad.length
    })
  })
})
