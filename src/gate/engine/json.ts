import type { Outdated } from '../runner/index.ts'
import type { ArrowView } from './arrow-view.ts'
import type { VerifyReport } from './attestations/verify.ts'
import type { ReplayPreview } from './preview.ts'
import type { RecoveryReport } from './recover.ts'
import type { EngineStatus } from './status.ts'

// The same answers for programs: one object each, named after the labels of the texts; lists are whole (OPUI-802).

const schema = 1

/** `status` null: there is no store (OPUI-610). */
export function statusJson(status: EngineStatus | null, path: string) {
  const head = { schema, ghyll_engine_status: status?.kind ?? 'missing', engine: path }
  if (status === null || status.kind === 'empty') return head
  return {
    ...head,
    arrows: status.arrows,
    findings: status.findings,
    requirements: status.requirements,
    classifications: status.classifications,
    amendments: { pending: status.amendmentsPending, drained: status.amendmentsDrained },
    evaluation_runs: status.evaluationRuns,
    attestations: status.attestations,
    passes: status.passes,
    open_passes: status.openPasses,
    findings_by_status: status.findingsByStatus,
    attestations_by_kind: status.attestationsByKind
  }
}

/** `preview` null: there is no store (OPUI-620). */
export function replayJson(preview: ReplayPreview | null, path: string) {
  if (preview === null) return { schema, replay: path, store: 'missing' }
  const { counts, errors } = preview
  return { schema, replay: path, ...Object.fromEntries(counts), per_row_errors: errors.length, errors }
}

/** `report` null: there is no store (OPUI-630). */
export function recoverJson(report: RecoveryReport | null, path: string) {
  if (report === null) return { schema, recover: path, store: 'missing' }
  return {
    schema,
    recover: path,
    dry_run: true,
    orphans_aborted: report.orphansAborted,
    orphans_preserved: report.orphansPreserved,
    evaluation_runs_flipped: report.evaluationRunsFlipped,
    events: report.events,
    torn_tail: report.jsonlTruncated
  }
}

/** The report of `engine verify-attestations` (OPUI-640, OPUI-802). */
export function verifyJson({ records, failed, issues, divergence, warnings }: VerifyReport) {
  const { onlyInFlat, onlyInTree, divergent } = divergence
  return {
    schema,
    records,
    ok: Math.max(0, records - failed),
    failed,
    issues,
    attestation_aggregate_divergence: { only_in_flat: onlyInFlat, only_in_tree: onlyInTree, divergent },
    warnings
  }
}

/** `outdated`: what moved since a valid arrow was verified (OPUI-650). */
export function arrowJson(view: ArrowView, outdated: Outdated | null) {
  const { definition, findings, attestations, passes } = view
  const outcomes = new Map(view.outcomes.map((outcome) => [outcome.clauseId, outcome]))
  return {
    schema,
    arrow: definition.id,
    source_role: definition.sourceRole,
    target_role: definition.targetRole,
    stratum: definition.stratum,
    context: definition.context,
    status: view.status,
    outdated: outdated === null ? null : { files: outdated.files, since: outdated.passId },
    clauses: definition.clauses.map(({ id, description, concept, eval: type, depth, minTier, args, missing }) => {
      const { status, reason, note } = outcomes.get(id) ?? { status: null, reason: null, note: '' }
      return {
        id,
        description,
        concept,
        eval: type,
        depth,
        min_tier: minTier,
        args,
        missing,
        last: status,
        reason,
        note
      }
    }),
    requirements: definition.requirements.map(({ id, minDepth, description }) => ({
      id,
      min_depth: minDepth,
      description
    })),
    findings: findings.map(({ id, type, severity, status, description }) => ({
      id,
      type,
      severity,
      status,
      description
    })),
    attestations: attestations.map(({ id, kind, clauseId, verdict, opId, isOwnPass, passId, ...record }) => ({
      id,
      kind,
      clause: clauseId === '' ? null : clauseId,
      verdict,
      op: opId,
      own_pass: isOwnPass,
      pass: passId,
      grid_version: record.gridVersion,
      reason: record.reason,
      timestamp: record.timestamp.toString()
    })),
    passes: passes.map(({ id, state, closeReason, openedAt, closedAt }) => ({
      id,
      state,
      close_reason: closeReason,
      opened: openedAt,
      closed: closedAt
    })),
    invalidated_by_amendments: view.amendmentHits.count,
    invalidated_through_files_only: view.amendmentHits.isThroughFilesOnly
  }
}
