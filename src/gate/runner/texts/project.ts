import { statusLabel } from '../derive.ts'
import { residueText } from '../residue.ts'
import type { OpenPassState, ProjectSnapshot } from '../snapshot.ts'

// The project as people read it. It is never called plainly complete (GATE-76, RUN-951).

/** The sentence of reports (GATE-76). */
export function projectLine(snapshot: ProjectSnapshot): string {
  const { arrows, complete, gridVersion, residue, unevaluated } = snapshot
  const isWhole = arrows.length > 0 && complete === arrows.length
  const what = isWhole ? 'complete' : `${complete}/${arrows.length} arrows complete`
  return `${what} against grid v${gridVersion}, residue ${residueText(residue)}, unevaluated ${unevaluated.length}`
}

/** The compact form of status bar and JSON (GATE-76). */
export function projectWord(snapshot: ProjectSnapshot): string {
  const { arrows, complete, gridVersion, residue, unevaluated } = snapshot
  const isWhole = arrows.length > 0 && complete === arrows.length
  const what = isWhole ? 'complete' : `${complete}/${arrows.length}-complete`
  return `${what}-against-grid-v${gridVersion}, R=${residueText(residue)}, C=${unevaluated.length}`
}

/** What `/status` shows and the stores do not hold. */
export type StatusFacts = {
  readonly verdictsWaiting: number
  /** As `adversaryStatus` says it, after the colon. */
  readonly adversary: string
  readonly unsavedRows: number
  readonly eventLogFailures: number
  readonly missingBindings: readonly string[]
  readonly onTheSpotThisSession: number
}

/** The project block of `/status` (OPUI-350, OPUI-351). */
export function statusBlock(snapshot: ProjectSnapshot, facts: StatusFacts): readonly string[] {
  const { arrows, openPasses, locks, findings, blocking, unevaluated, amendments, attestations } = snapshot
  const row = (name: string, value: string) => `  ${`${name}:`.padEnd(13)} ${value}`
  const list = (values: readonly string[]) => (values.length === 0 ? 'none' : values.join(', '))
  const records = attestations['depth-type'] + attestations['on-the-spot']
  return [
    projectLine(snapshot),
    row('arrows', `${arrows.length}${statusCounts(snapshot)}`),
    row('passes open', openPasses.length === 0 ? 'none' : `${openPasses.length}`),
    ...openPasses.map((each) => `    ${passSummary(each)}`),
    row('locks held', list(locks.map(({ role, context, passId }) => `(${role}, ${context}) by ${passId}`))),
    row(
      'findings',
      Object.entries(findings)
        .map(([status, count]) => `${status} ${count}`)
        .join(', ')
    ),
    row('blocking', list(blocking)),
    row('unevaluated', list(unevaluated)),
    row('amendments', `${amendments.pending} pending, ${amendments.drained} drained`),
    row(
      'attestations',
      `${records} (depth-type ${attestations['depth-type']}, on-the-spot ${attestations['on-the-spot']})`
    ),
    row('on-the-spot', `${facts.onTheSpotThisSession} this session, ${snapshot.onTheSpot} in the grid`),
    row('verdicts', facts.verdictsWaiting === 0 ? 'none' : `${facts.verdictsWaiting} waiting`),
    row('adversary', facts.adversary),
    row('journal', facts.unsavedRows === 0 ? 'ok' : `${facts.unsavedRows} unsaved`),
    ...(facts.missingBindings.length === 0 ? [] : [`⚠ missing-binding: ${facts.missingBindings.join(', ')}`]),
    ...(facts.unsavedRows === 0 ? [] : [`⚠ journal: ${facts.unsavedRows} unsaved`]),
    ...(facts.eventLogFailures === 0 ? [] : [`⚠ event log: ${facts.eventLogFailures} failed`])
  ]
}

const statusOrder = [
  'complete',
  'provisional',
  'unevaluated',
  'blocked',
  'aborted-remediation',
  'invalidated',
  'in-progress'
] as const

function statusCounts({ arrows }: ProjectSnapshot): string {
  const counts = statusOrder
    .map((status) => ({ status, count: arrows.filter((each) => each.status === status).length }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `${statusLabel(status)} ${count}`)
  return counts.length === 0 ? '' : ` (${counts.join(', ')})`
}

function passSummary({ pass, waiting }: OpenPassState): string {
  const since = pass.openedAt.replace(/\.\d+Z$/, 'Z')
  const waits = waiting === 0 ? '' : ` waiting=${waiting}`
  return `${pass.id} ${pass.role}/${pass.context} ${pass.arrowId}${waits} since ${since}`
}

/** What stands behind `adversary:` (RUN-611). */
export function adversaryStatus(
  slot: { readonly disabled: boolean; readonly cycle: unknown },
  model: string | null
): string {
  const dialect = `(dialect=${model ?? 'no-dialect-configured'})`
  return slot.disabled || slot.cycle === null ? `DISABLED ${dialect}` : `wired ${dialect}`
}
