import { expect, it } from 'vitest'
import type { ConversationHost } from '../../../../src/agent/session/index.ts'
import { createModelHooks } from '../../../../src/app/gate/hooks/index.ts'
import { loadCatalogue } from '../../../../src/gate/catalogue/index.ts'
import { entryId, stepId } from '../../../../src/protocol/ids.ts'
import type { ModelRequest } from '../../../../src/protocol/model.ts'
import type { ToolName } from '../../../../src/protocol/tool.ts'
import { edit, foundOne, nothingFound, runArrow } from '../../../support/adversary.ts'
import { manualClock } from '../../../support/clock.ts'
import { arrowOf, attestedOf, clauseOf, gridOf, type World, worldOf } from '../../../support/gates.ts'
import { calls, fails, says, settled, type Turnout, toolDone, twoModels } from '../../../support/session.ts'

const judged = attestedOf('C7', { depth: 'depth-sensitive', minTier: 2 })
const arrow = arrowOf('analyst', 'architect', [clauseOf('C1'), judged])

/** The whole way from a dispatch to the wire: kernel, cycle, hooks and conversations are real, the endpoint follows a script. */
function scene(script: (request: ModelRequest, world: World) => Turnout) {
  const requests: ModelRequest[] = []
  const ran: string[] = []
  const clock = manualClock()
  let counter = 0
  const world = worldOf(gridOf([arrow], { remediationRoundsMax: 3 }))
  const names: readonly ToolName[] = ['bash', 'read_file', 'write_file', 'edit_file', 'git', 'grep', 'glob']
  const host: ConversationHost = {
    models: twoModels,
    workdir: '/project',
    record: () => undefined,
    ports: {
      clock,
      ids: { entry: () => entryId(`e${++counter}`), step: () => stepId(`s${++counter}`) },
      random: () => 0.5,
      log: () => undefined,
      model: {
        async request(request, signal, onDelta) {
          requests.push(request)
          return script(request, world)(request, signal, onDelta)
        }
      },
      tools: {
        specs: () => names.map((name) => ({ name, description: '', parameters: {} })),
        check: (call) => ({ ok: true, name: call.name as ToolName, args: {} }),
        async run(call) {
          ran.push(call.name)
          if (call.name === 'edit_file') edit(world, 'edited')
          return toolDone('done')
        }
      }
    }
  }
  const hooks = createModelHooks({
    host,
    config: {
      subAgent: { defaultModel: 'fast', maxTurns: 20, tokenBudget: 50_000, timeoutSeconds: 300 },
      routing: { deepModel: 'deep', defaultModel: 'fast' } as never,
      models: { fast: { maxContext: 100_000 }, deep: { maxContext: 100_000 } } as never
    },
    lockedModel: null,
    catalogue: loadCatalogue(),
    gates: () => world.gates,
    ports: {
      artifact: {
        list: async () => [{ path: 'specs/shop/model.md', bytes: 20, sha256: 'a1' }],
        text: async () => 'a total is a number'
      },
      risk: { answered: async () => undefined },
      keep: () => undefined
    }
  })
  world.adversary = { disabled: false, cycle: hooks.cycle }
  return { world, requests, ran, clock }
}

const errand = ({ messages }: ModelRequest) => {
  const text = messages.map(({ content }) => content).join('\n')
  if (text.includes('Try to refute one promise')) return 'falsify'
  if (text.includes('defects that no clause names')) return 'sweep'
  if (text.includes('Somebody claims')) return 'recheck'
  if (text.includes('A person will decide on one clause')) return 'hint'
  return 'fix'
}
const json = (value: object) => says(`Here you are: ${JSON.stringify(value)}`)

it('an arrow converges in round 2 over conversations that know nothing of one another (RUN-610, RUN-621)', async () => {
  let sweeps = 0
  let fixing = 0
  let findingId = ''
  const { world, requests, ran } = scene((request, { gates }) => {
    switch (errand(request)) {
      case 'falsify':
        return json({ clause_id: 'C7', falsified: false })
      case 'sweep':
        sweeps += 1
        return json(sweeps === 1 ? foundOne({ title: 'MARK-1' }) : nothingFound)
      case 'recheck':
        return json({ finding_id: findingId, reproduced: 'no', evidence: 'gone' })
      case 'hint':
        return json({ clause_id: 'C7', locations: ['specs/shop/model.md:1'], basis: 'every rule', residue: 'none' })
      default:
        fixing += 1
        findingId = gates.findings.all()[0]?.id ?? ''
        return fixing === 1
          ? calls(['a', 'edit_file', {}])
          : json({ dispositions: [{ finding_id: findingId, action: 'fixed', rationale: 'SECRET-REASON' }] })
    }
  })
  const result = await runArrow(world, arrow.id)
  expect(result.remediation).toEqual({ outcome: 'converged', roundsUsed: 2 })
  expect(result.isParked).toBe(true)
  expect(ran).toEqual(['edit_file'])
  expect(requests.map(errand)).toEqual(['falsify', 'sweep', 'fix', 'fix', 'falsify', 'sweep', 'recheck', 'hint'])
  expect(requests.every(({ model }) => model === 'deep')).toBe(true)

  const tools = (kind: string) => requests.find((request) => errand(request) === kind)?.tools?.map(({ name }) => name)
  for (const kind of ['falsify', 'sweep', 'recheck', 'hint']) expect(tools(kind)).toEqual(['read_file', 'grep', 'glob'])
  expect(tools('fix')).toContain('edit_file')
  // What the producer said reaches no adversary; what the first found reaches the second only as a claim to look at.
  const attacks = requests.filter((request) => errand(request) !== 'fix')
  expect(JSON.stringify(attacks)).not.toContain('SECRET-REASON')
  expect(JSON.stringify(requests.filter((request) => errand(request) === 'sweep'))).not.toContain('MARK-1')
})

it('an adversary that reaches for a tool it has not gets none (RUN-621)', async () => {
  let isFirst = true
  const { world, ran } = scene((request) => {
    if (errand(request) === 'sweep') return json(nothingFound)
    if (errand(request) === 'hint') return json({ clause_id: 'C7', locations: [], basis: '', residue: '' })
    if (!isFirst) return json({ clause_id: 'C7', falsified: false })
    isFirst = false
    return calls(['a', 'write_file', { path: '.ghyll/grid.current', content: 'v9' }])
  })
  await runArrow(world, arrow.id)
  expect(ran).toEqual([])
})

it('an endpoint that stays away after its retries is the outcome model-unreachable (RUN-224)', async () => {
  const { world, clock } = scene(() => fails())
  const running = runArrow(world, arrow.id)
  for (let second = 0; second < 9; second += 1) {
    await settled()
    await clock.advance(1000)
  }
  expect((await running).remediation?.outcome).toBe('model-unreachable')
})
