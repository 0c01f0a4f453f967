import { safeLine } from '../../../lib/safe-text.ts'
import type { Amendment } from './amendment.ts'
import type { CommitOutcome } from './commit.ts'

/** Lines of `/drain-amendments` (OPUI-362). */
export const drainTexts = {
  noOpId: '/drain-amendments refuses: no op-id set; use /op-id <identity> first',
  empty: 'ℹ no pending amendments; queue is empty',
  noProposal: (why: string) => `the analyst brought no proposal: ${safeLine(why)}`,
  outcome(id: string, outcome: CommitOutcome): string {
    switch (outcome.kind) {
      case 'committed': {
        const { arrowsAdded, passesAborted, before, after } = outcome
        return `✓ amendment ${id}: arrows-added=${arrowsAdded} passes-aborted=${passesAborted} v=${before}→${after}`
      }
      case 'failed':
        return `✗ amendment ${id}: ${outcome.outcome}: ${safeLine(outcome.reason)}`
      case 'refused':
        return `✗ amendment ${id}: ${safeLine(outcome.refusal.text)}`
    }
  },
  /** GATE-90 */
  undeclared: (count: number) => `ℹ ${count} arrow(s) invalidated only because they declare no dependencies`,
  done: (committed: number, total: number) => `drain complete: ${committed}/${total} committed`
} as const

/** Answer to `/amendments` (OPUI-360). */
export function amendmentsText(pending: readonly Amendment[]): string {
  if (pending.length === 0) return 'no pending amendments'
  const lines = pending.flatMap((amendment) => [
    `  ${amendment.id} (${amendment.reason})`,
    `    source-arrow: ${amendment.sourceArrow}`,
    `    target-role: ${amendment.targetRole}`,
    `    contexts: ${amendment.contexts.join(', ')}`,
    `    findings: ${amendment.findingIds.join(', ')}`,
    `    description: ${safeLine(amendment.description)}`,
    `    created-at: ${amendment.createdAt}`
  ])
  return [`pending amendments (${pending.length}):`, ...lines].join('\n')
}

/** Banner of a session's start, then one line each (OPUI-361, PERS-400 step 14); empty when nothing waits. */
export function pendingBanner(pending: readonly Amendment[]): readonly string[] {
  if (pending.length === 0) return []
  return [
    `⚠ ${pending.length} pending amendment(s); run /drain-amendments to apply`,
    ...pending.map(({ id, reason }) => `  ${id} (${reason})`)
  ]
}
