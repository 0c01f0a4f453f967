import { cutLength } from '../../lib/cap-text.ts'
import { safeLine, safeText } from '../../lib/safe-text.ts'
import type { FindingStatus } from '../../protocol/gate.ts'
import type { Bus } from './bus.ts'
import {
  churnLimit,
  defaultSeverity,
  findingLimits,
  mayFindingMove,
  type NewFinding,
  type RaiseRefusal,
  raiseProblem,
  roleProblem,
  type TransitionRefusal
} from './finding.ts'
import { createObservers } from './observers.ts'
import type { Phase } from './phase.ts'
import type { Finding, FindingTransition } from './records.ts'
import { refusal } from './refusal.ts'
import type { Stamps } from './stamp.ts'

/** One change of the store; `transition` is null for a finding that was raised. */
export type FindingChange = { readonly finding: Finding; readonly transition: FindingTransition | null }

export type TransitionCommand = {
  readonly id: string
  readonly to: FindingStatus
  readonly role: string
  readonly opId?: string
  readonly reason: string
}

export interface Findings {
  /**
   * Raises several at once, all or none, and moves them on at once where `then` says so; the journal gets it all as one transaction
   * (PERS-303). Answers with them as they were raised.
   */
  raise(
    findings: readonly NewFinding[],
    then?: Omit<TransitionCommand, 'id'>
  ): { readonly raised: readonly Finding[] } | { readonly refused: RaiseRefusal }
  /** Moves one finding, or refuses and changes nothing (RUN-510, RUN-511). */
  transition(command: TransitionCommand): { readonly moved: Finding } | { readonly refused: TransitionRefusal }
  /** Moves those that may move; the journal gets them as one transaction (PERS-303). */
  transitionAll(commands: readonly TransitionCommand[]): readonly Finding[]
  get(id: string): Finding | null
  /** In the order they were raised. */
  all(): readonly Finding[]
  ofArrow(arrowId: string): readonly Finding[]
  /** Grows with every change (PERS-302). */
  version(): number
  load(findings: Iterable<Finding>): void
  observe(observer: (changes: readonly FindingChange[]) => void): () => void
  failures(): number
}

export type FindingsOptions = {
  readonly bus: Bus
  readonly stamps: Stamps
  readonly phase: Phase
  readonly processPrefix: string
  readonly warn: (message: string, cause: unknown) => void
}

/** Findings of all arrows. Getters return copies (RUN-115); they survive aborts and amendments (RUN-512). */
export function createFindings({ bus, stamps, phase, processPrefix, warn }: FindingsOptions): Findings {
  const findings = new Map<string, Finding>()
  const byArrow = new Map<string, Set<string>>()
  const observers = createObservers<readonly FindingChange[]>('findings', warn)
  let version = 0
  let sequence = 0

  const put = (finding: Finding) => {
    findings.set(finding.id, finding)
    const ids = byArrow.get(finding.arrowId)
    if (ids === undefined) byArrow.set(finding.arrowId, new Set([finding.id]))
    else ids.add(finding.id)
  }
  const copy = (finding: Finding): Finding => ({ ...finding, locations: [...finding.locations] })

  const newId = (role: string) => {
    sequence += 1
    const time = stamps.now().replace(/[-:]/g, '').slice(0, 15)
    return `${idPrefix(role)}-${time}-${sequence}-${processPrefix}`
  }

  const announce = ({ finding, transition }: FindingChange) => {
    const subject = { arrow_id: finding.arrowId, finding_id: finding.id }
    if (transition === null) {
      const { type, severity, status } = finding
      bus.publish({
        kind: 'finding-raised',
        ...subject,
        role: finding.raisedByRole,
        payload: { type, severity, status }
      })
      return
    }
    const { role, opId, from, to, reason } = transition
    const who = opId === '' ? { role } : { role, op_id: opId }
    bus.publish({ kind: 'finding-transitioned', ...subject, ...who, payload: { from, outcome: to, reason } })
  }

  type Moved = { readonly change: FindingChange } | { readonly refused: TransitionRefusal }
  const move = ({ id, to, role, opId = '', reason }: TransitionCommand): Moved => {
    const finding = findings.get(id)
    if (finding === undefined) return { refused: refusal('unknown-finding', `unknown-finding: "${id}"`) }
    const from = finding.status
    if (!mayFindingMove(from, to)) {
      const text = `illegal-transition: ${from} -> ${to} not in finding state machine`
      return { refused: refusal('illegal-transition', text) }
    }
    const problem = roleProblem(from, to, role)
    if (problem !== null) return { refused: problem }
    if (finding.transitionCount >= churnLimit)
      return { refused: refusal('finding-transition-churn', `finding-transition-churn: "${id}"`) }
    version += 1
    const at = stamps.now()
    const transitionCount = finding.transitionCount + 1
    const moved: Finding = { ...finding, status: to, transitionCount, storeVersion: version, updatedAt: at }
    put(moved)
    const transition = { findingId: id, from, to, role, opId, reason: safeLine(reason), at, storeVersion: version }
    return { change: { finding: copy(moved), transition } }
  }

  const moveAll = (commands: readonly TransitionCommand[]) =>
    commands.flatMap((command) => {
      const outcome = move(command)
      return 'change' in outcome ? [outcome.change] : []
    })

  const tell = (changes: readonly FindingChange[]) => {
    if (changes.length > 0) observers.notify(changes)
    for (const change of changes) announce(change)
  }

  return {
    raise(given, then) {
      const prepared: Finding[] = []
      for (const finding of given) {
        const problem = raiseProblem(finding)
        if (problem !== null) return { refused: problem }
        const id = finding.id ?? newId(finding.raisedByRole)
        if (findings.has(id) || prepared.some((each) => each.id === id))
          return { refused: refusal('finding-duplicate-id', `finding-duplicate-id: "${id}"`) }
        prepared.push(recordOf(finding, id, stamps.now()))
      }
      const changes = prepared.map((finding) => {
        version += 1
        const raised = { ...finding, storeVersion: version }
        put(raised)
        return { finding: copy(raised), transition: null }
      })
      const raised = changes.map(({ finding }) => finding)
      tell([...changes, ...(then === undefined ? [] : moveAll(raised.map(({ id }) => ({ ...then, id }))))])
      return { raised }
    },
    transition(command) {
      const outcome = move(command)
      if ('refused' in outcome) return outcome
      tell([outcome.change])
      return { moved: copy(outcome.change.finding) }
    },
    transitionAll(commands) {
      const changes = moveAll(commands)
      tell(changes)
      return changes.map(({ finding }) => copy(finding))
    },
    get(id) {
      const finding = findings.get(id)
      return finding === undefined ? null : copy(finding)
    },
    all: () => [...findings.values()].map(copy),
    ofArrow: (arrowId) =>
      [...(byArrow.get(arrowId) ?? [])].flatMap((id) => {
        const finding = findings.get(id)
        return finding === undefined ? [] : [copy(finding)]
      }),
    version: () => version,
    load(loaded) {
      phase.loading()
      for (const finding of loaded) {
        put(copy(finding))
        version = Math.max(version, finding.storeVersion)
        stamps.after(finding.raisedAt)
        stamps.after(finding.updatedAt)
      }
    },
    observe: observers.observe,
    failures: observers.failures
  }
}

function recordOf(finding: NewFinding, id: string, now: string): Finding {
  const hasNoSeverity = finding.severity === 'unevaluated'
  return {
    id,
    arrowId: finding.arrowId,
    type: finding.type,
    severity: finding.severity === 'unevaluated' ? defaultSeverity(finding.type) : finding.severity,
    status: hasNoSeverity ? 'unevaluated' : (finding.status ?? 'open'),
    description: cutLength(safeLine(finding.description), findingLimits.description),
    basis: cutLength(safeText(finding.basis ?? ''), findingLimits.basis),
    evidence: cutLength(safeText(finding.evidence ?? ''), findingLimits.evidence),
    locations: (finding.locations ?? [])
      .slice(0, findingLimits.locations)
      .map((place) => cutLength(safeLine(place), findingLimits.location)),
    targetClause: finding.targetClause ?? null,
    targetRequirement: finding.targetRequirement ?? null,
    raisedAt: now,
    raisedByRole: finding.raisedByRole,
    transitionCount: 0,
    gridVersion: finding.gridVersion,
    storeVersion: 0,
    updatedAt: now
  }
}

function idPrefix(role: string): string {
  if (role === 'adversary') return 'adv'
  return role === 'operator' ? 'op' : 'prod'
}
