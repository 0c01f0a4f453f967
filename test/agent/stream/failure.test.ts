import { describe, expect, test } from 'vitest'
import { classify, showable, transportFailure } from '../../../src/agent/stream/failure.ts'

const answer = (status: number | null, body: unknown = { error: { message: 'why' } }) => ({
  status,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  requestId: 'r-1',
  retryAfterSeconds: 7
})

describe('MODEL-050 classification', () => {
  test.each([
    [500, true, false, 'stream-failed'],
    [502, true, false, 'stream-failed'],
    [503, true, false, 'stream-failed'],
    [599, true, false, 'stream-failed'],
    [429, true, false, 'rate-limited'],
    [408, true, false, 'stream-failed'],
    [425, true, false, 'stream-failed'],
    [401, false, false, 'auth-failed'],
    [403, false, false, 'auth-failed'],
    [413, false, true, 'stream-failed'],
    [400, false, false, 'stream-failed'],
    [404, false, false, 'stream-failed'],
    [409, false, false, 'stream-failed'],
    [418, false, false, 'stream-failed'],
    [422, false, false, 'stream-failed'],
    [null, true, false, 'stream-failed']
  ])('%s', (status, retryable, contextTooLong, code) => {
    expect(classify(answer(status), [])).toMatchObject({
      code,
      retryable,
      contextTooLong,
      statusCode: status,
      requestId: 'r-1',
      retryAfterSeconds: status === 429 ? 7 : null
    })
  })

  test('401 and 403 say nothing of the body', () => {
    expect(classify(answer(401, 'your key hunter2 is wrong'), []).message).toBe(
      'authentication failed (request-id=r-1)'
    )
    expect(classify({ ...answer(403), requestId: null }, []).message).toBe('authentication failed')
  })

  test('413 says what to do', () => {
    expect(classify(answer(413, '<html>too big</html>'), []).message).toMatch(
      /^request body too large for the gateway; lower max_context or set max_request_bytes/
    )
  })
})

describe('a web page in place of an error', () => {
  test.each([
    ['<html><head><title>502 Bad\n Gateway</title></head>x</html>', ': 502 Bad Gateway'],
    ['<!DOCTYPE html><p>Sign in, hunter2</p>', ''],
    ['<html><title>key hunter2</title>', ': key <redacted>']
  ])('%j is told by its title, not by its markup', (body, title) => {
    expect(classify(answer(502, body), ['hunter2'])).toMatchObject({
      message: `HTTP 502, with a web page instead of an answer${title}`,
      retryable: true
    })
  })

  test('text that only begins like markup is shown as it is', () => {
    expect(classify(answer(400, '<htmlx> is no tool'), []).message).toBe('<htmlx> is no tool')
  })
})

describe('MODEL-051 signs of a context that is too long', () => {
  const signs = [
    'context_length_exceeded',
    'maximum context length',
    'context length',
    'exceeds the available context size',
    'prompt is too long',
    'longer than the maximum',
    'input is too long'
  ]
  test.each(signs)('%s, in any place and case', (sign) => {
    const loud = `So: ${sign.toUpperCase()} (9)`
    for (const body of [
      { error: { code: loud } },
      { error: { type: loud } },
      { error: { message: loud } },
      { error: loud },
      { message: loud }
    ]) {
      for (const status of [400, 422, 500, null]) {
        expect(classify(answer(status, body), [])).toMatchObject({ contextTooLong: true, retryable: false })
      }
    }
    expect(classify(answer(400, loud), [])).toMatchObject({ contextTooLong: true })
  })

  test('elsewhere in the body, or with another status, they mean nothing', () => {
    const echoed = { error: { message: 'bad role' }, input: 'the prompt is too long, said the user' }
    expect(classify(answer(400, echoed), [])).toMatchObject({ contextTooLong: false })
    expect(classify(answer(404, { error: 'prompt is too long' }), [])).toMatchObject({ contextTooLong: false })
    expect(classify(answer(503, { error: 'prompt is too long' }), [])).toMatchObject({
      contextTooLong: false,
      retryable: true
    })
  })
})

describe('MODEL-052 messages', () => {
  test.each([
    [{ error: { message: 'model overloaded' } }, 'model overloaded'],
    [{ error: 'plain' }, 'plain'],
    ['upstream gone', 'upstream gone'],
    ['', 'HTTP 503'],
    [{ detail: 'x' }, '{"detail":"x"}']
  ])('%j reads %s', (body, message) => {
    expect(classify(answer(503, body), []).message).toBe(message)
  })

  test('at most 2048 characters, cut after redaction', () => {
    const key = 'k3y-'.repeat(10)
    const body = `${'x'.repeat(2030)}${key}${'y'.repeat(5000)}`
    const { message } = classify(answer(503, body), [key])
    expect(message).toHaveLength(2048)
    expect(message).not.toContain('k3y')
  })

  test('credentials and controls go, also together', () => {
    expect(showable('bad \x1b[31mBearer abc\x07 sk-\x1b[0mabcdefghij and hunter2', ['hunter2'])).not.toMatch(
      /abc|hunter2|[\x00-\x08\x1b]/
    )
  })
})

describe('MODEL-050 trouble before the headers', () => {
  const withCode = (code: string, message = code) => Object.assign(new Error(message), { code })

  test('is retryable, with the system’s message', () => {
    expect(transportFailure(withCode('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:9'), null, [])).toMatchObject({
      code: 'stream-failed',
      retryable: true,
      message: 'connect ECONNREFUSED 127.0.0.1:9',
      statusCode: null
    })
  })

  test('several addresses tried: the first one speaks', () => {
    const all = new AggregateError([withCode('ECONNREFUSED', 'connect ::1'), withCode('ECONNREFUSED')], '')
    expect(transportFailure(all, null, []).message).toBe('connect ::1')
  })

  test('a request that cannot be made is not worth another try', () => {
    expect(transportFailure(withCode('UND_ERR_INVALID_ARG'), null, []).retryable).toBe(false)
  })
})
