import type { Engine } from '../../gate/engine/index.ts'
import { safeLine } from '../../lib/safe-text.ts'

type Amendments = Engine['amendments']

/** What waits to be put into the grid. */
function pending(amendments: Amendments): Amendments {
  return amendments.filter(({ drainedAt }) => drainedAt === null)
}

/** `/amendments` (OPUI-360). */
export function pendingAmendmentLines(amendments: Amendments): readonly string[] {
  const waiting = pending(amendments)
  if (waiting.length === 0) return ['no pending amendments']
  return [
    `pending amendments (${waiting.length}):`,
    ...waiting.flatMap(({ id, reason, sourceArrow, targetRole, contexts, findingIds, description, createdAt }) =>
      [
        `  ${id} (${reason})`,
        `    source-arrow: ${sourceArrow}`,
        `    target-role: ${targetRole}`,
        `    contexts: ${contexts.join(', ')}`,
        `    findings: ${findingIds.join(', ')}`,
        `    description: ${description}`,
        `    created-at: ${createdAt}`
      ].map(safeLine)
    )
  ]
}

/** The banner of a session's start (OPUI-361); empty when nothing waits. */
export function amendmentBanner(amendments: Amendments): readonly string[] {
  const waiting = pending(amendments)
  if (waiting.length === 0) return []
  return [
    `⚠ ${waiting.length} pending amendment(s); run /drain-amendments to apply`,
    ...waiting.map(({ id, reason }) => safeLine(`  ${id} (${reason})`))
  ]
}

/** `/drain-amendments` (OPUI-362). Nothing commits one inside a session: what waits stays queued, and the answer says so. */
export function drainAmendmentsLines(amendments: Amendments, opId: string): readonly string[] {
  if (opId === '') return ['✗ /drain-amendments refuses: no op-id set; use /op-id <identity> first']
  const [first, ...others] = pending(amendments)
  if (first === undefined) return ['ℹ no pending amendments; queue is empty']
  return [
    safeLine(`✗ amendment ${first.id}: no session of this version commits amendments; it stays queued`),
    `drain complete: 0/${others.length + 1} committed`
  ]
}
