import { visibleLine } from '../../lib/safe-text.ts'
import type { OperatorEvent } from '../../protocol/gate.ts'
import { hitsText, type Outdated, outcomeWhy, outdatedLabel } from '../runner/index.ts'
import type { ArrowView } from './arrow-view.ts'
import { flatFile } from './attestations/paths.ts'
import type { VerifyReport } from './attestations/verify.ts'
import type { StartReport } from './engine.ts'
import type { ReplayPreview } from './preview.ts'
import { cutErrors, isEmptyReport, type RecoveryReport } from './recover.ts'
import type { EngineStatus } from './status.ts'

// What the offline commands print, line by line (OPUI-600…660). Ids and texts come from files and are made visible.

/** OPUI-610 */
export function statusLines(status: EngineStatus, path: string, isVerbose: boolean): readonly string[] {
  if (status.kind === 'empty') return ['ghyll-engine-status: empty', `engine: ${path}`]
  const { passes } = status
  const lines = [
    'ghyll-engine-status: present',
    `engine: ${path}`,
    `  arrows:           ${status.arrows}`,
    `  findings:         ${status.findings}`,
    `  requirements:     ${status.requirements}`,
    `  classifications:  ${status.classifications}`,
    `  amendments:       ${status.amendmentsPending} pending, ${status.amendmentsDrained} drained`,
    `  evaluation runs:  ${status.evaluationRuns}`,
    `  attestations:     ${status.attestations}`
  ]
  if (!isVerbose) return lines
  return [
    ...lines,
    `  passes:           ${passes.open} open, ${passes.closed} closed, ${passes.aborted} aborted`,
    ...status.openPasses.map(({ id, role, context, arrow }) =>
      visibleLine(`    ${id} role=${role} context=${context} arrow=${arrow}`)
    ),
    ...grouped('findings by status', status.findingsByStatus),
    ...grouped('attestations by kind', status.attestationsByKind)
  ]
}

function grouped(title: string, counts: Readonly<Record<string, number>>): readonly string[] {
  const entries = Object.entries(counts)
  if (entries.length === 0) return []
  return [`  ${title}:`, ...entries.map(([word, n]) => visibleLine(`    ${word}: ${n}`))]
}

/** OPUI-620 */
export function replayLines({ counts, errors }: ReplayPreview, path: string): readonly string[] {
  return [
    `replay: ${path}`,
    ...counts.map(([table, n]) => `  ${table}: ${n}`),
    `  per-row errors: ${errors.length}`,
    ...cutErrors(errors).map(visibleLine),
    'note: this is a replay-only count; session start additionally runs Recovery (use ghyll engine recover --dry-run to preview)'
  ]
}

/** What a session start has to tell, once in the transcript; nothing when there is nothing (PERS-403, PERS-411, ATT-502). */
export function startLines({ recovery, caughtUp, broken, reconciled, events }: StartReport): readonly string[] {
  const cut = events.filter(({ kind }) => kind === 'recovery-jsonl-truncated')
  return [
    ...(isEmptyReport(recovery) ? [] : ['recovery:', ...recoveryLines(recovery, [...recovery.events, ...cut])]),
    ...atMost(broken, (line) => `⚠ ${line}; see \`ghyll engine verify-attestations\``),
    ...atMost(
      caughtUp.overridden,
      (id) => `⚠ attestation ${id}: the file says something else than the table; the file counts`
    ),
    ...atMost(caughtUp.onlyInTable, (id) => `⚠ attestation ${id} is in the table but in no file; it does not count`),
    ...(caughtUp.inserted === 0
      ? []
      : [`ℹ ${caughtUp.inserted} attestation(s) taken over from the files; the table did not have them`]),
    ...reconciled.invalidated.map(({ arrowId, reason }) => `⚠ arrow ${arrowId} invalidated: ${reason}`),
    ...atMost(reconciled.onlyInTable, (id) => `ℹ arrow ${id} is in no grid file any more; kept as history`)
  ].map(visibleLine)
}

/** Why this session takes no verdict, for its start; nothing when it does (ATT-451). */
export function noVerdictLines(problem: string | null): readonly string[] {
  if (problem === null) return []
  return [visibleLine(`⚠ attestation-audit-write-failed: ${problem}; this session records no verdict`)]
}

const shownOfAKind = 10

function atMost(items: readonly string[], lineOf: (item: string) => string): readonly string[] {
  const shown = items.slice(0, shownOfAKind).map(lineOf)
  return items.length > shownOfAKind ? [...shown, `  … and ${items.length - shownOfAKind} more`] : shown
}

/** The block of OPUI-630 below its first line; a session start shows it without the note (PERS-403). */
function recoveryLines(report: RecoveryReport, told: readonly OperatorEvent[] = report.events): readonly string[] {
  const events = told.map((event) => `    - ${eventText(event)}`)
  return [
    `  orphans aborted:        ${report.orphansAborted}`,
    `  orphans preserved:      ${report.orphansPreserved} (attestation-pending)`,
    `  evaluation_runs flipped: ${report.evaluationRunsFlipped} (from JSONL verdicts)`,
    ...(events.length === 0 ? ['  events: none'] : ['  events:', ...events])
  ]
}

/** OPUI-630 */
export function dryRunLines(report: RecoveryReport, path: string): readonly string[] {
  return [
    `recover (dry-run): ${path}`,
    ...recoveryLines(report),
    ...report.jsonlTruncated.map(({ file, offset }) => visibleLine(`  torn tail: ${file} would be cut at ${offset}`)),
    '',
    'note: --dry-run; no changes persisted. Start a session',
    '      with `ghyll run` to apply recovery for real.'
  ]
}

function eventText({ kind, pass_id = '', arrow_id = '', clause_id = '', detail = '' }: OperatorEvent): string {
  return visibleLine(`${kind} pass=${pass_id} arrow=${arrow_id} clause=${clause_id} ${detail}`)
}

/** OPUI-640 */
export function verifyLines(report: VerifyReport): readonly string[] {
  const good = report.records - report.failed
  const failed = isVerified(report) ? '' : `, ${report.failed} failed`
  const { onlyInFlat, onlyInTree, divergent } = report.divergence
  return [
    `attestation-verify: ${Math.max(0, good)}/${report.records} records OK${failed}`,
    ...report.issues.map(({ file, line, reason }) =>
      visibleLine(`  ${file === flatFile ? '' : `${file} `}line ${line}: ${reason}`)
    ),
    ...(isDivergent(report)
      ? [
          `attestation-aggregate-divergence: only-in-flat=${onlyInFlat} only-in-tree=${onlyInTree} divergent=${divergent}`
        ]
      : []),
    ...report.warnings.map((warning) => visibleLine(`  warn: ${warning}`))
  ]
}

/** Whether nothing is wrong; warnings are not (ATT-602…604). */
export function isVerified(report: VerifyReport): boolean {
  return report.issues.length === 0 && !isDivergent(report)
}

function isDivergent({ divergence }: VerifyReport): boolean {
  return divergence.onlyInFlat + divergence.onlyInTree + divergence.divergent > 0
}

/** OPUI-650 */
export function arrowLines(
  view: ArrowView,
  { isVerbose, outdated }: { readonly isVerbose: boolean; readonly outdated: Outdated | null }
): readonly string[] {
  const { definition, findings, attestations, outcomes } = view
  const { clauses, requirements } = definition
  const outcomeOf = new Map(outcomes.map((outcome) => [outcome.clauseId, outcome]))
  const lines = [
    `arrow: ${definition.id}`,
    `  source-role:  ${definition.sourceRole}`,
    `  target-role:  ${definition.targetRole}`,
    `  stratum:      ${definition.stratum}`,
    `  context:      ${definition.context}`,
    ...(isVerbose ? [`  status:       ${statusOf(view, outdated)}`] : []),
    `  clauses:      ${clauses.length}`,
    ...clauses.flatMap(({ id, concept, depth, minTier }, n) => [
      `    [${n}] ${concept ?? 'attested'} (id=${id}, depth=${depth}, min-tier=${minTier})`,
      ...(isVerbose ? [`        ${outcomeText(outcomeOf.get(id))}`] : [])
    ]),
    `  requirements: ${requirements.length}`,
    ...requirements.map(({ id, minDepth }, n) => `    [${n}] ${id} (min-depth=${minDepth})`),
    `  findings:     ${findings.length}`,
    ...findings.map(
      ({ id, type, severity, status }) => `    ${id}  type=${type} severity=${severity} status=${status}`
    ),
    `  attestations: ${attestations.length}`,
    ...attestations.map((record) => `    ${attestationText(record)}`),
    ...(isVerbose ? passLines(view) : [])
  ]
  return lines.map(visibleLine)
}

function statusOf({ status }: ArrowView, outdated: Outdated | null): string {
  return outdated === null ? (status ?? 'unknown (no readable grid)') : outdatedLabel(outdated)
}

function outcomeText(outcome: ArrowView['outcomes'][number] | undefined): string {
  if (outcome === undefined) return 'last: not evaluated'
  const why = outcomeWhy(outcome)
  return why === '' ? `last: ${outcome.status}` : `last: ${outcome.status} (${why})`
}

function attestationText({ id, kind, clauseId, verdict, opId, isOwnPass }: ArrowView['attestations'][number]): string {
  const clause = clauseId === '' ? [] : [`clause=${clauseId}`]
  const own = isOwnPass ? ['own-pass'] : []
  return [id, `kind=${kind}`, ...clause, `verdict=${verdict}`, `op=${opId}`, ...own].join('  ')
}

const shownPasses = 10

function passLines({ passes, amendmentHits }: ArrowView): readonly string[] {
  const shown = passes.slice(0, shownPasses).map(({ id, state, closeReason, openedAt, closedAt }) => {
    const ended = state === 'open' ? 'open' : `${state}:${closeReason} closed=${closedAt}`
    return `    ${id}  ${ended} opened=${openedAt}`
  })
  const more = passes.length > shownPasses ? [`    … and ${passes.length - shownPasses} more`] : []
  return [
    `  passes:       ${passes.length}`,
    ...shown,
    ...more,
    `  invalidated by amendments: ${hitsText(amendmentHits)}`
  ]
}
