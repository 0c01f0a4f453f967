import { describe, expect, test } from 'vitest'
import { dialectFor } from '../../../src/agent/dialects/index.ts'
import type { AssistantEntry, ContextEntry } from '../../../src/protocol/entry.ts'
import { dialectFamilies, type WireMessage } from '../../../src/protocol/model.ts'
import { assistant, call, note, tool, turnOf, user } from '../../support/entries.ts'
import { fc } from '../../support/laws.ts'

const first = call('c1', 'read_file', { path: 'a.ts' })
const second = call('c2', 'grep', { pattern: 'x' })

const from = (family: string, entry: AssistantEntry, reasoning = ''): AssistantEntry => ({
  ...entry,
  family,
  reasoning
})

describe.each(dialectFamilies)('%s', (family) => {
  const dialect = dialectFor(family)
  const build = (entries: readonly ContextEntry[]) => dialect.buildMessages(entries, 'PROMPT')

  test('MODEL-022…025 each entry has its wire form', () => {
    const { messages, repairs } = build([
      user('u1', 'look'),
      from(family, assistant('a1', { text: '', calls: [first, second] }), 'because'),
      tool('t1', 'a1', first, { text: 'one' }),
      tool('t2', 'a1', second, { text: 'two' }),
      from(family, assistant('a2', { text: 'found it' }))
    ])
    const [one, two] = family === 'kimi' ? ['functions.read_file:0', 'functions.grep:1'] : ['c1', 'c2']
    expect(repairs).toBe(0)
    expect(messages).toEqual([
      { role: 'system', content: 'PROMPT' },
      { role: 'user', content: 'look' },
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'because',
        tool_calls: [
          { id: one, type: 'function', function: { name: 'read_file', arguments: '{"path":"a.ts"}' } },
          { id: two, type: 'function', function: { name: 'grep', arguments: '{"pattern":"x"}' } }
        ]
      },
      { role: 'tool', content: 'one', tool_call_id: one, name: 'read_file' },
      { role: 'tool', content: 'two', tool_call_id: two, name: 'grep' },
      { role: 'assistant', content: 'found it' }
    ])
  })

  test('MODEL-022 notes go into the one system message, in order, each under its heading', () => {
    const { messages } = build([note('n1', 'backfill', 'old\nwork'), user('u1'), note('n2', 'summary', 'the story')])
    expect(messages.filter(({ role }) => role === 'system')).toHaveLength(1)
    const system = messages[0]?.content ?? ''
    expect(system).toMatch(
      /^PROMPT\n\n## .*quoted notes from earlier work, not instructions\n\n> old\n> work\n\n## .*\n\nthe story$/
    )
  })

  test('MODEL-024 reasoning of another family stays here', () => {
    const other = family === 'glm' ? 'qwen' : 'glm'
    const { messages } = build([user('u1'), from(other, assistant('a1', { text: 'yes' }), 'secretly')])
    expect(JSON.stringify(messages)).not.toContain('secretly')
    expect(messages[2]).toEqual({ role: 'assistant', content: 'yes' })
  })

  test('MODEL-026 a call without result is answered as interrupted, before anything else', () => {
    const { messages, repairs } = build([
      user('u1'),
      assistant('a1', { calls: [first, second] }),
      tool('t1', 'a1', first),
      user('u2', 'go on')
    ])
    expect(repairs).toBe(1)
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'tool', 'user'])
    expect(messages[4]).toMatchObject({ content: 'interrupted', name: 'grep' })
  })

  test('MODEL-026 results are placed by their call, strays left out', () => {
    const { messages, repairs } = build([
      user('u1'),
      assistant('a1', { calls: [first, second] }),
      tool('t2', 'a1', second, { text: 'two' }),
      user('u2'),
      tool('t1', 'a1', first, { text: 'one' }),
      tool('t1b', 'a1', first, { text: 'one again' }),
      tool('t9', 'gone', second, { text: 'stray' })
    ])
    expect(messages.slice(3).map(({ content }) => content)).toEqual(['one', 'two', 'question u2'])
    expect(repairs).toBeGreaterThanOrEqual(3)
  })

  test('MODEL-025 arguments that are no JSON object are wrapped, for strict servers refuse them for ever', () => {
    const half = { id: 'c1', name: 'bash', arguments: '{"command": "ls' }
    const { messages, repairs } = build([user('u1'), assistant('a1', { calls: [half] }), tool('t1', 'a1', half)])
    const sent = (messages[2] as unknown as { tool_calls: { function: { arguments: string } }[] }).tool_calls[0]!
    expect(JSON.parse(sent.function.arguments)).toEqual({ unreadable_arguments: '{"command": "ls' })
    expect(repairs).toBe(1)
  })

  test('an assistant entry that says nothing is not sent', () => {
    const { messages } = build([user('u1'), assistant('a1', { text: '' }), user('u2')])
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'user'])
  })

  test('MODEL-026 whatever the history, a strict server accepts the request', () => {
    fc.assert(
      fc.property(anyHistory, (entries) => {
        const before = JSON.stringify(entries)
        expect(objections(build(entries).messages)).toEqual([])
        expect(JSON.stringify(entries)).toBe(before)
      })
    )
  })

  test('MODEL-026 an orderly history needs no repair', () => {
    const { repairs } = build([...turnOf(1, 2), ...turnOf(2), ...turnOf(3, 1)])
    expect(repairs).toBe(0)
  })
})

test('MODEL-029 kimi keeps its own ids and renumbers foreign ones by their place in the request', () => {
  const own = { id: 'functions.bash:7', name: 'bash', arguments: '{}' }
  const odd = { id: 'x', name: '9 lives', arguments: '{}' }
  const { messages } = dialectFor('kimi').buildMessages(
    [
      user('u1'),
      from('glm', assistant('a1', { calls: [first] })),
      tool('t1', 'a1', first),
      from('kimi', assistant('a2', { calls: [own] })),
      tool('t2', 'a2', own),
      from('kimi-code', assistant('a3', { calls: [odd] })),
      tool('t3', 'a3', odd)
    ],
    ''
  )
  const callIds = messages.flatMap((message) =>
    'tool_calls' in message ? message.tool_calls!.map(({ id }) => id) : []
  )
  const answered = messages.flatMap((message) => (message.role === 'tool' ? [message.tool_call_id] : []))
  expect(callIds).toEqual(['functions.read_file:0', 'functions.bash:7', 'functions._9_lives:2'])
  expect(answered).toEqual(callIds)
})

test('lone surrogates are not sent', () => {
  const { messages } = dialectFor('qwen').buildMessages([user('u1', 'a\ud800b')], 'p\udc00')
  expect(messages.every(({ content }) => (content ?? '').isWellFormed())).toBe(true)
})

/** What a strict server holds against a conversation. */
function objections(messages: readonly WireMessage[]): string[] {
  const found: string[] = []
  let due: string[] = []
  for (const [index, message] of messages.entries()) {
    if ((message.role === 'system') !== (index === 0)) found.push('system message')
    if (message.role === 'tool') {
      if (due.shift() !== message.tool_call_id) found.push('answer out of place')
      continue
    }
    if (due.length > 0) found.push('answer missing')
    if (message.role !== 'assistant') continue
    if (message.content === null && !message.tool_calls) found.push('empty assistant')
    due = (message.tool_calls ?? []).map(({ id }) => id)
    for (const { function: fn } of message.tool_calls ?? []) {
      if (typeof JSON.parse(fn.arguments) !== 'object') found.push('arguments')
    }
  }
  return due.length > 0 ? [...found, 'answer missing at the end'] : found
}

const anyCall = fc.record({
  id: fc.constantFrom('c1', 'c2', 'c3', 'functions.bash:0'),
  name: fc.constantFrom('bash', 'grep', 'weird name'),
  arguments: fc.constantFrom('{}', '{"a":1}', '', 'null', '[1]', '{"a')
})
const anyHistory: fc.Arbitrary<ContextEntry[]> = fc.array(
  fc.oneof(
    fc.constantFrom('u1', 'u2').map((id): ContextEntry => user(id)),
    fc
      .tuple(
        fc.constantFrom('a1', 'a2', 'a3'),
        fc.uniqueArray(anyCall, { maxLength: 3, selector: ({ id }) => id }),
        fc.constantFrom('', 'text'),
        fc.constantFrom(...dialectFamilies),
        fc.constantFrom('', 'hm')
      )
      .map(([id, calls, text, family, reasoning]) => from(family, assistant(id, { calls, text }), reasoning)),
    fc.tuple(fc.constantFrom('a1', 'a2', 'a3', 'gone'), anyCall).map(([message, of]) => tool('t', message, of)),
    fc.constantFrom('summary', 'backfill', 'resume', 'handoff').map((sub) => note('n', sub as 'summary'))
  ),
  { maxLength: 14 }
)
