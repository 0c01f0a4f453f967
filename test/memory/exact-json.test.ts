import { describe, expect, test } from 'vitest'
import { parseExactJson } from '../../src/memory/exact-json.ts'
import { fc, runs } from '../support/laws.ts'

/** JSON text of a value that may hold bigints. */
function textOf(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return `[${value.map(textOf).join(', ')}]`
  if (typeof value === 'object' && value !== null)
    return `{ ${Object.entries(value).map(([key, each]) => `${JSON.stringify(key)} : ${textOf(each)}`)} }`
  return JSON.stringify(value)
}

const long = fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }).filter((n) => !Number.isSafeInteger(Number(n)))
// Text that looks like what is looked for, with everything that could end a string too early.
const tricky = fc.string({
  unit: fc.constantFrom('"', '\\', '9007199254740993', ':', '{', '-', ' ', 'é'),
  maxLength: 8
})
const leaf = fc.oneof(
  long,
  tricky,
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.maxSafeInteger(),
  fc.constant(null)
)
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(tricky, tie('json'), { maxKeys: 4 })
  )
}))

describe('integers keep their digits (MEM-016)', () => {
  test('any value comes back as it was', () => {
    fc.assert(
      fc.property(json, (value) => {
        const read = parseExactJson(textOf(value))
        expect('value' in read ? textOf(read.value) : read).toEqual(textOf(value))
      }),
      { numRuns: runs(300) }
    )
  })

  test.each<[string, unknown]>([
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    [
      '[-9007199254740993,1.9007199254740993,9007199254740993.5,1e9007199254740993]',
      [-9007199254740993n, Number('1.9007199254740993'), Number('9007199254740993.5'), Number.POSITIVE_INFINITY]
    ],
    ['{"9007199254740993":"9007199254740993"}', { '9007199254740993': '9007199254740993' }]
  ])('%s', (text, value) => {
    expect(parseExactJson(text)).toEqual({ value })
  })

  test.each(['09007199254740993', '{9007199254740993:1}', '1 9007199254740993', '"9007199254740993', '-', ''])(
    'what is no JSON does not become any: %s',
    (text) => {
      expect(parseExactJson(text)).toEqual({ malformed: expect.any(String) })
    }
  )
})
