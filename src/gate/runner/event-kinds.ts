import { z } from 'zod'
import { byteLength } from '../../lib/cap-text.ts'
import type { OperatorEvent } from '../../protocol/gate.ts'

// Every kind of operator event of the gate, with what it must carry (EVT-310). This table is the single definition: publishers build
// events through it, so that a missing key fails where it is made. Values are text (EVT-311).

const text = z.string()
const count = z.string().regex(/^\d+$/)
const oneOf = <const Words extends readonly [string, ...string[]]>(...words: Words) => z.enum(words)

const loopEscalations = [
  'escalated-rounds-max',
  'escalated-no-progress',
  'escalated-hook-error',
  'context-cancelled',
  'model-unreachable'
] as const

/** Required payload of each kind. */
export const payloads = {
  'pass-opened': { context: text, grid_version: count },
  'pass-closed': {
    arrow_id: text,
    pass_id: text,
    close_reason: text,
    arrow_status: text,
    outcome: oneOf('closed', 'aborted')
  },
  'transition-refused': {
    upstream_arrow: text,
    upstream_status: text,
    outcome: oneOf('refused', 'refused-invalidated')
  },
  'gate-routing': {
    required_rank: count,
    model: text,
    outcome: oneOf('gate-floor', 'gate-unsatisfiable', 'gate-locked-conflict')
  },
  'binding-missing': { count, keys: text },
  'gate-file-changed': { path: text, reason: text },
  'journal-write-failed': { table: text, key: text, reason: text },
  /** A dependency an evaluator took away is not back (CONC-66); without names it is the suite that fails since. */
  'restore-failed': { dependencies: text },

  'attestation-requested': {
    source_role: text,
    target_role: text,
    context: text,
    stratum: text,
    grid_version: count,
    artifact_digest: text
  },
  'attestation-recorded': { attestation_id: text, kind: text, outcome: oneOf('pass', 'fail', 'insufficient-basis') },
  'self-cert-refused': { reason: text },
  'clause-fail-verdict': { attestation_ref: text, reason: text },
  'insufficient-basis-rounds-exceeded': { rounds: count, rounds_max: count },
  'escalation-presented': { attestation_ref: text },
  'escalation-resolved': { attestation_ref: text, outcome: oneOf('accept-risk', 'route-upstream') },
  'modal-skipped': { attestation_ref: text },
  'modal-backpressure': {
    attestation_ref: text,
    queued: count,
    outcome: oneOf('queue-cap', 'drain-cap', 'orphan-escalation')
  },
  'attestation-cancelled-by-abort': { attestation_ref: text, close_reason: text },
  'attestation-audit-durability-failed': { reason: text },
  'attestation-path-truncated': { segments: text, path: text },

  'finding-raised': { type: text, severity: text, status: text },
  'finding-transitioned': {
    from: text,
    outcome: oneOf('open', 'running', 'resolved', 'accepted-risk', 'unevaluated'),
    reason: text
  },
  'adversarial-round-start': {
    arrow_id: text,
    pass_id: text,
    round: count,
    rounds_max: count,
    open_findings: count,
    tier_label: text
  },
  'producer-fix-signal': { arrow_id: text, round: count, open_findings: count },
  'producer-signal-without-change': { round: count },
  'risk-acceptance-requested': { severity: text, rationale: text },
  'remediation-converged': {
    arrow_id: text,
    pass_id: text,
    outcome: oneOf('converged', 'converged-with-unevaluated'),
    rounds_used: count
  },
  'remediation-escalated': {
    arrow_id: text,
    pass_id: text,
    outcome: oneOf(...loopEscalations),
    rounds_used: count,
    reason: text
  },

  'amendment-enqueued': {
    arrow_id: text,
    amendment_id: text,
    source_arrow: text,
    target_role: text,
    finding_ids: text
  },
  'amendment-enqueue-refused': { arrow_id: text, amendment_id: text, outcome: oneOf('queue-full', 'duplicate-id') },
  'amendment-queue-growing': { count, capacity: count },
  'amendment-drained': {
    amendment_id: text,
    source_arrow: text,
    grid_version_before: count,
    grid_version_after: count,
    arrows_added: count,
    passes_aborted: count,
    lock_ms: count,
    outcome: oneOf('complete', 'partial-append-error', 'binding-re-register-error', 'persist-error')
  },
  'arrow-invalidated': {
    arrow_id: text,
    op_id: text,
    reason: text,
    timestamp: text,
    grid_version: count,
    source: oneOf('operator', 'amendment')
  },
  'on-the-spot-suspended': { source_role: text, target_role: text, context: text },
  'on-the-spot-defined': { attestation_id: text, grid_version_after: count },

  'recovery-pass-aborted-crash': { closed_at: text },
  'recovery-attestation-republished': { attestation_ref: text, recovered_at: text },
  'recovery-attestation-replay': { attestation_ref: text, verdict: text, outcome: oneOf('pass', 'fail', 'running') },
  'recovery-jsonl-truncated': { file: text, offset: text },
  'recovery-amendments-pending': { count, amendment_ids: text }
} as const satisfies Record<string, Record<string, z.ZodType<string>>>

export type EventKind = keyof typeof payloads

/** Subject fields a kind must name; kinds whose subject is only sometimes known are not listed. */
const subjects: Partial<Record<EventKind, readonly (keyof OperatorEvent)[]>> = {
  'pass-opened': ['arrow_id', 'pass_id', 'role'],
  'pass-closed': ['arrow_id', 'pass_id', 'role'],
  'transition-refused': ['arrow_id', 'role'],
  'gate-routing': ['arrow_id', 'pass_id'],
  'restore-failed': ['arrow_id', 'clause_id', 'pass_id'],
  'attestation-requested': ['arrow_id', 'clause_id', 'pass_id', 'role', 'detail'],
  'attestation-recorded': ['arrow_id', 'pass_id', 'op_id'],
  'self-cert-refused': ['arrow_id', 'op_id', 'role'],
  'clause-fail-verdict': ['arrow_id', 'clause_id', 'pass_id', 'op_id'],
  'insufficient-basis-rounds-exceeded': ['arrow_id', 'clause_id'],
  'escalation-presented': ['arrow_id', 'clause_id', 'pass_id', 'op_id', 'detail'],
  'escalation-resolved': ['arrow_id', 'clause_id', 'pass_id', 'op_id'],
  'modal-skipped': ['arrow_id', 'clause_id', 'pass_id'],
  'modal-backpressure': ['arrow_id', 'clause_id', 'pass_id'],
  'attestation-cancelled-by-abort': ['arrow_id', 'clause_id', 'pass_id'],
  'attestation-path-truncated': ['arrow_id', 'pass_id'],
  'finding-raised': ['arrow_id', 'finding_id', 'role'],
  'finding-transitioned': ['arrow_id', 'finding_id', 'role'],
  'adversarial-round-start': ['arrow_id', 'pass_id'],
  'producer-fix-signal': ['arrow_id', 'pass_id'],
  'producer-signal-without-change': ['arrow_id', 'pass_id'],
  'risk-acceptance-requested': ['arrow_id', 'finding_id', 'pass_id'],
  'remediation-converged': ['arrow_id', 'pass_id'],
  'remediation-escalated': ['arrow_id', 'pass_id'],
  'amendment-enqueued': ['arrow_id'],
  'amendment-enqueue-refused': ['arrow_id'],
  'amendment-drained': ['arrow_id'],
  'arrow-invalidated': ['arrow_id', 'op_id'],
  'on-the-spot-suspended': ['arrow_id', 'role'],
  'on-the-spot-defined': ['arrow_id', 'op_id']
}

type PayloadOf<Kind extends EventKind> = {
  readonly [Key in keyof (typeof payloads)[Kind]]: z.infer<(typeof payloads)[Kind][Key] & z.ZodType<string>>
}

/** An event as its publisher writes it down; further payload keys are welcome (EVT-105). */
export type GateEvent = {
  [Kind in EventKind]: Omit<OperatorEvent, 'kind' | 'payload'> & {
    readonly kind: Kind
    readonly payload: PayloadOf<Kind> & { readonly [key: string]: string }
  }
}[EventKind]

const schemas = new Map<string, z.ZodType>(
  Object.entries(payloads).map(([kind, shape]) => {
    const subject = Object.fromEntries((subjects[kind as EventKind] ?? []).map((field) => [field, z.string().min(1)]))
    return [kind, z.looseObject({ ...subject, payload: z.object(shape).catchall(text) })]
  })
)

const limits = { detail: 4 * 1024, hint: 64 * 1024 }

/** What is wrong with an event, or null. A kind outside the table is nobody's business here (EVT-104). */
export function eventProblem(event: OperatorEvent): string | null {
  const checked = schemas.get(event.kind)?.safeParse(event)
  if (checked !== undefined && !checked.success) {
    const [issue] = checked.error.issues
    return `${event.kind}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`
  }
  for (const [field, value] of Object.entries(event.payload ?? {})) {
    const own = event[field as keyof OperatorEvent]
    // An id that stands in both places is one id (EVT-312); a payload's own timestamp is that of its fact.
    if (field.endsWith('_id') && own !== undefined && own !== value) return `${event.kind}: ${field} differs`
  }
  const limit = event.kind === 'attestation-requested' ? limits.hint : limits.detail
  if (byteLength(event.detail ?? '') > limit) return `${event.kind}: detail is too long`
  return null
}

/** A list as a payload value; ids with a comma are percent-encoded (EVT-311). */
export function listText(ids: readonly string[]): string {
  return ids.map((id) => (id.includes(',') ? id.replaceAll('%', '%25').replaceAll(',', '%2C') : id)).join(',')
}
