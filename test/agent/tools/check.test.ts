import { describe, expect, test } from 'vitest'
import { AssertionFailed } from '../../../src/lib/assert.ts'
import { toolNames } from '../../../src/protocol/tool.ts'
import { toolBench } from '../../support/tool-bench.ts'

const call = (name: string, args: string) => ({ id: 'c', name, arguments: args })

describe('specifications (TOOL-008, CTX-081)', () => {
  test('a session is offered all twelve, a sub-agent nine', async () => {
    const { tools } = await toolBench()
    expect(
      tools
        .specs('session')
        .map((spec) => spec.name)
        .toSorted()
    ).toEqual([...toolNames].toSorted())
    expect(
      tools
        .specs('sub-agent')
        .map((spec) => spec.name)
        .toSorted()
    ).toEqual(toolNames.filter((name) => !['agent', 'enter_plan_mode', 'exit_plan_mode'].includes(name)).toSorted())
  })

  test('the same array every time', async () => {
    const { tools } = await toolBench()
    expect(tools.specs('session')).toBe(tools.specs('session'))
    expect(tools.specs('sub-agent')).toBe(tools.specs('sub-agent'))
  })

  test.each([
    ['bash', ['command'], []],
    ['read_file', ['path'], ['offset', 'limit']],
    ['write_file', ['path', 'content'], []],
    ['edit_file', ['path', 'old_string', 'new_string'], []],
    ['grep', ['pattern'], ['path']],
    ['glob', ['pattern'], ['path']],
    ['git', ['args'], []],
    ['web_fetch', ['url'], []],
    ['web_search', ['query'], []],
    ['agent', ['task'], []],
    ['enter_plan_mode', ['reason'], []],
    ['exit_plan_mode', [], []]
  ])('%s takes %j and perhaps %j', async (name, required, optional) => {
    const { tools } = await toolBench()
    const spec = tools.specs('session').find((candidate) => candidate.name === name)!
    expect(spec.description.length).toBeGreaterThan(20)
    expect(spec.parameters).toMatchObject({ type: 'object', required })
    const properties = spec.parameters.properties as Record<string, { type: string }>
    expect(Object.keys(properties)).toEqual([...required, ...optional])
    for (const [key, { type }] of Object.entries(properties))
      expect(type).toBe(key === 'offset' || key === 'limit' ? 'integer' : 'string')
  })
})

describe('checks before execution (TOOL-005, MODEL-074)', () => {
  test.each([
    ['bash', '{"command":"ls"}', { ok: true, name: 'bash', args: { command: 'ls' } }],
    ['execute_bash', '{"command":"ls"}', { ok: true, name: 'bash', args: { command: 'ls' } }],
    ['exit_plan_mode', '', { ok: true, name: 'exit_plan_mode', args: {} }],
    ['exit_plan_mode', '  ', { ok: true, name: 'exit_plan_mode', args: {} }],
    ['bash', '{"command":"ls","extra":1}', { ok: true, name: 'bash', args: { command: 'ls' } }],
    ['nonsense', '{}', { ok: false, kind: 'unknown-tool', error: 'unknown tool: nonsense' }],
    ['constructor', '{}', { ok: false, kind: 'unknown-tool', error: 'unknown tool: constructor' }],
    [
      'n'.repeat(400_000),
      '{}',
      { ok: false, kind: 'unknown-tool', error: `unknown tool: ${'n'.repeat(200)}… (400000 characters)` }
    ],
    ['bash', '{}', { ok: false, kind: 'invalid-args', error: 'invalid arguments for bash: command is missing' }],
    ['bash', '', { ok: false, kind: 'invalid-args', error: 'invalid arguments for bash: command is missing' }],
    [
      'bash',
      '{"command":["ls"]}',
      { ok: false, kind: 'invalid-args', error: 'invalid arguments for bash: command must be a string' }
    ],
    [
      'read_file',
      '{"path":"a","offset":0}',
      { ok: false, kind: 'invalid-args', error: 'invalid arguments for read_file: offset must be at least 1' }
    ],
    [
      'read_file',
      '{"path":"a","limit":1.5}',
      { ok: false, kind: 'invalid-args', error: 'invalid arguments for read_file: limit must be an integer' }
    ],
    [
      'agent',
      '{"task":"  "}',
      { ok: false, kind: 'invalid-args', error: 'invalid arguments for agent: task must not be empty' }
    ],
    [
      'bash',
      '["ls"]',
      {
        ok: false,
        kind: 'invalid-args',
        error: 'failed to parse tool arguments: expected a JSON object, got an array'
      }
    ],
    [
      'bash',
      'null',
      { ok: false, kind: 'invalid-args', error: 'failed to parse tool arguments: expected a JSON object, got null' }
    ]
  ])('%s %s', async (name, args, expected) => {
    const { tools } = await toolBench()
    expect(tools.check(call(name, args), 'session')).toEqual(expected)
  })

  test('broken JSON is refused with the detail, on one line', async () => {
    const { tools } = await toolBench()
    const checked = tools.check(call('bash', '{"command":\n"ls'), 'session')
    expect(checked).toMatchObject({ ok: false, kind: 'invalid-args' })
    expect(!checked.ok && checked.error).toMatch(/^failed to parse tool arguments: .+$/)
  })

  test.each(['agent', 'enter_plan_mode', 'exit_plan_mode'])('%s is not for sub-agents (CTX-080)', async (name) => {
    const { tools } = await toolBench()
    expect(tools.check(call(name, '{"task":"x","reason":"y"}'), 'sub-agent')).toEqual({
      ok: false,
      kind: 'unknown-tool',
      error: `tool "${name}" is not available to sub-agents`
    })
  })
})

test('a broken assumption is no result: whoever asks the tools for what the session performs has a bug (TOOL-001)', async () => {
  const { run } = await toolBench()
  await expect(run('agent', { task: 'look' })).rejects.toThrow(AssertionFailed)
})
