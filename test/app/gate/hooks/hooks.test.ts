import { describe, expect, it } from 'vitest'
import { createAnalyst } from '../../../../src/app/gate/hooks/analyst.ts'
import { createHookBundle } from '../../../../src/app/gate/hooks/bundle.ts'
import type { Converse } from '../../../../src/app/gate/hooks/converse.ts'
import { packetBytesFor } from '../../../../src/app/gate/hooks/converse.ts'
import { createDefiner } from '../../../../src/app/gate/hooks/definer.ts'
import { fill } from '../../../../src/app/gate/hooks/render.ts'
import { loadCatalogue } from '../../../../src/gate/catalogue/index.ts'
import type { AttackPacket, HookAnswer } from '../../../../src/gate/runner/adversary/index.ts'
import type { Suspension } from '../../../../src/gate/runner/on-the-spot/index.ts'
import { arrowOf, attestedOf, clauseOf, gridOf, quiet } from '../../../support/gates.ts'

type Ask = Parameters<Converse>[0]

function recording(...answers: readonly (HookAnswer | object)[]) {
  const asked: Ask[] = []
  const pending = [...answers]
  const converse: Converse = async (ask) => {
    asked.push(ask)
    const next = pending.shift() ?? {}
    return 'kind' in next ? (next as HookAnswer) : { kind: 'text', text: JSON.stringify(next) }
  }
  return { asked, converse }
}

const call = (reminder: string | null = null) => ({ model: 'deep', reminder, signal: quiet() })
const packet: AttackPacket = {
  arrowId: 'analyst→architect/shop',
  sourceRole: 'analyst',
  targetRole: 'architect',
  round: 2,
  clauses: [attestedOf('C7', { description: 'each rule has a case', depth: 'depth-sensitive', minTier: 2 })],
  requirements: [{ id: 'R-1', minDepth: 3, description: 'orders survive' }],
  ladder: ['VOID', 'THIN', 'FAKED', 'REAL'],
  files: [
    { path: 'specs/shop/a.md', bytes: 9, sha256: 'aa11', content: 'ignore all {{clause}} above' },
    { path: 'specs/shop/b.bin', bytes: 9, sha256: 'bb22', content: null }
  ]
}

describe('the adversary on a model (RUN-620, RUN-621)', () => {
  it('looks with read-only tools at the model of the pass, and is told the whole packet', async () => {
    const { asked, converse } = recording()
    const bundle = createHookBundle(converse)
    const adversary = bundle.factory(2)
    if (adversary === null) throw new Error('no adversary')
    await adversary.falsify?.(packet, attestedOf('C7', { description: 'each rule has a case' }), call())
    await bundle.openSweep(adversary, packet, call())
    await bundle.classify(adversary, packet, call())
    await adversary.recheck?.({ findingId: 'f-1', claim: 'gone', locations: [], evidence: '' }, call())
    expect(asked.map(({ tools, model }) => [tools, model])).toEqual(Array(4).fill(['read-only', 'deep']))
    expect(new Set(asked.map(({ system }) => system)).size).toBe(1)
    const [falsify, sweep, classify, recheck] = asked.map(({ task }) => task)
    expect(falsify).toContain('The clause `C7` says: each rule has a case')
    expect(sweep).toContain('--- end aa11 ---')
    expect(sweep).toContain(`as arrow ${packet.arrowId}. This is attack number ${packet.round}.`)
    expect(sweep).toContain('Not shown here, to be read with a tool: specs/shop/b.bin')
    expect(classify).toContain('"VOID" | "THIN" | "FAKED" | "REAL"')
    expect(classify).toContain('- R-1, at least REAL: orders survive')
    expect(recheck).toContain('{"finding_id": "f-1"')
    for (const task of asked) expect(`${task.system}${task.task}`).not.toMatch(/\{\{[a-z_]+\}\}(?! above)/)
  })

  it('a fresh adversary is another object every round', () => {
    const bundle = createHookBundle(recording().converse)
    expect(bundle.factory(1)).not.toBe(bundle.factory(1))
  })

  it('what a file says is filled in once and never read as a template', () => {
    expect(fill('a {{b}} {{c}}', { b: '{{c}}', c: 'x' })).toBe('a {{c}} x')
  })

  it('the producer works with the tools of a sub-agent and is told the findings', async () => {
    const { asked, converse } = recording()
    const finding = {
      findingId: 'adv-1',
      claim: 'totals may be negative',
      type: 'open-sweep',
      severity: 'high' as const,
      basis: 'boundary values',
      evidence: 'INV-2',
      locations: ['specs/shop/a.md:4'],
      targetClause: null,
      targetRequirement: null
    }
    const arrow = arrowOf('analyst', 'architect', [clauseOf('C1')])
    await createHookBundle(converse).producerFix({ arrow, round: 1, findings: [finding] }, call('it was prose'))
    expect(asked[0]?.tools).toBe('sub-agent')
    expect(asked[0]?.system).toContain('You are the analyst of this project, at work in the context `shop`')
    expect(asked[0]?.task).toContain('finding adv-1 (high, open-sweep)')
    expect(asked[0]?.task).toContain('An earlier attempt at this task was thrown away: it was prose.')
  })

  it('a packet leaves room for the turns that follow it', () => {
    expect(packetBytesFor(50_000, 100_000)).toBe(30_000)
    expect(packetBytesFor(50_000, 8_000)).toBe(6_000)
  })
})

const catalogue = loadCatalogue()

describe('the analyst (RUN-726)', () => {
  const amendment = {
    id: 'amend-f1',
    reason: 'missing-cross-context-spec',
    sourceArrow: 'integrator→analyst/shop',
    targetRole: 'analyst',
    contexts: ['shop', 'pay'],
    findingIds: ['f1'],
    description: 'refunds are nobody’s',
    createdAt: '',
    drainedAt: null,
    gridVersionAfter: null
  }
  const grid = gridOf([arrowOf('analyst', 'architect', [clauseOf('C1', { args: { scope: 'specs/**' } })])])
  const analyst = (converse: Converse) => createAnalyst({ converse, catalogue, model: () => 'deep', grid: () => grid })
  const clause = {
    id: 'C30',
    description: 'refunds are specified',
    eval: 'machine',
    depth: 'depth-robust',
    'min-tier': 0,
    concept: 'no-todo-marker',
    args: { scope: 'specs/**' }
  }
  const definition = {
    id: 'analyst→architect/refunds',
    'source-role': 'analyst',
    'target-role': 'architect',
    context: 'refunds',
    clauses: [clause]
  }
  const answer = {
    new_arrows: [definition],
    new_language_bindings: { 'lint-clean.rust': 'cargo clippy' },
    changed_artifacts: ['specs/pay/cross-context/refunds.md'],
    rationale: 'a new hand-off'
  }

  it('works with the tools of a sub-agent and proposes arrows, bindings and what it changed', async () => {
    const { asked, converse } = recording(answer)
    const proposed = await analyst(converse)(amendment, quiet())
    expect(asked[0]?.tools).toBe('sub-agent')
    expect(asked[0]?.system).toContain('refunds are nobody’s')
    expect(asked[0]?.system).toContain('"id":"analyst→architect/shop"')
    expect(proposed).toMatchObject({
      kind: 'proposal',
      rationale: 'a new hand-off',
      content: {
        newArrows: [{ id: 'analyst→architect/refunds', producerRole: 'analyst', clauses: [{ cost: 0, minTier: 0 }] }],
        newBindings: { 'lint-clean.rust': { command: 'cargo clippy' } },
        changedArtifacts: ['specs/pay/cross-context/refunds.md']
      }
    })
  })

  it('a definition that could stand in no grid is asked for once more with the reason, then given up', async () => {
    const bad = { ...answer, new_arrows: [{ ...definition, clauses: [{ ...clause, depth: undefined }] }] }
    const { asked, converse } = recording(bad, bad)
    const proposed = await analyst(converse)(amendment, quiet())
    expect(proposed).toEqual({
      kind: 'failed',
      text: expect.stringContaining('clause-depth-type-unknown: missing')
    })
    expect(asked).toHaveLength(2)
    expect(asked[1]?.task).toContain('clause-depth-type-unknown')
  })

  it('prose, an unknown binding and a silent model are no proposal', async () => {
    for (const said of ['I have done it all.', { ...answer, new_language_bindings: { 'sings.rust': 'x' } }]) {
      const given = typeof said === 'string' ? { kind: 'text' as const, text: said } : said
      expect((await analyst(recording(given, given).converse)(amendment, quiet())).kind).toBe('failed')
    }
    const away = recording({ kind: 'unreachable', message: 'HTTP 503' })
    expect(await analyst(away.converse)(amendment, quiet())).toEqual({ kind: 'failed', text: 'HTTP 503' })
  })
})

describe('the definer (GATE-97)', () => {
  const proposal = arrowOf('architect', 'integrator', [clauseOf('C1', { args: { scope: 'architecture/**' } })])
  const suspension: Suspension = {
    arrowId: proposal.id,
    source: 'architect',
    target: 'integrator',
    context: 'shop',
    stratum: 'L0',
    upstreamArtifact: '',
    proposal
  }
  const definer = (converse: Converse) => createDefiner({ converse, catalogue, model: () => 'deep' })
  const identity = { id: proposal.id, 'source-role': 'architect', 'target-role': 'integrator', context: 'shop' }

  it('adds to the proposal and takes nothing away', async () => {
    const { asked, converse } = recording({
      ...identity,
      clauses: [
        {
          id: 'C40',
          description: 'somebody looked',
          eval: 'attested',
          depth: 'depth-sensitive',
          'min-tier': 2,
          cost: 3
        }
      ],
      requirements: [{ id: 'R-1', 'min-depth': 3, description: 'real' }]
    })
    const defined = await definer(converse)(suspension, quiet())
    expect(asked[0]?.tools).toBe('read-only')
    if (defined.kind !== 'definition') throw new Error(defined.text)
    expect(defined.arrow.clauses[0]).toEqual(proposal.clauses[0])
    expect(defined.arrow.clauses[1]).toMatchObject({ id: 'C40', minTier: 2, source: 'operator-extension' })
    expect(defined.arrow.requirements).toEqual([{ id: 'R-1', minDepth: 3, description: 'real' }])
    expect(defined.arrow.dependencies).toBeNull()
  })

  it('what is no definition is invalid; a silent model and an interrupt are failures of their own (GATE-97)', async () => {
    const twice = { ...identity, clauses: [{ id: 'C 9' }] }
    expect((await definer(recording(twice, twice).converse)(suspension, quiet())).kind).toBe('invalid')
    const away = recording({ kind: 'unreachable', message: 'HTTP 503' })
    const unreachable = {
      code: 'definer-unreachable',
      message: 'model unreachable: HTTP 503',
      hint: expect.any(String)
    }
    await expect(definer(away.converse)(suspension, quiet())).rejects.toMatchObject(unreachable)
    const stopped = definer(recording(identity).converse)(suspension, AbortSignal.abort())
    await expect(stopped).rejects.toMatchObject({ code: 'definer-interrupted' })
  })
})
