import type { OperatorEvent } from '../../../protocol/gate.ts'
import type { Gates } from '../gates.ts'
import { type Hint, parseHint } from '../hint.ts'

// What waits for the operator (OPUI-400…409). The queue listens to the bus and keeps one item per question; presenting one
// does not take it out: only an answer, or the end of its pass, does.

export type QueueItem = {
  /** One per attestation ref or finding. */
  readonly key: string
  readonly type: 'verdict' | 'escalation' | 'risk'
  readonly passId: string
  readonly arrowId: string
  /** `''` for a risk acceptance. */
  readonly clauseId: string
  /** Attestation ref, or the finding's id. */
  readonly ref: string
  /** null for a risk acceptance. */
  readonly hint: Hint | null
  /** What the producer says to a risk acceptance. */
  readonly rationale: string
  /** Grows with every item, so that one asked again is another one. */
  readonly seq: number
}

export interface VerdictQueue {
  /** In the order of presentation: escalations, risk acceptances, verdicts, each oldest first (OPUI-400). */
  items(): readonly QueueItem[]
  get(key: string): QueueItem | null
  size(): number
  /** Asks for every request of an open pass that has no item, as far as there is room (OPUI-402); also after recovery. */
  refill(): void
  /** Tells that an item was skipped; it stays (OPUI-405), except a risk acceptance, whose round goes on. */
  skip(item: QueueItem): void
  /** A risk acceptance was answered or left; the round goes on. */
  settleRisk(findingId: string): void
  observe(observer: () => void): () => void
  close(): void
}

/** A queue on the bus of these gates. `warnFull` is told the line about a request that found no room (OPUI-400…402). */
export function createVerdictQueue(gates: Gates, warnFull: (line: string) => void): VerdictQueue {
  const { bus, tracker, passes, grid } = gates
  const items = new Map<string, QueueItem>()
  const listeners = new Set<{ readonly call: () => void }>()
  let sequence = 0
  const cap = () => grid.current()?.modalPendingMaxLen ?? 64

  const changed = () => {
    for (const { call } of [...listeners]) call()
  }

  const put = (item: Omit<QueueItem, 'key' | 'seq'>) => {
    sequence += 1
    const key = keyOf(item)
    items.set(key, { ...item, key, seq: sequence })
    changed()
  }

  const drop = (key: string) => {
    if (items.delete(key)) changed()
  }

  /** The same question has two answers or four, whichever way the rounds stand now: they are counted per clause, not per request. */
  const asItIs = (item: QueueItem): QueueItem =>
    item.type === 'risk'
      ? item
      : { ...item, type: tracker.isCrossed(item.arrowId, item.clauseId) ? 'escalation' : 'verdict' }

  const backpressure = (item: Asked, outcome: 'queue-cap' | 'orphan-escalation') =>
    bus.publish({
      kind: 'modal-backpressure',
      arrow_id: item.arrowId,
      clause_id: item.clauseId,
      pass_id: item.passId,
      payload: { attestation_ref: item.ref, queued: `${items.size}`, outcome }
    })

  const ask = (item: Asked) => {
    if (items.has(questionKey(item.ref))) return
    if (items.size < cap()) return put({ ...item, type: 'verdict', rationale: '' })
    backpressure(item, 'queue-cap')
    warnFull(`⚠ verdict queue full (${cap()}); ${item.ref} will be asked again`)
  }

  const refill = () => {
    for (const pass of passes.all())
      for (const { clauseId, ref, hint } of gates.openRequests(pass)) {
        if (items.size >= cap()) return
        ask({ arrowId: pass.record.arrowId, clauseId, passId: pass.record.id, ref, hint })
      }
  }

  /** The question comes anew with its two answers. It may go over the cap: it takes the place of a verdict. */
  const escalate = ({ arrow_id = '', clause_id = '', pass_id = '' }: OperatorEvent) => {
    const request = passes.get(pass_id)?.requests.get(clause_id)
    if (request === undefined) return
    const { ref, hint } = request
    put({ type: 'escalation', passId: pass_id, arrowId: arrow_id, clauseId: clause_id, ref, hint, rationale: '' })
  }

  /** Drops what is no question any more, however it came to that, and asks what found no room before. */
  const reconcile = () => {
    for (const { key, type, passId, ref } of [...items.values()]) {
      const pass = type === 'risk' ? null : passes.get(passId)
      const isOpen = pass !== null && gates.openRequests(pass).some((request) => request.ref === ref)
      if (type !== 'risk' && !isOpen) drop(key)
    }
    refill()
  }

  const passEnded = ({ pass_id = '' }: OperatorEvent) => {
    for (const item of [...items.values()].map(asItIs)) {
      if (item.passId !== pass_id) continue
      drop(item.key)
      if (item.type === 'escalation') backpressure(item, 'orphan-escalation')
    }
    refill()
  }

  const askRisk = ({ arrow_id = '', pass_id = '', finding_id = '', payload }: OperatorEvent) =>
    put({
      type: 'risk',
      passId: pass_id,
      arrowId: arrow_id,
      clauseId: '',
      ref: finding_id,
      hint: null,
      rationale: payload?.rationale ?? ''
    })

  const unsubscribe = bus.subscribe((event) => {
    switch (event.kind) {
      case 'attestation-requested':
        return ask(itemOf(event))
      case 'insufficient-basis-rounds-exceeded':
        return escalate(event)
      case 'attestation-recorded':
      case 'attestation-cancelled-by-abort':
        return reconcile()
      case 'risk-acceptance-requested':
        return askRisk(event)
      case 'pass-closed':
        return passEnded(event)
      default:
        return undefined
    }
  })

  return {
    items: () => [...items.values()].map(asItIs).sort((a, b) => rank[a.type] - rank[b.type] || a.seq - b.seq),
    get(key) {
      const item = items.get(key)
      return item === undefined ? null : asItIs(item)
    },
    size: () => items.size,
    refill,
    skip(item) {
      const { type, arrowId, clauseId, passId, ref } = item
      // The round that asked waits for an answer, and this is one: the finding stays open (RUN-633).
      if (type === 'risk') return drop(keyOf(item))
      const subject = { arrow_id: arrowId, clause_id: clauseId, pass_id: passId }
      bus.publish({ kind: 'modal-skipped', ...subject, payload: { attestation_ref: ref } })
    },
    settleRisk: (findingId) => drop(keyOf({ type: 'risk', ref: findingId })),
    observe(call) {
      const entry = { call }
      listeners.add(entry)
      return () => {
        listeners.delete(entry)
      }
    },
    close: unsubscribe
  }
}

type Asked = Pick<QueueItem, 'arrowId' | 'clauseId' | 'passId' | 'ref' | 'hint'>

const questionKey = (ref: string) => keyOf({ type: 'verdict', ref })

function keyOf({ type, ref }: Pick<QueueItem, 'type' | 'ref'>): string {
  return type === 'risk' ? `risk:${ref}` : `question:${ref}`
}

const rank = { escalation: 0, risk: 1, verdict: 2 } as const

/** A request as its event tells it; the hint is rebuilt where the detail cannot be read (EVT-320). */
function itemOf(event: OperatorEvent): Asked {
  const { arrow_id = '', clause_id = '', pass_id = '', payload = {} } = event
  const version = payload.grid_version ?? ''
  const ref = payload.attestation_ref ?? `att-${arrow_id}-${clause_id}-v${version}`
  const rebuilt: Hint = {
    arrow_id,
    clause_id,
    concept: 'unknown',
    attestation_ref: ref,
    artifact_digest: payload.artifact_digest ?? ''
  }
  return {
    arrowId: arrow_id,
    clauseId: clause_id,
    passId: pass_id,
    ref,
    hint: parseHint(event.detail ?? '') ?? rebuilt
  }
}
