import { expect, test } from 'vitest'
import { type ConversationHost, holdConversation } from '../../../src/agent/session/index.ts'
import { entryId, stepId } from '../../../src/protocol/ids.ts'
import type { ModelRequest } from '../../../src/protocol/model.ts'
import type { ToolName } from '../../../src/protocol/tool.ts'
import { manualClock } from '../../support/clock.ts'
import { calls, says, type Turnout, toolDone, twoModels } from '../../support/session.ts'

function host(...turnouts: readonly Turnout[]) {
  const requests: ModelRequest[] = []
  const ran: string[] = []
  const recorded: unknown[] = []
  const pending = [...turnouts]
  let counter = 0
  const made: ConversationHost = {
    models: twoModels,
    workdir: '/project',
    record: (items) => recorded.push(...items),
    ports: {
      clock: manualClock(),
      ids: { entry: () => entryId(`e${++counter}`), step: () => stepId(`s${++counter}`) },
      random: () => 0.5,
      log: () => undefined,
      model: {
        async request(request, signal, onDelta) {
          requests.push(request)
          const next = pending.shift()
          if (next === undefined) throw new Error('no turnout left')
          return next(request, signal, onDelta)
        }
      },
      tools: {
        specs: () =>
          (['read_file', 'grep', 'write_file'] as const).map((name) => ({ name, description: '', parameters: {} })),
        check: (call) => ({ ok: true, name: call.name as ToolName, args: {} }),
        async run(call) {
          ran.push(call.name)
          return toolDone('content')
        }
      }
    }
  }
  return { made, requests, ran, recorded }
}

const held = {
  model: 'deep',
  system: 'You look.',
  task: 'look around',
  tools: new Set<ToolName>(['read_file', 'grep']),
  limits: { maxTurns: 3, tokenBudget: 10_000, timeoutSeconds: 60 },
  signal: new AbortController().signal
}

test('it speaks with its own prompt and offers only the tools it was given (RUN-621)', async () => {
  const { made, requests, recorded } = host(says('all seen'))
  expect(await holdConversation(made, held)).toEqual({ kind: 'answered', text: 'all seen', lacks: null })
  expect(requests[0]?.messages).toEqual([
    { role: 'system', content: 'You look.' },
    { role: 'user', content: 'look around' }
  ])
  expect(requests[0]?.tools?.map(({ name }) => name)).toEqual(['read_file', 'grep'])
  expect(recorded).toMatchObject([{ kind: 'usage-counted', purpose: 'sub-agent', model: 'deep' }])
})

test('a tool it was not given is refused although the port knows it', async () => {
  const { made, requests, ran } = host(calls(['a', 'write_file', {}], ['b', 'read_file', {}]), says('ok'))
  await holdConversation(made, held)
  expect(ran).toEqual(['read_file'])
  expect(requests[1]?.messages.map(({ content }) => content)).toContain('tool "write_file" is not available here')
})

test('the next one knows nothing of the one before', async () => {
  const { made, requests } = host(says('first secret'), says('second'))
  await holdConversation(made, held)
  await holdConversation(made, { ...held, task: 'again' })
  expect(JSON.stringify(requests[1])).not.toContain('secret')
})

test('a limit leaves its last text, an abort leaves nothing', async () => {
  const { made } = host(
    says('thinking', { toolCalls: [{ id: 'a', name: 'grep', arguments: '{}' }] }),
    calls(['b', 'grep', { pattern: 'x' }]),
    calls(['c', 'grep', { pattern: 'y' }])
  )
  expect(await holdConversation(made, held)).toMatchObject({
    kind: 'stopped',
    why: 'turn limit after 3 turns',
    lastText: 'thinking'
  })
  const stop = new AbortController()
  stop.abort()
  expect(await holdConversation(host(says('x')).made, { ...held, signal: stop.signal })).toEqual({
    kind: 'interrupted'
  })
})
