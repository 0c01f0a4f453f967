import { expect } from 'vitest'
import { abortPass, invalidateArrow } from '../../src/gate/runner/acts.ts'
import { dispatch } from '../../src/gate/runner/dispatch/dispatch.ts'
import type { CycleReport } from '../../src/gate/runner/ports.ts'
import { answerEscalation } from '../../src/gate/runner/verdicts/escalation.ts'
import { createVerdictQueue } from '../../src/gate/runner/verdicts/queue.ts'
import { recordVerdict } from '../../src/gate/runner/verdicts/record.ts'
import type { OperatorEvent } from '../../src/protocol/gate.ts'
import type { Arrow } from '../../src/protocol/grid.ts'
import * as model from './gate-model.ts'
import { arrowOf, attestedOf, clauseOf, failResult, gridOf, passResult, quiet, sensitiveOf, worldOf } from './gates.ts'
import { fc } from './laws.ts'

// A random walk over the kernel and the plain model at once: after every step both must have answered the same and must be in the same
// state, and the events must have come in an order that the rules allow.

const declared = { dependencies: [] }
const arrows: readonly Arrow[] = [
  arrowOf('init', 'analyst', [clauseOf('I1')], declared),
  arrowOf('analyst', 'architect', [clauseOf('A1'), attestedOf('A2')], { ...declared, severityThreshold: 'low' }),
  arrowOf('architect', 'implementer', [clauseOf('B1'), clauseOf('B2', { concept: 'compiles' })], declared),
  arrowOf('implementer', 'integrator', [
    clauseOf('D1'),
    sensitiveOf('D2', 2),
    sensitiveOf('D3', 3, { eval: 'attested', concept: null }),
    attestedOf('D4')
  ]),
  arrowOf('integrator', 'analyst', [clauseOf('E1'), attestedOf('E2')], declared),
  arrowOf('architect', 'integrator', [attestedOf('X1'), attestedOf('X2')]),
  arrowOf('init', 'analyst', [clauseOf('J1', { concept: 'compiles' })], { context: 'pay' }),
  arrowOf('analyst', 'architect', [clauseOf('K1'), clauseOf('K2')], { ...declared, context: 'pay' }),
  arrowOf('architect', 'implementer', [clauseOf('L1', { missing: ['scope:path-glob'] })], { context: 'pay' }),
  // Nothing declared comes before these: always open to questions, and to the cycle.
  arrowOf('integrator', 'analyst', [attestedOf('M1'), attestedOf('M2')], { ...declared, context: 'pay' }),
  arrowOf(
    'implementer',
    'integrator',
    [sensitiveOf('N1', 2), sensitiveOf('N2', 3, { eval: 'attested', concept: null })],
    {
      context: 'ops'
    }
  )
]
const contexts = ['shop', 'pay', 'ops']
const arrowIds = arrows.map(({ id }) => id)
const alwaysAsking = Array.from({ length: 12 }, (_, n) =>
  n % 3 === 0 ? 'implementer→integrator/ops' : 'integrator→analyst/pay'
)
const clauseIds = arrows.flatMap(({ clauses }) => clauses.map(({ id }) => id))
const attestable = ['M1', 'M2', 'N1', 'N2', 'A2', 'D2', 'D3', 'D4', 'E2', 'X1', 'X2']

type Step =
  | { readonly do: 'run'; readonly arrow: string; readonly context: string | undefined; readonly op: string }
  /** `pass` counts back from the newest. */
  | {
      readonly do: 'verdict'
      readonly pass: number
      readonly clause: string | number
      readonly verdict: 'pass' | 'fail' | 'insufficient-basis'
      readonly text: string
      readonly op: string
    }
  | {
      readonly do: 'answer'
      readonly pass: number
      readonly clause: string | number
      readonly option: 1 | 2
      readonly op: string
    }
  | { readonly do: 'abort'; readonly pass: number }
  | { readonly do: 'invalidate'; readonly arrow: string; readonly op: string }
  | {
      readonly do: 'raise'
      readonly arrow: string
      readonly severity: 'info' | 'low' | 'medium' | 'high' | 'critical'
      readonly clause: string | null
      readonly status: 'open' | 'unevaluated'
    }
  | { readonly do: 'move'; readonly finding: number; readonly to: string; readonly role: string }
  | { readonly do: 'result'; readonly clause: string; readonly word: model.Word }
  | { readonly do: 'artifact'; readonly digest: string; readonly dependencies: string }
  | { readonly do: 'binding'; readonly missing: boolean }
  | { readonly do: 'routing'; readonly routing: model.Model['routing'] }
  | { readonly do: 'adversary'; readonly adversary: model.Model['adversary']; readonly cycle: model.CycleWord }
  | { readonly do: 'trouble'; readonly rows: boolean; readonly opens: boolean; readonly writes: boolean }
  | { readonly do: 'amend' }
  | { readonly do: 'tamper' }

const op = fc.oneof(
  { weight: 12, arbitrary: fc.constant('alice') },
  { weight: 3, arbitrary: fc.constant('bob') },
  { weight: 1, arbitrary: fc.constant('') }
)
const rarely = fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) })
const recent = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(0, 0, 1) }, { weight: 1, arbitrary: fc.nat(12) })
const asked = fc.oneof(
  { weight: 6, arbitrary: fc.nat(3) },
  { weight: 1, arbitrary: fc.constantFrom(...attestable, 'A1', 'nobody') }
)
const context = fc.oneof(
  { weight: 8, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom('pay', 'shop', 'nowhere') }
)

const calm: readonly fc.WeightedArbitrary<Step>[] = [
  {
    weight: 40,
    arbitrary: fc.record({
      do: fc.constant('run' as const),
      arrow: fc.constantFrom(...arrowIds, ...arrowIds, ...arrowIds, ...alwaysAsking, 'nobody'),
      context,
      op
    })
  },
  {
    weight: 24,
    arbitrary: fc.record({
      do: fc.constant('verdict' as const),
      pass: recent,
      clause: asked,
      verdict: fc.constantFrom('pass', 'pass', 'fail', 'insufficient-basis', 'insufficient-basis'),
      text: fc.constantFrom('a.ts:1', 'a.ts:1', 'thin', ' '),
      op
    })
  },
  {
    // The stubborn operator, who never sees enough in the same place.
    weight: 20,
    arbitrary: fc.constant({
      do: 'verdict' as const,
      pass: 0,
      clause: 0,
      verdict: 'insufficient-basis' as const,
      text: 'thin',
      op: 'alice'
    })
  },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      pass: recent,
      clause: asked,
      option: fc.constantFrom(1, 2),
      op
    })
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('abort' as const), pass: recent }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('invalidate' as const), arrow: fc.constantFrom(...arrowIds, 'nobody'), op })
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('raise' as const),
      arrow: fc.constantFrom(...arrowIds),
      severity: fc.constantFrom('info', 'low', 'medium', 'high', 'critical'),
      clause: fc.constantFrom(null, ...attestable),
      status: fc.constantFrom('open', 'open', 'unevaluated')
    })
  },
  {
    weight: 14,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      finding: fc.nat(8),
      to: fc.constantFrom('open', 'running', 'resolved', 'resolved', 'accepted-risk', 'unevaluated'),
      role: fc.constantFrom('operator', 'operator', 'adversary', 'orchestrator', 'producer', 'analyst')
    })
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('result' as const),
      clause: fc.constantFrom(...clauseIds),
      word: fc.constantFrom('pass', 'pass', 'pass', 'pass', 'pass', 'pass', 'fail', 'unevaluated', 'throw')
    })
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('artifact' as const),
      digest: fc.constantFrom('a', 'a', 'b'),
      dependencies: fc.constantFrom('x', 'x', 'y')
    })
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('binding' as const), missing: rarely })
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('routing' as const),
      routing: fc.constantFrom('free', 'free', 'locked', 'no-deep', 'off')
    })
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('adversary' as const),
      adversary: fc.constantFrom('wired', 'wired', 'wired', 'absent', 'disabled'),
      cycle: fc.constantFrom(
        'converged',
        'converged',
        'converged',
        'escalated-rounds-max',
        'context-cancelled',
        'model-unreachable',
        'throw'
      )
    })
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('trouble' as const),
      rows: rarely,
      opens: rarely,
      writes: rarely
    })
  },
  { weight: 1, arbitrary: fc.constant({ do: 'amend' as const }) }
]

/** Steps of one walk; now and then somebody else writes a file of the gate near its end, after which little moves. */
export function walks(length: number): fc.Arbitrary<readonly Step[]> {
  const steps = fc.noBias(fc.array(fc.oneof(...calm), { minLength: 1, maxLength: length, size: 'max' }))
  const tail = fc.oneof(
    { weight: 4, arbitrary: fc.constant<readonly Step[]>([]) },
    {
      weight: 1,
      arbitrary: fc.array(fc.oneof(...calm), { maxLength: 10 }).map((rest) => [{ do: 'tamper' as const }, ...rest])
    }
  )
  return fc.tuple(steps, tail).map(([walk, rest]) => [...walk, ...rest])
}

/** Walks kernel and model together; throws at the first difference. Returns how often each answer was given. */
export async function walk(steps: readonly Step[]): Promise<ReadonlyMap<string, number>> {
  const world = worldOf(gridOf(arrows))
  const m = model.modelOf(arrows, contexts)
  const { gates } = world
  const queue = createVerdictQueue(gates, () => undefined)
  const seen = new Map<string, number>()
  world.artifact = { digest: 'a', dependencies: { dep: 'x' } }

  // Small numbers pick an open pass, so that most steps meet one; larger ones any pass there ever was.
  const passAt = (back: number): string => {
    const open = m.passes.filter(({ state }) => state === 'open')
    const among = back < 3 && open.length > 0 ? open : m.passes
    return among.at(-1 - (back % Math.max(1, among.length)))?.id ?? 'p-0'
  }
  // A number picks one of the questions of the pass, so that most answers are to something that was asked.
  const clauseAt = (id: string, clause: string | number): string => {
    if (typeof clause === 'string') return clause
    const open = [...(m.passes.find((p) => p.id === id)?.asked ?? [])]
    return open[clause % Math.max(1, open.length)] ?? 'A2'
  }

  const perform: { [Do in Step['do']]: (step: Extract<Step, { do: Do }>) => Promise<[unknown, unknown]> } = {
    async run({ arrow, context: where, op: opId }) {
      const expected = model.runArrow(m, arrow, where, opId)
      const outcome = await dispatch(gates, { arrowId: arrow, context: where, opId, signal: quiet() })
      if (outcome.kind === 'cached') return [{ kind: 'cached', pass: outcome.passId }, expected]
      if (outcome.kind === 'dispatched') {
        const { passId, closeReason, isParked } = outcome.result
        const state = isParked
          ? 'open'
          : closeReason.startsWith('derived-') || closeReason === 'ok'
            ? 'closed'
            : 'aborted'
        return [{ kind: 'dispatched', pass: passId, state, reason: closeReason }, expected]
      }
      const { refusal } = outcome
      const told: Record<string, unknown> = { kind: 'refused', code: refusal.code }
      if ('upstreamArrow' in refusal) {
        Object.assign(told, {
          by: refusal.upstreamArrow,
          status: refusal.upstreamStatus,
          clauses: refusal.blockingClauses
        })
        if (refusal.code === 'transition-refused-invalidated') told.version = refusal.invalidatingGridVersion
      }
      if (refusal.code === 'role-context-busy' && 'passId' in refusal) told.holder = refusal.passId
      return [told, expected]
    },
    async verdict({ pass, clause, verdict, text, op: opId }) {
      const passId = passAt(pass)
      const clauseId = clauseAt(passId, clause)
      const expected = model.giveVerdict(m, passId, clauseId, verdict, text, opId)
      const outcome = recordVerdict(gates, { passId, clauseId, verdict, text: text.trim(), reason: '', opId })
      if (outcome.kind === 'recorded') await outcome.settling
      return [
        outcome.kind === 'refused' ? { kind: 'refused', code: outcome.refusal.code } : { kind: outcome.kind },
        expected
      ]
    },
    async answer({ pass, clause, option, op: opId }) {
      const passId = passAt(pass)
      const clauseId = clauseAt(passId, clause)
      const expected = model.answer(m, passId, clauseId, option, opId)
      const way = option === 1 ? 'accept-risk' : 'route-upstream'
      const outcome = answerEscalation(gates, { passId, clauseId, option: way, text: 'note', opId })
      if (outcome.kind === 'recorded') await outcome.settling
      return [
        outcome.kind === 'refused' ? { kind: 'refused', code: outcome.refusal.code } : { kind: outcome.kind },
        expected
      ]
    },
    async abort({ pass }) {
      const passId = passAt(pass)
      const expected = model.abort(m, passId)
      const outcome = abortPass(gates, passId)
      if (outcome.kind === 'refused') return [{ kind: 'refused', code: outcome.refusal.code }, expected]
      return [{ kind: 'aborted', cancelled: outcome.cancelled }, expected]
    },
    async invalidate({ arrow, op: opId }) {
      const expected = model.invalidate(m, arrow, opId)
      const outcome = invalidateArrow(gates, { arrowId: arrow, opId, reason: '', source: 'operator' })
      if (outcome.kind === 'refused') return [{ kind: 'refused', code: outcome.refusal.code }, expected]
      return [{ kind: 'invalidated', aborted: outcome.aborted.map(({ id }) => id) }, expected]
    },
    async raise({ arrow, severity, clause, status }) {
      const id = `F${m.findings.length}`
      m.findings.push({ id, arrow, severity, status, clause, moves: 0 })
      const finding = {
        arrowId: arrow,
        type: 'open-sweep',
        severity,
        status,
        description: 'x',
        gridVersion: 1
      } as const
      gates.findings.raise([{ ...finding, id, targetClause: clause, raisedByRole: 'adversary' }])
      return [null, null]
    },
    async move({ finding, to, role }) {
      const id = m.findings[finding % (m.findings.length + 1)]?.id ?? 'F-none'
      const expected = model.moveFinding(m, id, to, role)
      const outcome = gates.findings.transition({ id, to: to as never, role, reason: 'r' })
      return ['refused' in outcome ? { kind: 'refused', code: outcome.refused.code } : { kind: 'moved' }, expected]
    },
    async result({ clause, word }) {
      m.results.set(clause, word)
      const vague = { status: 'unevaluated', reason: 'scan-incomplete', details: {} } as const
      const results = { pass: passResult, fail: failResult, unevaluated: vague, throw: new Error('broken') }
      world.results.set(clause, results[word])
      return [null, null]
    },
    async artifact({ digest, dependencies }) {
      Object.assign(m, { digest, dependencies })
      world.artifact = { digest, dependencies: { dep: dependencies } }
      return [null, null]
    },
    async binding({ missing }) {
      for (const set of [m.missing, world.missing]) missing ? set.add('compiles') : set.delete('compiles')
      return [null, null]
    },
    async routing({ routing }) {
      m.routing = routing
      world.routing = {
        gateFloorEnabled: routing !== 'off',
        escalateAtRank: 2,
        fastModel: 'fast',
        deepModel: routing === 'no-deep' ? null : 'deep',
        lockedModel: routing === 'locked' ? 'deep' : null
      }
      return [null, null]
    },
    async adversary({ adversary, cycle }) {
      Object.assign(m, { adversary, cycle })
      const run = async (): Promise<CycleReport> => {
        if (cycle === 'throw') throw new Error('cycle broke')
        const vague = { status: 'unevaluated', reason: 'evaluator-error', details: {} } as const
        const resultOf = (clause: string) => {
          const word = m.results.get(clause) ?? 'pass'
          if (word === 'pass') return passResult
          return word === 'fail' ? failResult : vague
        }
        const results = new Map(['D2', 'N1'].map((clause) => [clause, resultOf(clause)]))
        return { outcome: cycle, roundsUsed: 1, detail: '', results }
      }
      world.adversary = { disabled: adversary === 'disabled', cycle: adversary === 'absent' ? null : { run } }
      return [null, null]
    },
    async trouble({ rows, opens, writes }) {
      Object.assign(m, { rowsFail: rows, opensFail: opens, writesFail: writes })
      const trouble = new Error('no room')
      world.failRun = rows ? trouble : null
      world.failOpen = opens ? trouble : null
      world.failWrite = writes ? trouble : null
      return [null, null]
    },
    async amend() {
      m.version += 1
      gates.grid.swap(gridOf(arrows, { version: m.version }), gates.grid.registry())
      return [null, null]
    },
    async tamper() {
      m.tampered = true
      world.changedFile = { path: '.ghyll/engine.db', reason: 'another writer' }
      return [null, null]
    }
  }

  for (const [n, step] of steps.entries()) {
    const [told, expected] = await (perform[step.do] as (given: Step) => Promise<[unknown, unknown]>)(step)
    const where = () => `step ${n}: ${JSON.stringify(step)}`
    expect(told, where()).toEqual(expected)
    expect(stateOfKernel(gates, queue), where()).toEqual(stateOfModel(m))
    adoptIds(m, gates.findings.all())
    const answer = expected as { kind?: string; code?: string; state?: string; reason?: string } | null
    const name = [step.do, answer?.kind, answer?.code, answer?.state].filter((each) => each !== undefined).join(' ')
    seen.set(name, (seen.get(name) ?? 0) + 1)
  }
  expect(orderProblems(world.events)).toEqual([])
  // Only the trouble that was asked for.
  expect(world.warnings.filter((warning) => !warning.includes('no room'))).toEqual([])
  return seen
}

function adoptIds(m: model.Model, findings: readonly { readonly id: string }[]) {
  for (const [n, finding] of m.findings.entries()) finding.id = findings[n]?.id ?? finding.id
}

function stateOfKernel(gates: ReturnType<typeof worldOf>['gates'], queue: ReturnType<typeof createVerdictQueue>) {
  return {
    arrows: arrows.map(({ id }) => {
      const current = gates.current(id)
      return [
        id,
        current?.status,
        current?.blockingClauses,
        current?.blockingFindings,
        gates.invalidations.inForce(id) !== null
      ]
    }),
    open: gates.passes.all().map(({ record, board, requests }) => ({
      id: record.id,
      arrow: record.arrowId,
      rank: record.actualTier,
      digest: record.artifactDigest,
      clauses: board.all().map(({ clauseId, status }) => [clauseId, status]),
      asked: [...requests.keys()]
    })),
    locks: gates.locks
      .inspect()
      .map(({ passId }) => passId)
      .sort(),
    verdicts: gates.attestations.all().map(({ passId, clauseId, verdict }) => [passId, clauseId, verdict]),
    rounds: arrows.flatMap(({ id, clauses }) => clauses.map((clause) => gates.tracker.count(id, clause.id))),
    findings: gates.findings.all().map(({ arrowId, severity, status }) => [arrowId, severity, status]),
    queue: queue
      .items()
      .map(({ type, ref }) => [ref, type])
      .sort()
  }
}

function stateOfModel(m: model.Model): ReturnType<typeof stateOfKernel> {
  const open = m.passes.filter((p) => p.state === 'open')
  // One item per ref, also where two passes ask about the same clause.
  const items = new Map<string, string>()
  for (const p of open)
    for (const clause of model.questions(m, p)) {
      const type = model.escalated(m, p.arrow, clause) ? 'escalation' : 'verdict'
      items.set(`att-${p.arrow}-${clause}-v${p.version}`, type)
    }
  return {
    arrows: arrows.map((arrow) => {
      const { status, clauses, findings } = model.statusOf(m, arrow)
      return [arrow.id, status, clauses, findings, model.invalidationOf(m, arrow.id) !== undefined]
    }),
    open: open.map((p) => ({
      id: p.id,
      arrow: p.arrow,
      rank: p.rank as never,
      digest: p.digest,
      clauses: [...p.clauses],
      asked: [...p.asked]
    })),
    locks: open.map(({ id }) => id).sort(),
    verdicts: m.verdicts.map(({ pass, clause, verdict }) => [pass, clause, verdict]),
    rounds: arrows.flatMap(({ id, clauses }) => clauses.map((clause) => model.roundsOf(m, id, clause.id))),
    findings: m.findings.map(({ arrow, severity, status }) => [arrow, severity, status]),
    queue: [...items].sort()
  }
}

/** Every breach of EVT-500, 503, 504, 507 and 508 in a stream of events. */
function orderProblems(events: readonly OperatorEvent[]): readonly string[] {
  const problems: string[] = []
  const open = new Map<string, Set<string>>()
  const ended = new Set<string>()
  for (const [n, event] of events.entries()) {
    const { kind, pass_id: pass = '', clause_id: clause = '', payload = {} } = event
    const before = events[n - 1]
    const say = (what: string) => problems.push(`${n} ${kind} ${pass}/${clause}: ${what}`)
    if (kind === 'pass-opened') {
      if (open.has(pass) || ended.has(pass)) say('opened twice')
      open.set(pass, new Set())
    } else if (pass !== '' && !open.has(pass)) say('its pass is not open')
    if (kind === 'attestation-requested') {
      if (open.get(pass)?.has(clause) === true) say('asked twice (EVT-202)')
      open.get(pass)?.add(clause)
    }
    if (kind === 'attestation-recorded') {
      const isEscalation = before?.kind === 'escalation-presented'
      if (payload.outcome === 'fail' && !isEscalation && before?.kind !== 'clause-fail-verdict') say('EVT-503')
      if (payload.outcome !== 'insufficient-basis') open.get(pass)?.delete(clause)
    }
    if (kind === 'insufficient-basis-rounds-exceeded' && events[n + 1]?.kind !== 'attestation-recorded') say('EVT-504')
    if (kind === 'attestation-cancelled-by-abort') {
      if (open.get(pass)?.delete(clause) !== true) say('nothing was open to cancel')
      const end = events.slice(n).find((each) => each.kind === 'pass-closed')
      if (end?.pass_id !== pass) say('EVT-508')
    }
    if (kind === 'pass-closed') {
      if (
        payload.close_reason === 'invalidated' &&
        !events.slice(0, n).some((each) => each.kind === 'arrow-invalidated' && each.arrow_id === event.arrow_id)
      )
        say('EVT-507')
      open.delete(pass)
      ended.add(pass)
    }
  }
  return problems
}
