import { describe, expect, test } from 'vitest'
import { newAccumulator } from '../../../src/agent/stream/accumulate.ts'
import { sizeLimits } from '../../../src/agent/stream/limits.ts'

const delta = (value: object, finish: string | null = null) => ({ choices: [{ delta: value, finish_reason: finish }] })
const calls = (...list: unknown[]) => delta({ tool_calls: list })

function gather(...chunks: Record<string, unknown>[]) {
  const reply = newAccumulator()
  const deltas = chunks.flatMap((chunk) => [...reply.add(chunk)])
  return { ...reply.result(), deltas, exceeded: reply.exceeded, hasOutput: reply.hasOutput }
}

describe('MODEL-035 text', () => {
  test('content and reasoning grow apart, under either name of the field', () => {
    const seen = gather(
      delta({ role: 'assistant', content: '' }),
      delta({ reasoning_content: 'hm', reasoning: 'not twice' }),
      delta({ reasoning_content: '', reasoning: ' so' }),
      delta({ content: 'yes' }),
      delta({ content: null }, 'stop')
    )
    expect(seen).toMatchObject({ content: 'yes', reasoningContent: 'hm so', finishReason: 'stop' })
    expect(seen.deltas).toEqual([
      { channel: 'reasoning', text: 'hm' },
      { channel: 'reasoning', text: ' so' },
      { channel: 'content', text: 'yes' }
    ])
  })

  test('only the first choice counts, and odd shapes count as nothing', () => {
    const seen = gather(
      { choices: [{ delta: { content: 'a' } }, { delta: { content: 'b' } }] },
      { choices: [] },
      { choices: 'x' },
      { choices: [null] },
      { choices: [{ delta: 7 }] },
      delta({ content: 5 }),
      {}
    )
    expect(seen).toMatchObject({ content: 'a', finishReason: null })
  })

  test('a role alone is no output', () => {
    expect(gather(delta({ role: 'assistant', content: '' })).hasOutput).toBe(false)
    expect(gather(delta({ reasoning: 'x' })).hasOutput).toBe(true)
    expect(gather(calls({ index: 0 })).hasOutput).toBe(true)
  })
})

describe('MODEL-034 usage', () => {
  test.each([
    [
      { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
      { prompt: 3, completion: 4, total: 7 }
    ],
    [
      { prompt_tokens: 3, completion_tokens: 4 },
      { prompt: 3, completion: 4, total: 7 }
    ],
    [
      { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7, prompt_tokens_details: { cached_tokens: 2 } },
      { prompt: 3, completion: 4, total: 7, cached: 2 }
    ],
    [
      { prompt_tokens: 3, completion_tokens: 1, prompt_cache_hit_tokens: 2, prompt_tokens_details: null },
      { prompt: 3, completion: 1, total: 4, cached: 2 }
    ],
    [
      { prompt_tokens: 'many', completion_tokens: -1 },
      { prompt: 0, completion: 0, total: 0 }
    ],
    [null, null],
    ['x', null]
  ])('%j', (usage, expected) => {
    expect(gather({ choices: [], usage }).usage).toEqual(expected)
  })

  test('it is read from any event, the last one wins, null does not erase', () => {
    const usage = (prompt_tokens: number) => ({ prompt_tokens, completion_tokens: 0 })
    const seen = gather(
      { ...delta({ content: 'a' }), usage: usage(1) },
      { choices: [], usage: usage(9) },
      { usage: null }
    )
    expect(seen.usage?.prompt).toBe(9)
  })
})

describe('MODEL-036 tool calls', () => {
  test('deltas merge by index: id and name replace, arguments append', () => {
    const seen = gather(
      calls({ index: 0, id: 'a', type: 'function', function: { name: 'bash', arguments: '' } }),
      calls({ index: 0, function: { arguments: '{"comm' } }),
      calls({ index: 0, id: '', function: { name: '', arguments: 'and":1}' } }),
      calls({ index: 0, id: 'b', function: { name: 'grep', arguments: null } })
    )
    expect(seen.toolCalls).toEqual([{ id: 'b', name: 'grep', arguments: '{"command":1}' }])
  })

  test('gaps are allowed, the order is that of the index', () => {
    const seen = gather(
      calls({ index: 2, id: 'two', function: { name: 'b' } }),
      calls({ index: 0, id: 'zero', function: { name: 'a' } })
    )
    expect(seen.toolCalls.map(({ id }) => id)).toEqual(['zero', 'two'])
  })

  test('without an index the position in the list counts', () => {
    const seen = gather(
      calls({ id: 'x', function: { name: 'a', arguments: '1' } }, { id: 'y', function: { name: 'b', arguments: '2' } }),
      calls({ function: { arguments: '1' } }, { function: { arguments: '2' } })
    )
    expect(seen.toolCalls.map((call) => call.arguments)).toEqual(['11', '22'])
  })

  test('arguments that came as an object become text', () => {
    const seen = gather(calls({ index: 0, id: 'x', function: { name: 'a', arguments: { path: 'p' } } }))
    expect(seen.toolCalls[0]?.arguments).toBe('{"path":"p"}')
  })

  test.each([
    ['an object', { 0: {} }],
    ['a text', 'bash'],
    ['a list with something else in it', [{ index: 0 }, 'x']]
  ])('MODEL-074 %s is kept for the dialect to refuse', (_name, list) => {
    expect(gather(delta({ tool_calls: list })).malformedToolCalls).toBe(JSON.stringify(list))
  })

  test('null is no list and no trouble', () => {
    expect(gather(delta({ content: 'a', tool_calls: null }))).not.toHaveProperty('malformedToolCalls')
  })
})

describe('MODEL-037 limits', () => {
  const mebi = 'ü'.repeat(512 * 1024)

  test.each([
    ['content', { content: mebi }, 'stream content exceeds cap'],
    ['reasoning', { reasoning: mebi }, 'stream reasoning_content exceeds cap']
  ] as const)('%s, in bytes', (channel, value, text) => {
    const full = Array.from({ length: sizeLimits[channel] / 1024 / 1024 }, () => delta(value))
    expect(gather(...full).exceeded).toBeNull()
    expect(gather(...full, delta({ [Object.keys(value)[0] ?? '']: 'x' })).exceeded).toBe(text)
  })

  test('arguments, each call by itself', () => {
    const half = 'x'.repeat(sizeLimits.arguments / 2)
    const part = (index: number, text = half) => calls({ index, function: { arguments: text } })
    expect(gather(part(0), part(1), part(0), part(1)).exceeded).toBeNull()
    expect(gather(part(0), part(1), part(0), part(0, 'x')).exceeded).toBe('tool call arguments exceed cap')
    const many = Array.from({ length: 33 }, (_, index) => part(index))
    expect(gather(...many).exceeded).toBe('tool call arguments exceed cap')
  })

  test('calls without arguments, when there is no end of them', () => {
    const some = Array.from({ length: 1000 }, (_, index) => calls({ index }))
    expect(gather(...some).exceeded).toBeNull()
    const endless = Array.from({ length: 5 }, (_, n) =>
      calls(...Array.from({ length: 1000 }, (_, index) => ({ index: n * 1000 + index })))
    )
    expect(gather(...endless).exceeded).toBe('tool call arguments exceed cap')
  })

  test('ids and names count as well, each once however often it is repeated', () => {
    const long = 'n'.repeat(512 * 1024)
    const call = (index: number) => calls({ index, id: long, function: { name: long } })
    const some = Array.from({ length: 15 }, (_, index) => call(index))
    expect(gather(...some, ...some).exceeded).toBeNull()
    expect(gather(...some, call(15)).exceeded).toBe('tool call arguments exceed cap')
  })
})
