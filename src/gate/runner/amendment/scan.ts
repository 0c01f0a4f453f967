import type { Gates } from '../gates.ts'
import type { Finding, PassRecord } from '../records.ts'
import { amendmentReason } from './amendment.ts'
import type { AmendmentQueue } from './queue.ts'

/** Asks for one amendment per open gap that an integrator's closed pass leaves on its arrow (RUN-710). The same scan again adds nothing. */
export function scanForAmendments(gates: Gates, queue: AmendmentQueue, pass: PassRecord): void {
  if (pass.role !== 'integrator' || pass.state !== 'closed') return
  const contexts = gates.grid.current()?.boundedContexts.map(({ id }) => id) ?? []
  for (const finding of gates.findings.ofArrow(pass.arrowId)) {
    if (finding.type !== amendmentReason || finding.status !== 'open') continue
    const id = nextId(queue, finding)
    if (id === null) continue
    const outcome = queue.enqueue({
      id,
      reason: amendmentReason,
      sourceArrow: pass.arrowId,
      targetRole: 'analyst',
      contexts,
      findingIds: [finding.id],
      description: finding.description
    })
    if ('refused' in outcome) gates.ports.warn(`no amendment for ${finding.id}: ${outcome.refused.text}`, undefined)
  }
}

/** `amend-<finding>`, then `-r2`, `-r3` …; null when one waits already, or when the finding has not been reopened since the last. */
function nextId(queue: AmendmentQueue, { id, updatedAt, transitionCount }: Finding): string | null {
  for (let round = 1; ; round += 1) {
    const name = round === 1 ? `amend-${id}` : `amend-${id}-r${round}`
    const known = queue.get(name)
    if (known === null) return name
    if (known.drainedAt === null || transitionCount === 0 || updatedAt <= known.drainedAt) return null
  }
}
