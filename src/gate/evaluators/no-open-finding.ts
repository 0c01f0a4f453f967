import type { FindingFact } from '../../protocol/evaluation.ts'
import type { Severity } from '../../protocol/grid.ts'
import { optionalText, textArg } from './args.ts'
import { evaluator, failed, listed, passed, Undecided } from './result.ts'
import { severityRank } from './severity.ts'

/** No finding of the arrow blocks (CONC-50, CONC-51). */
export const noOpenFinding = evaluator(async ({ args, state }) => {
  const store = state.findings(textArg(args, 'arrow-id'))
  if (store === null) throw new Undecided('store-unavailable', 'no findings store is attached')
  const threshold = optionalText(args, 'severity-threshold') ?? store.threshold
  const blocking = store.findings.filter((finding) => blocks(finding, threshold as Severity))
  const details = {
    ...listed('blocking-findings', blocking.map(shown)),
    'finding-count': store.findings.length,
    threshold,
    'store-version': store.storeVersion
  }
  return blocking.length === 0 ? passed(details) : failed(details)
})

function blocks({ status, severity }: FindingFact, threshold: Severity): boolean {
  switch (status) {
    case 'resolved':
    case 'accepted-risk':
      return false
    case 'open':
    case 'running':
      // A severity nobody assigned blocks whatever the threshold (GATE-65).
      return severity === 'unevaluated' || severityRank(severity) >= severityRank(threshold)
    default:
      return true
  }
}

function shown(finding: FindingFact) {
  return {
    id: finding.id,
    type: finding.type,
    severity: finding.severity,
    status: finding.status,
    description: finding.description,
    'raised-at': finding.raisedAt,
    'raised-by-role': finding.raisedByRole
  }
}
