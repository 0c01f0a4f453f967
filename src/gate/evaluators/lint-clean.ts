import type { Binding } from '../../protocol/grid.ts'
import { textArg } from './args.ts'
import { isMap } from './binding-report.ts'
import { boundCheck } from './bound-check.ts'
import type { Machine } from './machine.ts'
import { failed, listed } from './result.ts'
import { severityRank } from './severity.ts'

/** The linter reports nothing at or above the threshold (CONC-43, CONC-44). */
export const lintClean = (machine: Machine, binding: Binding) =>
  boundCheck(machine, binding, ({ pass, details, structured }, { args }) => {
    const threshold = textArg(args, 'severity-threshold')
    const { findings, ...rest } = details
    if (!structured || findings === undefined) return { fails: !pass, details: { ...details, threshold } }
    if (!Array.isArray(findings) || !findings.every(isMap))
      return failed({ error: 'evaluator-output-malformed', detail: 'findings is a list of maps' })
    const counted = findings.filter((finding) => severityRank(String(finding.severity)) >= severityRank(threshold))
    return { fails: counted.length > 0, details: { ...rest, ...listed('findings', findings), threshold } }
  })
