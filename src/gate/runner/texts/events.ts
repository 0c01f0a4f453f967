import { safeLine } from '../../../lib/safe-text.ts'
import type { OperatorEvent } from '../../../protocol/gate.ts'

// One transcript line per event that has one (OPUI-300, column T of the table of kinds).

type Render = (event: OperatorEvent, payload: Readonly<Record<string, string>>) => string

const alarms: ReadonlySet<string> = new Set([
  'remediation-escalated',
  'insufficient-basis-rounds-exceeded',
  'gate-file-changed',
  'journal-write-failed',
  'restore-failed',
  'attestation-audit-durability-failed',
  'modal-backpressure',
  'self-cert-refused'
])

const renders: Readonly<Record<string, Render>> = {
  'pass-opened': (e, p) => `pass=${e.pass_id} role=${e.role} context=${p.context}`,
  'pass-closed': (e, p) => `pass=${e.pass_id} role=${e.role} state/reason=${p.outcome}:${p.close_reason}`,
  'transition-refused': (e, p) => `arrow=${e.arrow_id} upstream=${p.upstream_arrow} status=${p.upstream_status}`,
  'gate-routing': (e, p) => `pass=${e.pass_id} outcome=${p.outcome} rank=${p.required_rank} model=${p.model}`,
  'binding-missing': (_, p) => `count=${p.count} keys=${fewOf((p.keys ?? '').split(','))}`,
  'gate-file-changed': (_, p) => `${p.path}: ${p.reason}`,
  'journal-write-failed': (_, p) => `${p.table} ${p.key}: ${p.reason}`,
  'restore-failed': (e, p) => {
    const what = p.dependencies === '' ? 'the suite fails since' : `not brought back: ${p.dependencies}`
    return `arrow=${e.arrow_id} clause=${e.clause_id} pass=${e.pass_id}: ${what}`
  },
  'attestation-recorded': (e, p) => `${p.attestation_id} verdict=${p.outcome} op=${e.op_id}`,
  'self-cert-refused': (e, p) => `arrow=${e.arrow_id} op=${e.op_id} role=${e.role}: ${p.reason}`,
  'clause-fail-verdict': (e, p) => `arrow=${e.arrow_id} clause=${e.clause_id} pass=${e.pass_id}: ${p.reason}`,
  'insufficient-basis-rounds-exceeded': (e, p) =>
    `arrow=${e.arrow_id} clause=${e.clause_id} rounds=${p.rounds} of ${p.rounds_max}`,
  'escalation-resolved': (e, p) => `clause=${e.clause_id} pass=${e.pass_id} outcome=${p.outcome}`,
  'modal-backpressure': (_, p) => `${p.attestation_ref} outcome=${p.outcome} queued=${p.queued}`,
  'attestation-cancelled-by-abort': (e, p) => `pass=${e.pass_id} clause=${e.clause_id}: ${p.close_reason}`,
  'attestation-audit-durability-failed': (_, p) => `${p.reason}`,
  'attestation-path-truncated': (_, p) => `${p.segments} in ${p.path}`,
  'adversarial-round-start': (e, p) =>
    `pass=${e.pass_id} round=${p.round}/${p.rounds_max} open=${p.open_findings} tier=${p.tier_label}`,
  'producer-fix-signal': (_, p) => `round=${p.round} open=${p.open_findings}`,
  'producer-signal-without-change': (_, p) => `round=${p.round}`,
  'remediation-converged': (e, p) => `pass=${e.pass_id} rounds=${p.rounds_used}`,
  'remediation-escalated': (e, p) => `pass=${e.pass_id} outcome=${p.outcome} rounds=${p.rounds_used}: ${p.reason}`,
  'amendment-enqueued': (_, p) => `${p.amendment_id} source=${p.source_arrow} findings=${p.finding_ids}`,
  'amendment-enqueue-refused': (_, p) => `${p.amendment_id} outcome=${p.outcome}`,
  'amendment-queue-growing': (_, p) => `${p.count} of ${p.capacity}`,
  'amendment-drained': (_, p) =>
    `${p.amendment_id} outcome=${p.outcome} v=${p.grid_version_before}→${p.grid_version_after}`,
  'arrow-invalidated': (e, p) => `arrow=${e.arrow_id} op=${e.op_id} source=${p.source}: ${p.reason}`,
  'on-the-spot-suspended': (e, p) => `arrow=${e.arrow_id} context=${p.context}`,
  'on-the-spot-defined': (e, p) => `arrow=${e.arrow_id} v=${p.grid_version_after}`
}

/** Most keys an event line names: one line per fact (OPUI-100), and `/status` has them all (OPUI-351). */
const maxKeysTold = 3

function fewOf(keys: readonly string[]): string {
  const rest = keys.length - maxKeysTold
  const told = keys.slice(0, maxKeysTold).join(', ')
  return rest > 0 ? `${told} and ${rest} more (/status lists them)` : told
}

/** The line of an event, or null for a kind the transcript leaves to the panels (OPUI-300). */
export function eventLine(event: OperatorEvent): string | null {
  const render = Object.hasOwn(renders, event.kind) ? renders[event.kind] : undefined
  if (render === undefined) return null
  const name = event.kind.length <= 13 ? `${event.kind.padEnd(13)} ` : `${event.kind}  `
  const mark = alarms.has(event.kind) ? '⚠' : '·'
  return safeLine(`  ${mark} ${name}${render(event, event.payload ?? {})}`)
}
