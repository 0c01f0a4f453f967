import { describe, expect, test } from 'vitest'
import { isRecord, parseJson, stringOf } from '../../src/lib/json.ts'

describe('JSON that others wrote', () => {
  test.each([
    ['{"a":1}', { a: 1 }],
    ['null', null],
    ['{"a":', undefined],
    ['', undefined]
  ])('%j is read as %j, and what is no JSON as nothing', (text, value) => {
    expect(parseJson(text)).toEqual(value)
  })

  test.each([
    [{}, true],
    [[], false],
    [null, false],
    ['{}', false],
    [undefined, false]
  ])('%j is an object with fields: %j', (value, is) => {
    expect(isRecord(value)).toBe(is)
  })

  test('a string is itself, anything else counts as an absent one', () => {
    expect([stringOf('a'), stringOf(1), stringOf(null), stringOf({})]).toEqual(['a', '', '', ''])
  })
})
