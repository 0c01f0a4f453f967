import type { Arrow, Clause, Severity } from '../../src/protocol/grid.ts'

// The rules of the gates told a second time, as plainly as can be: one list of what happened, and every question answered by looking
// through it from the start. It shares no code with the kernel; where the two differ, one of them is wrong.

export type Word = 'pass' | 'fail' | 'unevaluated' | 'throw'
export type CycleWord = 'converged' | 'escalated-rounds-max' | 'context-cancelled' | 'model-unreachable' | 'throw'

export type ModelPass = {
  id: string
  arrow: string
  role: string
  context: string
  version: number
  op: string
  rank: number
  state: 'open' | 'closed' | 'aborted'
  reason: string
  openedAt: number
  endedAt: number
  clauses: Map<string, string>
  asked: Set<string>
  adversary: boolean
  digest: string
  dependencies: string | null
}
type ModelVerdict = {
  arrow: string
  clause: string
  version: number
  verdict: string
  pass: string
  op: string
  text: string
  digest: string
  at: number
}
export type ModelFinding = {
  id: string
  arrow: string
  severity: Severity
  status: string
  clause: string | null
  moves: number
}

export type Model = {
  arrows: readonly Arrow[]
  contexts: readonly string[]
  version: number
  roundsMax: number
  time: number
  passes: ModelPass[]
  verdicts: ModelVerdict[]
  findings: ModelFinding[]
  invalidations: { arrow: string; at: number; version: number }[]
  // the outside
  results: Map<string, Word>
  missing: Set<string>
  digest: string
  dependencies: string
  routing: 'free' | 'locked' | 'no-deep' | 'off'
  adversary: 'wired' | 'absent' | 'disabled'
  cycle: CycleWord
  rowsFail: boolean
  opensFail: boolean
  writesFail: boolean
  tampered: boolean
}

/** A project in which nothing has happened yet. */
export function modelOf(arrows: readonly Arrow[], contexts: readonly string[]): Model {
  return {
    arrows,
    contexts,
    version: 1,
    roundsMax: 3,
    time: 0,
    passes: [],
    verdicts: [],
    findings: [],
    invalidations: [],
    results: new Map(),
    missing: new Set(),
    digest: 'a',
    dependencies: 'x',
    routing: 'free',
    adversary: 'absent',
    cycle: 'converged',
    rowsFail: false,
    opensFail: false,
    writesFail: false,
    tampered: false
  }
}

const tick = (m: Model) => {
  m.time += 1
  return m.time
}
const byId = (m: Model, id: string) => m.arrows.find((arrow) => arrow.id === id)
const openOn = (m: Model, arrow: string) => m.passes.filter((p) => p.state === 'open' && p.arrow === arrow)
const deciding = (p: ModelPass) =>
  p.state === 'closed' || (p.state === 'aborted' && p.reason.startsWith('aborted-remediation'))
const ended = (m: Model, arrow: string) =>
  m.passes.filter((p) => p.arrow === arrow && p.state !== 'open').sort((a, b) => a.endedAt - b.endedAt)
const effective = (m: Model, arrow: string) => ended(m, arrow).filter(deciding).at(-1)

/** In force: recorded, and no pass that opened later has become effective since. */
export function invalidationOf(m: Model, arrow: string) {
  const last = m.invalidations.filter((each) => each.arrow === arrow).at(-1)
  if (last === undefined) return undefined
  const over = m.passes.some((p) => p.arrow === arrow && p.openedAt > last.at && deciding(p))
  return over ? undefined : last
}

const ranks: readonly Severity[] = ['info', 'low', 'medium', 'high', 'critical']
function thresholdOf(arrow: Arrow): Severity {
  if (arrow.sourceRole === 'init') return 'medium'
  return arrow.severityThreshold ?? 'medium'
}

type Status = { status: string; clauses: number; findings: number }

function derived(m: Model, arrow: Arrow, statuses: readonly string[]): Status {
  const findings = m.findings.filter((f) => f.arrow === arrow.id)
  const atThreshold = findings.filter(
    (f) =>
      (f.status === 'open' || f.status === 'running') && ranks.indexOf(f.severity) >= ranks.indexOf(thresholdOf(arrow))
  ).length
  const n = (word: string) => statuses.filter((status) => status === word).length
  const vague = findings.filter((f) => f.status === 'unevaluated').length
  const waits = n('awaiting-attestation') + n('insufficient-basis')
  const unfinished = n('pending') + n('running')
  if (n('fail') + atThreshold > 0) return { status: 'blocked', clauses: n('fail'), findings: atThreshold }
  if (n('unevaluated') + vague > 0) return { status: 'unevaluated', clauses: n('unevaluated'), findings: vague }
  if (unfinished > 0 || statuses.length === 0) return { status: 'in-progress', clauses: unfinished, findings: 0 }
  if (waits > 0) return { status: 'provisional', clauses: waits, findings: 0 }
  return { status: 'complete', clauses: 0, findings: 0 }
}

/** The status of an arrow, by the rules of GATE-52. */
export function statusOf(m: Model, arrow: Arrow): Status {
  const pass = effective(m, arrow.id)
  const invalidated = invalidationOf(m, arrow.id) !== undefined
  if (pass === undefined) {
    if (invalidated) return { status: 'invalidated', clauses: 0, findings: 0 }
    return { status: 'unevaluated', clauses: arrow.clauses.length, findings: 0 }
  }
  let told = derived(m, arrow, [...pass.clauses.values()])
  if (pass.state === 'aborted') {
    const open = m.findings.filter(
      (f) =>
        f.arrow === arrow.id &&
        (f.status === 'open' || f.status === 'running') &&
        ranks.indexOf(f.severity) >= ranks.indexOf(thresholdOf(arrow))
    )
    told = { status: 'aborted-remediation', clauses: 0, findings: open.length }
  }
  return invalidated ? { ...told, status: 'invalidated' } : told
}

/** Consecutive verdicts without basis, counted back from the last. */
export function roundsOf(m: Model, arrow: string, clause: string): number {
  const said = m.verdicts.filter((v) => v.arrow === arrow && v.clause === clause)
  let n = 0
  while (n < said.length && said[said.length - 1 - n]?.verdict === 'insufficient-basis') n += 1
  return n
}
/** Whether the next question about a clause is the escalation. */
export const escalated = (m: Model, arrow: string, clause: string) => roundsOf(m, arrow, clause) >= m.roundsMax

export function questions(m: Model, p: ModelPass): string[] {
  return [...p.asked].filter((clause) => {
    const status = p.clauses.get(clause)
    return status === 'awaiting-attestation' || (status === 'insufficient-basis' && escalated(m, p.arrow, clause))
  })
}

const upstreams: Readonly<Record<string, string>> = {
  analyst: 'init→analyst',
  architect: 'analyst→architect',
  implementer: 'architect→implementer'
}
function upstreamOf(m: Model, arrow: Arrow): Arrow | undefined {
  if (arrow.sourceRole === 'init') return undefined
  const pair = arrow.sourceRole === 'integrator' ? 'implementer→integrator' : (upstreams[arrow.sourceRole] ?? 'nobody')
  return byId(m, `${pair}/${arrow.context}`)
}
const asksNobody = (arrow: Arrow) => arrow.clauses.every((c) => c.eval === 'machine' && c.depth === 'depth-robust')
const untouched = (m: Model, arrow: Arrow) => effective(m, arrow.id) === undefined && openOn(m, arrow.id).length === 0
const sensitive = (arrow: Arrow) => arrow.clauses.filter((c) => c.depth === 'depth-sensitive')

function rankAndReach(m: Model, arrow: Arrow): { rank: number; reaches: boolean } {
  const before = ended(m, arrow.id).at(-1)
  const retry = before?.reason === 'requires-deeper-artifact' ? Math.min(3, before.rank + 1) : 0
  const floor = Math.max(0, retry, ...sensitive(arrow).map((c) => c.minTier))
  if (m.routing === 'off') return { rank: 3, reaches: true }
  // The walk locks the deep model; only while the floor is active does a lock vouch for nothing.
  if (floor < 2) return { rank: m.routing === 'locked' ? 3 : 1, reaches: true }
  return m.routing === 'free' ? { rank: 3, reaches: true } : { rank: 1, reaches: false }
}

const refused = (code: string, more: object = {}) => ({ kind: 'refused', code, ...more })
type Told = { kind: string; code?: string; [key: string]: unknown }

export function runArrow(m: Model, id: string, context: string | undefined, op: string, first = false): Told {
  const arrow = byId(m, id)
  if (arrow === undefined) return refused('unknown-arrow')
  if (context !== undefined && !m.contexts.includes(context)) return refused('unknown-context')
  const done = effective(m, id)
  const current = statusOf(m, arrow).status
  if (
    current === 'complete' &&
    openOn(m, id).length === 0 &&
    arrow.dependencies !== null &&
    done?.digest === m.digest &&
    done.dependencies === m.dependencies
  )
    return { kind: 'cached', pass: done.id }
  const wanted = arrow.clauses.filter((c) => c.eval === 'machine' && c.missing.length === 0)
  if (wanted.some((c) => m.missing.has(c.concept ?? ''))) return refused('missing-binding')

  const upstream = upstreamOf(m, arrow)
  const held = upstream !== undefined && statusOf(m, upstream).status !== 'complete'
  const chain: Arrow[] = []
  if (held && !first)
    for (let at: Arrow | undefined = upstream; at !== undefined; at = upstreamOf(m, at)) {
      if (statusOf(m, at).status === 'complete' || !untouched(m, at) || !asksNobody(at)) break
      chain.unshift(at)
    }
  if (held && chain.length === 0 && upstream.sourceRole !== 'init') return refusedBy(m, upstream)

  if (sensitive(arrow).length > 0) {
    if (m.adversary === 'disabled') return refused('adversarial-hooks-not-wired')
    if (rankAndReach(m, arrow).reaches && m.adversary === 'absent') return refused('adversarial-hooks-not-wired')
  }
  const where = context ?? arrow.context
  const holder = m.passes.find((p) => p.state === 'open' && p.role === arrow.sourceRole && p.context === where)
  if (holder !== undefined) return refused('role-context-busy', { holder: holder.id })
  for (const [n, each] of chain.entries()) {
    const told = runArrow(m, each.id, undefined, op, true)
    if (each.sourceRole === 'init') continue
    if (told.kind === 'refused') return told
    if (statusOf(m, each).status !== 'complete') return refusedBy(m, each)
    if (n === chain.length - 1) break
  }
  if (chain.length > 0) return runArrow(m, id, context, op, true)
  if (m.tampered) return refused('gate-file-changed')
  return openAndRun(m, arrow, where, op)
}

function refusedBy(m: Model, upstream: Arrow): Told {
  const { status, clauses } = statusOf(m, upstream)
  if (status !== 'invalidated') return refused('transition-refused', { by: upstream.id, status, clauses })
  const version = invalidationOf(m, upstream.id)?.version
  return refused('transition-refused-invalidated', { by: upstream.id, status, clauses: 0, version })
}

function openAndRun(m: Model, arrow: Arrow, context: string, op: string): Told {
  const { rank, reaches } = rankAndReach(m, arrow)
  const id = `p-${m.passes.length + 1}`
  const pass: ModelPass = {
    id,
    arrow: arrow.id,
    role: arrow.sourceRole,
    context,
    version: m.version,
    op,
    rank,
    state: m.opensFail ? 'aborted' : 'open',
    reason: m.opensFail ? 'never-was' : '',
    openedAt: tick(m),
    endedAt: m.opensFail ? -1 : 0,
    clauses: new Map(arrow.clauses.map((c) => [c.id, 'pending'])),
    asked: new Set(),
    adversary: false,
    digest: '',
    dependencies: null
  }
  if (m.opensFail) {
    // The number is used up, but there never was such a pass.
    m.passes.push({ ...pass, arrow: '' })
    return refused('pass-persist-failed')
  }
  m.passes.push(pass)
  if (sensitive(arrow).length > 0 && reaches && arrow.sourceRole !== 'init') {
    if (m.cycle === 'throw') return stop(m, pass, 'adversarial-phase-error: cycle broke')
    if (m.cycle === 'context-cancelled') return stop(m, pass, 'operator-interrupt')
    if (m.cycle === 'escalated-rounds-max') return stop(m, pass, `aborted-remediation:${m.cycle}`)
    pass.adversary = m.cycle === 'converged'
  }
  pass.digest = m.digest
  const unreachable = sensitive(arrow).length > 0 && reaches && m.cycle === 'model-unreachable'
  for (const clause of arrow.clauses) {
    if (m.rowsFail) return stop(m, pass, `clause-error: clause ${clause.id}: no room`)
    pass.clauses.set(clause.id, decideClause(m, pass, clause, unreachable))
  }
  if (pass.adversary)
    for (const concept of ['no-open-finding', 'every-requirement-meets-min-depth'])
      pass.clauses.set(`auto/${arrow.id}/${concept}`, 'pass')
  for (const [clause, status] of pass.clauses) if (status === 'awaiting-attestation') pass.asked.add(clause)
  return close(m, pass) ?? { kind: 'dispatched', pass: id, state: pass.state, reason: pass.reason }
}

function decideClause(m: Model, pass: ModelPass, clause: Clause, unreachable: boolean): string {
  const result = m.results.get(clause.id) ?? 'pass'
  const machine = result === 'throw' ? 'unevaluated' : result
  if (clause.missing.length > 0) return 'unevaluated'
  if (clause.depth === 'depth-sensitive' && unreachable) return 'unevaluated'
  const isAbove = clause.depth === 'depth-sensitive' && clause.minTier > pass.rank
  if (clause.eval === 'machine' && !isAbove) return machine
  return earlierPass(m, pass, clause.id) ? 'pass' : 'awaiting-attestation'
}

/** A verdict `pass` that still speaks about what is there now. */
function earlierPass(m: Model, pass: ModelPass, clause: string): boolean {
  if (escalated(m, pass.arrow, clause)) return false
  const voided = m.invalidations.filter((each) => each.arrow === pass.arrow).at(-1)?.at ?? 0
  const usable = m.verdicts.filter(
    (v) =>
      v.arrow === pass.arrow &&
      v.clause === clause &&
      v.version === pass.version &&
      v.digest === pass.digest &&
      v.at > voided
  )
  return usable.at(-1)?.verdict === 'pass'
}

/** An arrow may be under way in two contexts, and the two share their questions. */
function closeAll(m: Model, arrow: string) {
  for (const pass of openOn(m, arrow)) close(m, pass)
}

/** Closes the pass if nothing keeps it open. */
function close(m: Model, pass: ModelPass): Told | null {
  if (pass.state !== 'open') return null
  const words = [...pass.clauses.values()]
  if (words.includes('awaiting-attestation') || questions(m, pass).length > 0) return null
  if (m.tampered) return null
  if (pass.digest !== m.digest) return stop(m, pass, 'artifact-changed')
  const arrow = byId(m, pass.arrow)
  if (arrow === undefined) return null
  const { status } = derived(m, arrow, words)
  pass.state = 'closed'
  pass.reason = status === 'complete' ? 'ok' : `derived-${status}`
  pass.dependencies = status === 'complete' ? m.dependencies : null
  pass.endedAt = tick(m)
  return { kind: 'dispatched', pass: pass.id, state: pass.state, reason: pass.reason }
}

function stop(m: Model, pass: ModelPass, reason: string): Told {
  pass.state = 'aborted'
  pass.reason = reason
  pass.endedAt = tick(m)
  return { kind: 'dispatched', pass: pass.id, state: pass.state, reason }
}

export function giveVerdict(m: Model, passId: string, clause: string, verdict: string, text: string, op: string): Told {
  if (op === '') return refused('op-id-required')
  const pass = m.passes.find((p) => p.id === passId && p.state === 'open')
  if (pass === undefined || !pass.asked.has(clause)) return refused('no-live-pass')
  if (m.tampered) return refused('gate-file-changed')
  if (escalated(m, pass.arrow, clause)) return refused('escalation-open')
  const status = pass.clauses.get(clause)
  const last = m.verdicts
    .filter((v) => v.arrow === pass.arrow && v.clause === clause && v.version === pass.version)
    .at(-1)
  const kept = verdict === 'pass' ? '' : text.trim()
  if (status === 'pass' || status === 'fail') {
    const same = last?.pass === pass.id && last.verdict === verdict && last.op === op && last.text === kept
    return same ? { kind: 'already' } : refused('attestation-duplicate')
  }
  if (verdict === 'fail' && kept === '') return refused('verdict-inspected-empty')
  if (verdict === 'insufficient-basis' && kept === '') return refused('verdict-unit-missing-field')
  if (m.writesFail) return refused('attestation-audit-write-failed')
  note(m, pass, clause, verdict, kept, op)
  closeAll(m, pass.arrow)
  return { kind: 'recorded' }
}

function note(m: Model, pass: ModelPass, clause: string, verdict: string, text: string, op: string) {
  const { arrow, version, digest, id } = pass
  m.verdicts.push({ arrow, clause, version, verdict, pass: id, op, text, digest, at: tick(m) })
  pass.clauses.set(clause, verdict)
}

export function answer(m: Model, passId: string, clause: string, option: 1 | 2, op: string): Told {
  if (op === '') return refused('op-id-required')
  const pass = m.passes.find((p) => p.id === passId && p.state === 'open')
  if (pass === undefined || !pass.asked.has(clause)) return refused('no-live-pass')
  if (m.tampered) return refused('gate-file-changed')
  const isDecided = pass.clauses.get(clause) === 'pass' || pass.clauses.get(clause) === 'fail'
  if (isDecided || !escalated(m, pass.arrow, clause)) return refused('no-escalation')
  if (m.writesFail) return refused('attestation-audit-write-failed')
  note(m, pass, clause, option === 1 ? 'pass' : 'fail', 'note', op)
  if (option === 2) stop(m, pass, 'requires-deeper-artifact')
  else {
    const held = m.findings.filter(
      (f) => f.arrow === pass.arrow && f.clause === clause && (f.status === 'open' || f.status === 'running')
    )
    for (const f of held) {
      f.status = 'accepted-risk'
      f.moves += 1
    }
    if (held.length === 0)
      m.findings.push({ id: '?', arrow: pass.arrow, severity: 'medium', status: 'accepted-risk', clause, moves: 1 })
  }
  closeAll(m, pass.arrow)
  return { kind: 'recorded' }
}

export function abort(m: Model, passId: string): Told {
  const pass = m.passes.find((p) => p.id === passId && p.state === 'open')
  if (pass === undefined) return refused('no-open-pass')
  if (m.tampered) return refused('gate-file-changed')
  const cancelled = questions(m, pass).length
  stop(m, pass, 'operator-interrupt')
  return { kind: 'aborted', cancelled }
}

export function invalidate(m: Model, id: string, op: string): Told {
  if (op === '') return refused('op-id-required')
  if (byId(m, id) === undefined) return refused('unknown-arrow')
  m.invalidations.push({ arrow: id, at: tick(m), version: m.version })
  const open = m.tampered ? [] : openOn(m, id)
  for (const pass of open) stop(m, pass, 'invalidated')
  return { kind: 'invalidated', aborted: open.map((p) => p.id) }
}

const findingMoves =
  'open>running open>resolved open>accepted-risk running>open running>resolved running>accepted-risk running>unevaluated resolved>open accepted-risk>open unevaluated>running unevaluated>open'.split(
    ' '
  )
export function moveFinding(m: Model, id: string, to: string, role: string): Told {
  const finding = m.findings.find((f) => f.id === id)
  if (finding === undefined) return refused('unknown-finding')
  if (!findingMoves.includes(`${finding.status}>${to}`)) return refused('illegal-transition')
  const may: Record<string, string> = {
    'accepted-risk': 'operator',
    resolved: 'operator adversary orchestrator',
    running: 'producer orchestrator',
    unevaluated: 'adversary orchestrator',
    open: finding.status === 'running' ? 'operator adversary orchestrator' : 'operator adversary'
  }
  if (!may[to]?.split(' ').includes(role))
    return refused(to === 'accepted-risk' ? 'producer-cannot-accept-own-risk' : 'finding-role-not-allowed')
  if (finding.moves >= 100) return refused('finding-transition-churn')
  finding.status = to
  finding.moves += 1
  return { kind: 'moved' }
}
