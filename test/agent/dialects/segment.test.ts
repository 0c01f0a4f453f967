import { describe, expect, test } from 'vitest'
import { dialectFor } from '../../../src/agent/dialects/index.ts'
import type { SegmentEvent } from '../../../src/agent/dialects/types.ts'
import type { ToolCall } from '../../../src/protocol/tool.ts'
import { fc, runs } from '../../support/laws.ts'

type Seen = { text: string; reasoning: string; calls: ToolCall[]; refused: string[]; shownSentinel: boolean }

/** Runs chunks through a family's segmenter and folds the events as the display does. */
function run(family: string, chunks: readonly string[]): Seen {
  const segmenter = dialectFor(family).newSegmenter()
  const seen: Seen = { text: '', reasoning: '', calls: [], refused: [], shownSentinel: false }
  const fold = (events: readonly SegmentEvent[]) => {
    for (const event of events) {
      switch (event.kind) {
        case 'text':
          seen.text += event.text
          break
        case 'reasoning':
          seen.reasoning += event.text
          break
        case 'reclassify':
          expect(event.count).toBeGreaterThan(0)
          expect(event.count).toBeLessThanOrEqual(seen.text.length)
          seen.reasoning += seen.text.slice(-event.count)
          seen.text = seen.text.slice(0, -event.count)
          break
        case 'call':
          seen.calls.push(event.call)
          break
        case 'refused':
          seen.refused.push(event.reason)
      }
      seen.shownSentinel ||= /<think>|<\|tool_call/.test(seen.text + seen.reasoning)
    }
  }
  for (const chunk of chunks) fold(segmenter.feed(chunk))
  fold(segmenter.flush())
  return seen
}

const calls = (...bodies: string[]) => `<|tool_calls_section_begin|>${bodies.join('')}<|tool_calls_section_end|>`
const one = (id: string, args: string) => `<|tool_call_begin|>${id}<|tool_call_argument_begin|>${args}<|tool_call_end|>`
const twoCalls = `I look. ${calls(
  `\n${one(' functions.read_file:0 ', '\n{"path":"ä.ts"} ')}\n`,
  one('functions.bash:1', '{"command":"ls <|x"}')
)} Done <|.`

describe('MODEL-071 every split of the text yields the same', () => {
  const samples: [string, string][] = [
    ['glm', 'before <think>why </thin k></think>after <thin and </think> stray'],
    ['glm', 'already shown, and long</think>the answer'],
    ['glm', '</think>at once'],
    ['glm', '<think>never closed </think'],
    ['glm', 'a < b and <thinking>'],
    ['kimi', twoCalls],
    ['kimi-code', twoCalls],
    ['kimi', `${calls(one('functions.a:0', '{}'))}<|tool_calls_section_begin|><|tool_call_begin|>functions.b:1`],
    ['qwen', 'plain <think>text</think> <|tool_calls_section_begin|>']
  ]

  test.each(samples)('%s: %s', (family, sample) => {
    const whole = run(family, [sample])
    for (let cut = 0; cut <= sample.length; cut += 1) {
      expect(run(family, [sample.slice(0, cut), sample.slice(cut)])).toEqual(whole)
    }
    expect(run(family, [...sample].concat(''))).toEqual(whole)
  })

  const token = fc.constantFrom(
    '<think>',
    '</think>',
    '<',
    '</',
    '|>',
    'think>',
    'text ',
    'ü',
    '😀',
    '\n',
    '<|tool_calls_section_begin|>',
    '<|tool_calls_section_end|>',
    '<|tool_call_begin|>',
    '<|tool_call_end|>',
    '<|tool_call_argument_begin|>',
    'functions.bash:0',
    '{"a":1}',
    '<|tool'
  )
  test.each(['glm', 'kimi', 'kimi-code', 'minimax'])('%s: of any text', (family) => {
    fc.assert(
      fc.property(fc.array(token, { maxLength: 20 }), fc.array(fc.nat(300), { maxLength: 6 }), (tokens, cuts) => {
        const text = tokens.join('')
        const at = cuts.map((cut) => cut % (text.length + 1)).toSorted((a, b) => a - b)
        const pieces = [...at, text.length].map((end, i) => text.slice(at[i - 1] ?? 0, end))
        expect(run(family, pieces)).toEqual(run(family, [text]))
      }),
      { numRuns: runs(400) }
    )
  })
})

describe('glm', () => {
  test('MODEL-071 a think section is reasoning', () => {
    expect(run('glm', ['a<think>b</think>c<think>d</think>e'])).toMatchObject({ text: 'ace', reasoning: 'bd' })
  })

  test('MODEL-072 a closing tag that comes first moves what was shown', () => {
    const segmenter = dialectFor('glm').newSegmenter()
    expect(segmenter.feed('hmm, let me')).toEqual([{ kind: 'text', text: 'hmm, let me' }])
    expect(segmenter.feed(' see</think>Yes')).toEqual([
      { kind: 'reclassify', count: 11 },
      { kind: 'reasoning', text: ' see' },
      { kind: 'text', text: 'Yes' }
    ])
  })

  test('only the first closing tag without an opening one means that; later ones are text', () => {
    expect(run('glm', ['a</think>the tag </think> closes'])).toMatchObject({
      reasoning: 'a',
      text: 'the tag </think> closes'
    })
  })

  test('what is held back comes out at the end', () => {
    expect(run('glm', ['answer </thi'])).toMatchObject({ text: 'answer </thi' })
    expect(run('glm', ['<think>so</thi'])).toMatchObject({ text: '', reasoning: 'so</thi' })
  })
})

describe.each(['kimi', 'kimi-code'])('%s', (family) => {
  test('MODEL-071 calls are taken out of the text, ids and arguments trimmed', () => {
    expect(run(family, [twoCalls])).toEqual({
      text: 'I look.  Done <|.',
      reasoning: '',
      calls: [
        { id: 'functions.read_file:0', name: 'read_file', arguments: '{"path":"ä.ts"}' },
        { id: 'functions.bash:1', name: 'bash', arguments: '{"command":"ls <|x"}' }
      ],
      refused: [],
      shownSentinel: false
    })
  })

  test('MODEL-073 a half call is dropped and reported, a finished one kept', () => {
    const text = `x<|tool_calls_section_begin|>${one('functions.bash:0', '{}')}<|tool_call_begin|>functions.bash:1<|tool_call_argument_begin|>{"comm`
    const seen = run(family, [text])
    expect(seen.calls.map(({ id }) => id)).toEqual(['functions.bash:0'])
    expect(seen.refused).toHaveLength(1)
    expect(seen.text).toBe('x')
  })

  test('MODEL-073 an opened section without any call is reported', () => {
    expect(run(family, ['x<|tool_calls_section_begin|> '])).toMatchObject({ calls: [], refused: [expect.any(String)] })
  })

  test('a section that only lacks its end lost nothing', () => {
    const seen = run(family, [`<|tool_calls_section_begin|>${one('functions.bash:0', '{}')}`])
    expect(seen).toMatchObject({ calls: [{ name: 'bash' }], refused: [] })
  })

  test('a section that ends inside a call, and a call without its marker, are reported', () => {
    expect(run(family, [calls('<|tool_call_begin|>functions.bash:0')]).refused).toHaveLength(1)
    expect(run(family, [calls('<|tool_call_begin|>functions.bash:0 {}<|tool_call_end|>')]).refused).toHaveLength(1)
  })

  test('a large call in tiny pieces takes linear time', () => {
    const args = JSON.stringify({ content: 'x<|y'.repeat(100_000) })
    const text = calls(one('functions.write_file:0', args))
    const pieces = Array.from({ length: Math.ceil(text.length / 4) }, (_, i) => text.slice(i * 4, i * 4 + 4))
    const started = performance.now()
    expect(run(family, pieces).calls[0]?.arguments).toBe(args)
    expect(performance.now() - started).toBeLessThan(3_000)
  })

  test('so do many sections and many calls in one piece', () => {
    const started = performance.now()
    run(family, [calls('').repeat(150_000)])
    expect(run(family, [calls(one('functions.bash:0', '{}').repeat(100_000))]).calls).toHaveLength(100_000)
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})
