import { expect, test } from 'vitest'
import { conceal, redact } from '../../src/lib/redact.ts'
import { fc } from '../support/laws.ts'

test.each([
  ['Authorization:abc123 rest', '<redacted> rest'],
  ['authorization=abc123', '<redacted>'],
  ['header Authorization: Bearer abc.def-1', 'header Authorization: <redacted>'],
  ['BEARER tok en', '<redacted> en'],
  ['key sk-abcdefgh_1-2 ends', 'key <redacted> ends'],
  ['SK-ABCDEFGH', '<redacted>'],
  ['sk-short', 'sk-short'],
  ['src/task-scheduler.ts', 'src/task-scheduler.ts'],
  ['"sk-abcdefgh"', '"<redacted>"'],
  ['nothing to hide', 'nothing to hide']
])('MODEL-052 what looks like a credential goes: %s', (text, clean) => {
  expect(redact(text)).toBe(clean)
})

test('MODEL-052 known secrets go by their exact text, the longer one first', () => {
  expect(redact('a hunter2 and hunter2-long', ['hunter2', 'hunter2-long', ''])).toBe('a <redacted> and <redacted>')
})

test('MODEL-052 no known secret survives, wherever it stands', () => {
  const secret = fc.string({ minLength: 12, maxLength: 40 }).filter((text) => !'<redacted>'.includes(text))
  fc.assert(
    fc.property(fc.string(), secret, fc.string(), (before, key, after) => {
      expect(redact(`${before}${key}${after}`, [key])).not.toContain(key)
    })
  )
})

test('redaction takes linear time', () => {
  const started = performance.now()
  redact('authorization:'.repeat(40_000))
  redact(`sk-${'a-'.repeat(200_000)}`)
  redact('bearer '.repeat(80_000))
  expect(performance.now() - started).toBeLessThan(2_000)
})

test('MODEL-052 what a model has to quote loses known secrets only, and no placeholder', () => {
  const code = 'authorization: Bearer token sk-abcdefgh-1'
  expect(conceal(`${code} hunter2-long EMPTY`, ['hunter2-long', 'hunter2-', 'EMPTY', ''])).toBe(
    `${code} <redacted> EMPTY`
  )
})
