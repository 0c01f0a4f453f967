import { describe, expect, test } from 'vitest'
import { dialectFor, newReplyReader, readReply } from '../../../src/agent/dialects/index.ts'
import type { ModelReply } from '../../../src/protocol/model.ts'

const origin = { turn: 1, callsSoFar: 0 }
const reply = (over: Partial<ModelReply> = {}): ModelReply => ({
  content: '',
  reasoningContent: '',
  toolCalls: [],
  usage: null,
  finishReason: 'stop',
  partial: false,
  requestId: null,
  ...over
})
const section = (id: string) =>
  `ok <|tool_calls_section_begin|><|tool_call_begin|>${id}<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>`

describe('MODEL-070 the envelope wins over what stands in the text', () => {
  test('calls', () => {
    const content = section('functions.grep:0')
    const both = reply({ content, toolCalls: [{ id: 'functions.bash:0', name: 'bash', arguments: '{}' }] })
    expect(readReply(dialectFor('kimi'), origin, both)).toMatchObject({ text: 'ok ', calls: [{ name: 'bash' }] })
    expect(readReply(dialectFor('kimi'), origin, reply({ content }))).toMatchObject({
      text: 'ok ',
      calls: [{ name: 'grep', id: 'functions.grep:0' }],
      refusal: null
    })
  })

  test('reasoning', () => {
    const content = '<think>native</think>yes'
    const glm = dialectFor('glm')
    expect(readReply(glm, origin, reply({ content, reasoningContent: 'given' }))).toMatchObject({
      text: 'yes',
      reasoning: 'given'
    })
    expect(readReply(glm, origin, reply({ content }))).toMatchObject({ text: 'yes', reasoning: 'native' })
  })
})

test('MODEL-072 a late closing tag moves shown text into the reasoning, on the screen and in the record', () => {
  const reader = newReplyReader(dialectFor('glm'), origin)
  expect(reader.feed({ channel: 'content', text: 'hmm' })).toEqual([{ kind: 'text', text: 'hmm' }])
  expect(reader.soFar()).toEqual({ text: 'hmm', reasoning: '' })
  expect(reader.feed({ channel: 'content', text: '</think>yes <' })).toEqual([
    { kind: 'reclassify', count: 3 },
    { kind: 'text', text: 'yes ' }
  ])
  expect(reader.finish(reply())).toEqual({
    shown: [{ kind: 'text', text: '<' }],
    text: 'yes <',
    reasoning: 'hmm',
    calls: [],
    refusal: null
  })
})

test('MODEL-042 a partial reply keeps text and reasoning and runs nothing', () => {
  const partial = reply({ content: section('functions.bash:0'), reasoningContent: 'r', partial: true })
  expect(readReply(dialectFor('kimi'), origin, partial)).toMatchObject({
    text: 'ok ',
    reasoning: 'r',
    calls: [],
    refusal: null
  })
})

test('MODEL-073 a half call is reported beside the whole ones', () => {
  const content = `${section('functions.bash:0')}<|tool_calls_section_begin|><|tool_call_begin|>func`
  expect(readReply(dialectFor('kimi'), origin, reply({ content }))).toMatchObject({
    calls: [{ id: 'functions.bash:0' }],
    refusal: { code: 'parse-refused' }
  })
})

test('MODEL-074, MODEL-075 a refused response keeps its text and has no calls', () => {
  const toolCalls = [{ id: '8b1f6c1e-uuid', name: 'bash', arguments: '{}' }]
  expect(readReply(dialectFor('kimi'), origin, reply({ content: 'text', toolCalls }))).toMatchObject({
    text: 'text',
    calls: [],
    refusal: { offending: '8b1f6c1e-uuid' }
  })
  expect(readReply(dialectFor('qwen'), origin, reply({ malformedToolCalls: '{"0":1}' }))).toMatchObject({
    calls: [],
    refusal: { reason: 'tool_calls is not a list of call objects' }
  })
})
