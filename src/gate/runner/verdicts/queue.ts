import type { OperatorEvent } from '../../../protocol/gate.ts'
import type { Gates } from '../gates.ts'
import { type Hint, parseHint } from '../hint.ts'

// What waits for the operator (operator-ui.md section 3). The queue listens to the bus and keeps one item per question; presenting one
// does not take it out: only an answer, or the end of its pass, does.

export type QueueItem = {
  /** `<type>:<ref or finding id>` */
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
  /** Tells that an item was skipped; it stays (OPUI-405). */
  skip(item: QueueItem): void
  /** A risk acceptance was answered or left; the round goes on. */
  settleRisk(findingId: string): void
  observe(observer: () => void): () => void
  close(): void
}

/** A queue on the bus of these gates. `warnFull` is told the line about a request that found no room. */
export function createVerdictQueue(gates: Gates, warnFull: (line: string) => void): VerdictQueue {
  const { bus, tracker, passes, grid } = gates
  const items = new Map<string, QueueItem>()
  const listeners = new Set<{ readonly call: () => void }>()
  let sequence = 0
  const cap = () => grid.current()?.modalPendingMaxLen ?? 64

  const changed = () => {
    for (const { call } of [...listeners]) call()
  }

  const isAsked = (ref: string) => items.has(`verdict:${ref}`) || items.has(`escalation:${ref}`)

  const add = (item: Omit<QueueItem, 'key' | 'seq'>) => {
    const key = `${item.type}:${item.ref}`
    if (items.has(key)) return
    sequence += 1
    items.set(key, { ...item, key, seq: sequence })
    changed()
  }

  const drop = (key: string) => {
    if (items.delete(key)) changed()
  }

  const backpressure = (
    item: Pick<QueueItem, 'arrowId' | 'clauseId' | 'passId' | 'ref'>,
    outcome: 'queue-cap' | 'orphan-escalation'
  ) =>
    bus.publish({
      kind: 'modal-backpressure',
      arrow_id: item.arrowId,
      clause_id: item.clauseId,
      pass_id: item.passId,
      payload: { attestation_ref: item.ref, queued: `${items.size}`, outcome }
    })

  const ask = (item: Pick<QueueItem, 'arrowId' | 'clauseId' | 'passId' | 'ref' | 'hint'>) => {
    if (isAsked(item.ref)) return
    if (items.size >= cap()) {
      backpressure(item, 'queue-cap')
      warnFull(`⚠ verdict queue full (${cap()}); ${item.ref} will be asked again`)
      return
    }
    const type = tracker.isCrossed(item.arrowId, item.clauseId) ? 'escalation' : 'verdict'
    add({ ...item, type, rationale: '' })
  }

  const refill = () => {
    for (const pass of passes.all())
      for (const { clauseId, ref, hint } of gates.openRequests(pass)) {
        if (items.size >= cap()) return
        const { id: passId, arrowId } = pass.record
        if (!isAsked(ref)) ask({ arrowId, clauseId, passId, ref, hint })
      }
  }

  /** The same question, now with only two answers. It may go over the cap: it takes the place of a verdict. */
  const escalate = ({ arrow_id = '', clause_id = '', pass_id = '' }: OperatorEvent) => {
    const request = passes.get(pass_id)?.requests.get(clause_id)
    if (request === undefined) return
    const { ref, hint } = request
    add({ type: 'escalation', passId: pass_id, arrowId: arrow_id, clauseId: clause_id, ref, hint, rationale: '' })
  }

  const answered = ({ payload }: OperatorEvent) => {
    const ref = payload?.attestation_ref ?? payload?.attestation_id ?? ''
    drop(`verdict:${ref}`)
    if (payload?.outcome !== 'insufficient-basis') drop(`escalation:${ref}`)
    refill()
  }

  const cancelled = ({ payload, pass_id = '' }: OperatorEvent) => {
    const ref = payload?.attestation_ref ?? ''
    for (const key of [`verdict:${ref}`, `escalation:${ref}`]) if (items.get(key)?.passId === pass_id) drop(key)
    refill()
  }

  const passEnded = ({ pass_id = '' }: OperatorEvent) => {
    for (const item of [...items.values()]) {
      if (item.passId !== pass_id) continue
      drop(item.key)
      if (item.type === 'escalation') backpressure(item, 'orphan-escalation')
    }
    refill()
  }

  const askRisk = ({ arrow_id = '', pass_id = '', finding_id = '', payload }: OperatorEvent) =>
    add({
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
        return answered(event)
      case 'attestation-cancelled-by-abort':
        return cancelled(event)
      case 'risk-acceptance-requested':
        return askRisk(event)
      case 'pass-closed':
        return passEnded(event)
      default:
        return undefined
    }
  })

  return {
    items: () => [...items.values()].sort((a, b) => rank[a.type] - rank[b.type] || a.seq - b.seq),
    get: (key) => items.get(key) ?? null,
    size: () => items.size,
    refill,
    skip({ type, arrowId, clauseId, passId, ref }) {
      // A risk acceptance concerns a finding and no clause; its round is told directly.
      if (type === 'risk') return
      const subject = { arrow_id: arrowId, clause_id: clauseId, pass_id: passId }
      bus.publish({ kind: 'modal-skipped', ...subject, payload: { attestation_ref: ref } })
    },
    settleRisk: (findingId) => drop(`risk:${findingId}`),
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

const rank = { escalation: 0, risk: 1, verdict: 2 } as const

/** A request as its event tells it; the hint is rebuilt where the detail cannot be read (EVT-320). */
function itemOf(event: OperatorEvent): Pick<QueueItem, 'arrowId' | 'clauseId' | 'passId' | 'ref' | 'hint'> {
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
