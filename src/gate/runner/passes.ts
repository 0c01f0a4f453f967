import { assert, letBugsThrough } from '../../lib/assert.ts'
import { messageOf } from '../../lib/error.ts'
import type { EvaluatorRegistry } from '../../protocol/evaluation.ts'
import type { ArrowStatus } from '../../protocol/gate.ts'
import type { Arrow, DepthRank, RoleId } from '../../protocol/grid.ts'
import { passId } from './arrow-id.ts'
import type { Bus } from './bus.ts'
import { type ClauseBoard, createClauseBoard } from './clause.ts'
import { reasonCode } from './derive.ts'
import type { History } from './history.ts'
import type { Invalidations } from './invalidations.ts'
import type { LivePass, PassRequest } from './live-pass.ts'
import type { LockBusy, Locks } from './locks.ts'
import { createObservers } from './observers.ts'
import { tellCancelled, tellEnded, tellOpened } from './pass-news.ts'
import type { Phase } from './phase.ts'
import type { ClauseOutcome, Invalidation, PassRecord } from './records.ts'
import { type Refusal, refusal } from './refusal.ts'
import type { Stamps } from './stamp.ts'

// Passes under way (RUN-300…306). Every change is one synchronous function: mutate, release the lock, tell the observers, then
// announce (RUN-111, RUN-113, RUN-306).

export type PassEvent = {
  readonly kind: 'open' | 'update' | 'close' | 'abort' | 'recover'
  readonly pass: PassRecord
  /** The invalidation this pass ended by becoming the effective one, to be written with it (PERS-301). */
  readonly consumed: Invalidation | null
}

export type OpenPass = {
  readonly role: RoleId
  readonly context: string
  readonly arrow: Arrow
  readonly gridVersion: number
  readonly actualTier: DepthRank
  readonly opId: string
}

export type OpenRefusal =
  | Refusal<'pass-role-empty' | 'pass-context-empty' | 'pass-arrow-empty' | 'pass-persist-failed'>
  | LockBusy

/** An open row as recovery found it (PERS-524). */
export type PassSeed = {
  readonly record: PassRecord
  readonly arrow: Arrow
  readonly clauses: readonly ClauseOutcome[]
  readonly requests: readonly PassRequest[]
}

export type ResumeRefusal = Refusal<'pass-id-empty' | 'pass-resume-invalid-state'> | LockBusy

export interface Passes {
  /** Allocates the id, takes the lock, inserts the row, registers and announces: all of it or nothing (RUN-234). */
  open(command: OpenPass): { readonly pass: LivePass } | { readonly refused: OpenRefusal }
  /** Takes up an open pass of an earlier process; nothing is published (RUN-305). */
  resume(seed: PassSeed): { readonly pass: LivePass } | { readonly refused: ResumeRefusal }
  /** Facts the row learns while the pass is open. */
  update(pass: LivePass, facts: Partial<PassRecord>): void
  /**
   * The first of close and abort wins; another call changes nothing and returns false (RUN-303). So does every call after a gate file has
   * changed (RUN-214).
   */
  close(pass: LivePass, status: ArrowStatus, dependencies: PassRecord['dependencyDigests']): boolean
  abort(pass: LivePass, closeReason: string): boolean
  get(id: string): LivePass | null
  /** Sorted by number. */
  all(): readonly LivePass[]
  size(): number
  /** Ids continue after this number (RUN-301). */
  seed(lastNumber: number): void
  observe(observer: (event: PassEvent) => void): () => void
  failures(): number
}

export type PassesOptions = {
  readonly bus: Bus
  readonly stamps: Stamps
  readonly phase: Phase
  readonly locks: Locks
  readonly history: History
  readonly invalidations: Invalidations
  readonly insert: (pass: PassRecord) => void
  /** Evaluators as they are bound now. */
  readonly evaluators: () => EvaluatorRegistry
  /** Current status of an arrow, for the closing event. */
  readonly statusOf: (arrowId: string) => ArrowStatus
  /** Requests of a pass that are open, to be told when it aborts (RUN-245). */
  readonly openRequestsOf: (pass: LivePass) => readonly PassRequest[]
  /** A gate file has changed: open passes stay as they are until the next start (RUN-214). */
  readonly isHeld: () => boolean
  readonly warn: (message: string, cause: unknown) => void
}

/** A registry without a live pass; ids go on after the number it is seeded with (RUN-301, RUN-304). */
export function createPasses(options: PassesOptions): Passes {
  const { bus, stamps, phase, locks, history, invalidations, warn } = options
  const live = new Map<string, LivePass>()
  const observers = createObservers<PassEvent>('passes', warn)
  let lastNumber = 0

  const register = (record: PassRecord, arrow: Arrow, board: ClauseBoard, token: LivePass['token']) => {
    const ends = invalidations.inForce(arrow.id)
    const pass: LivePass = {
      record,
      arrow,
      board,
      evaluators: options.evaluators(),
      requests: new Map(),
      ends,
      token,
      work: new AbortController(),
      cycle: null,
      isParked: false,
      runs: []
    }
    live.set(record.id, pass)
    history.noteOpened(record)
    return pass
  }

  const mayEnd = ({ record }: LivePass) => record.state === 'open' && !options.isHeld()

  const end = (pass: LivePass, ended: PassRecord) => {
    const cancelled = ended.state === 'aborted' ? options.openRequestsOf(pass) : []
    pass.record = ended
    live.delete(ended.id)
    const isEffective = history.noteEnded(ended, pass.board.all())
    const consumed = isEffective && pass.ends !== null && isInForce(pass.ends) ? pass.ends : null
    if (consumed !== null) invalidations.consume(consumed, ended.id)
    locks.release(pass.token)
    pass.work.abort(ended.closeReason)
    observers.notify({ kind: ended.state === 'closed' ? 'close' : 'abort', pass: ended, consumed })
    // What ran inside is told before the end of the pass itself (EVT-501).
    pass.cycle?.cancelled(ended.closeReason)
    for (const request of cancelled) tellCancelled(bus, ended, request)
    tellEnded(bus, ended, options.statusOf(ended.arrowId))
    return true
  }

  const isInForce = ({ arrowId, at }: Invalidation) => invalidations.inForce(arrowId)?.at === at

  return {
    open({ role, context, arrow, gridVersion, actualTier, opId }) {
      if (role.trim() === '') return { refused: refusal('pass-role-empty') }
      if (context.trim() === '') return { refused: refusal('pass-context-empty') }
      if (arrow.id.trim() === '') return { refused: refusal('pass-arrow-empty') }
      const id = passId(lastNumber + 1)
      const token = locks.acquire(role, context, id)
      if ('refused' in token) return token
      lastNumber += 1
      const record: PassRecord = {
        id,
        role,
        context,
        arrowId: arrow.id,
        gridVersion,
        state: 'open',
        openedAt: stamps.now(),
        closedAt: '',
        closeReason: '',
        recoveredAt: '',
        actualTier,
        arrowStatus: null,
        openedByOpId: opId,
        remediationOutcome: null,
        remediationRoundsUsed: null,
        artifactDigest: '',
        dependencyDigests: null
      }
      try {
        options.insert(record)
      } catch (cause) {
        // The number stays used: the row may be there although its writer said no.
        locks.release(token)
        letBugsThrough(cause)
        return { refused: refusal('pass-persist-failed', `pass-persist-failed: ${messageOf(cause)}`) }
      }
      const pass = register(record, structuredClone(arrow), createClauseBoard(), token)
      for (const clause of pass.arrow.clauses) pass.board.add(clause.id)
      observers.notify({ kind: 'open', pass: record, consumed: null })
      tellOpened(bus, record)
      return { pass }
    },
    resume({ record, arrow, clauses, requests }) {
      if (record.id.trim() === '') return { refused: refusal('pass-id-empty') }
      if (record.state !== 'open') {
        const text = `pass-resume-invalid-state: pass ${record.id} is ${record.state}`
        return { refused: refusal('pass-resume-invalid-state', text) }
      }
      const token = locks.acquire(record.role, record.context, record.id)
      if ('refused' in token) return token
      const pass = register(record, structuredClone(arrow), createClauseBoard(clauses), token)
      for (const clause of pass.arrow.clauses) pass.board.add(clause.id)
      for (const request of requests) pass.requests.set(request.clauseId, request)
      pass.isParked = true
      stamps.after(record.openedAt)
      observers.notify({ kind: 'recover', pass: record, consumed: null })
      return { pass }
    },
    update(pass, facts) {
      assert(pass.record.state === 'open', 'only an open pass learns anything')
      pass.record = { ...pass.record, ...facts }
      observers.notify({ kind: 'update', pass: pass.record, consumed: null })
    },
    close(pass, status, dependencies) {
      if (!mayEnd(pass)) return false
      const isComplete = status === 'complete'
      return end(pass, {
        ...pass.record,
        state: 'closed',
        closedAt: stamps.now(),
        closeReason: isComplete ? 'ok' : `derived-${status}`,
        arrowStatus: status,
        dependencyDigests: isComplete ? dependencies : null
      })
    },
    abort(pass, closeReason) {
      if (!mayEnd(pass)) return false
      return end(pass, {
        ...pass.record,
        ...cutShort(pass),
        state: 'aborted',
        closedAt: stamps.now(),
        closeReason,
        arrowStatus: abortStatus(closeReason)
      })
    },
    get: (id) => live.get(id) ?? null,
    all: () => [...live.values()].sort((a, b) => numberOf(a.record.id) - numberOf(b.record.id)),
    size: () => live.size,
    seed(last) {
      phase.loading()
      lastNumber = Math.max(lastNumber, last)
    },
    observe: observers.observe,
    failures: observers.failures
  }
}

/** The outcome of a cycle that ends with its pass; one that began no round has none (EVT-205). */
function cutShort({ cycle }: LivePass): Pick<PassRecord, 'remediationOutcome' | 'remediationRoundsUsed'> | null {
  const rounds = cycle?.roundsUsed() ?? 0
  return rounds === 0 ? null : { remediationOutcome: 'context-cancelled', remediationRoundsUsed: rounds }
}

/** Only these two aborts change their arrow (GATE-46). */
function abortStatus(closeReason: string): ArrowStatus | null {
  const code = reasonCode(closeReason)
  return code === 'aborted-remediation' || code === 'invalidated' ? code : null
}

function numberOf(id: string): number {
  return Number(/^p-(\d+)$/.exec(id)?.[1] ?? 0)
}
