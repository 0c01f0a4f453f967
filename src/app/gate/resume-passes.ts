import { type Answers, outcomesOf, type PreservedPass } from '../../gate/engine/index.ts'
import { type Artifacts, type Gates, hasConverged, type PassRequest, renewedHint } from '../../gate/runner/index.ts'
import { letBugsThrough } from '../../lib/assert.ts'

/**
 * Takes up the passes that wait for the operator since an earlier process (PERS-524): lock, clause statuses, and their requests with a
 * hint of now. One whose lock is taken, or whose arrow is gone, stays as it is; the lines that say so are returned (PERS-503).
 */
export async function resumePasses(
  gates: Gates,
  preserved: readonly PreservedPass[],
  answers: Answers,
  artifacts: Artifacts,
  signal: AbortSignal
): Promise<readonly string[]> {
  const problems: string[] = []
  for (const { pass: record, runs, waiting } of preserved) {
    const arrow = gates.grid.arrow(record.arrowId)
    if (arrow === null) {
      problems.push(`pass ${record.id} waits on ${record.arrowId}, which is not in the grid`)
      continue
    }
    const resumed = gates.passes.resume({ record, arrow, clauses: outcomesOf(runs, answers), requests: [] })
    if ('refused' in resumed) {
      problems.push(`pass ${record.id} was not resumed: ${resumed.refused.text}`)
      continue
    }
    const { pass } = resumed
    const adversaryRole = hasConverged(record.remediationOutcome) ? 'adversary' : ''
    const digest = await digestNow(artifacts, arrow, signal)
    for (const { clauseId, ref } of waiting) {
      const clause = arrow.clauses.find(({ id }) => id === clauseId)
      if (clause === undefined) continue
      const hint = renewedHint(gates, pass, clause, digest)
      const request: PassRequest = { clauseId, ref, hint, adversaryRole }
      pass.requests.set(clauseId, request)
    }
  }
  return problems
}

async function digestNow(artifacts: Artifacts, arrow: Parameters<Artifacts['take']>[0], signal: AbortSignal) {
  try {
    return (await artifacts.take(arrow, signal)).digest
  } catch (cause) {
    letBugsThrough(cause)
    return '' // a record without a digest is not usable later (RUN-232); the question can be asked all the same
  }
}
