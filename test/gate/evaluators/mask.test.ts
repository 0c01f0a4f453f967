import { describe, expect, it } from 'vitest'
import { commandEnvironment } from '../../../src/gate/evaluators/environment.ts'
import {
  masked,
  recordedTail,
  recordedText,
  recordedTextBytes,
  recordedValue
} from '../../../src/gate/evaluators/mask.ts'
import { fc } from '../../support/laws.ts'

const key = '-----BEGIN OPENSSH PRIVATE KEY-----\nabc\ndef\n-----END OPENSSH PRIVATE KEY-----'

describe('text in records (CONC-24)', () => {
  it.each([
    ['Authorization: Bearer abc.def', 'abc.def'],
    ['bearer abc', 'abc'],
    ['using sk-abcdefgh1234', 'abcdefgh'],
    ['export API_KEY=s3cret next', 's3cret'],
    ["DB_PASSWORD='a b c'", 'a b c'],
    ['token="x y"', 'x y'],
    ['GITHUB_TOKEN=t client_secret=u', 't client'],
    [`before\n${key}\nafter`, 'abc'],
    ['-----BEGIN RSA PRIVATE KEY-----\nabc', 'abc']
  ])('%j loses its secret', (text, secret) => {
    expect(masked(text)).not.toContain(secret)
    expect(masked(text)).toContain('<redacted>')
  })

  it('leaves the rest alone', () => {
    expect(masked('monkey=banana, tokens = 3, KEYBOARD=de')).toBe('monkey=banana, tokens = 3, KEYBOARD=de')
    expect(masked(`a\n${key}\nb`)).toBe('a\n<redacted>\nb')
  })

  it('is cut after masking, to the beginning or the end', () => {
    const long = `${'ä'.repeat(20_000)}end`
    expect(Buffer.byteLength(recordedText(long))).toBeLessThanOrEqual(recordedTextBytes)
    expect(recordedTail(long)).toMatch(/^ä+end$/)
    expect(Buffer.byteLength(recordedTail(long))).toBeLessThanOrEqual(recordedTextBytes)
    expect(recordedText('short')).toBe('short')
    expect(recordedValue({ a: ['bearer x', 3], b: { c: null } })).toEqual({ a: ['<redacted>', 3], b: { c: null } })
  })

  it('takes linear time for text made to make it slow', () => {
    for (const text of [
      'A'.repeat(2_000_000),
      '_KEY'.repeat(500_000),
      '-----BEGIN '.repeat(200_000),
      'TOKEN="'.repeat(200_000)
    ])
      expect(masked(text).length).toBeGreaterThan(0)
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => recordedText(text).length <= text.length + 10 * text.length)
    )
  })
})

describe('the environment of commands (CONC-19)', () => {
  const parent = {
    PATH: '/bin',
    HOME: '/h',
    LC_ALL: 'C',
    LANG: 'C',
    PWD: '/elsewhere',
    GHYLL_HOME: 'x',
    OPENAI_API_KEY: 'k',
    SSH_AUTH_SOCK: '/s',
    CARGO_HOME: '/c'
  }
  it('keeps what every program needs, the locale, and what the binding asks for', () => {
    expect(commandEnvironment(parent, '/project', ['CARGO_HOME'])).toEqual({
      PATH: '/bin',
      HOME: '/h',
      LC_ALL: 'C',
      LANG: 'C',
      CARGO_HOME: '/c',
      PWD: '/project'
    })
  })
})
