import type { EvaluationContext } from '../../protocol/evaluation.ts'
import type { EvaluationResult } from '../../protocol/gate.ts'
import { numberArg, optionalNumber, textArg } from './args.ts'
import { eachEntry, type Located, parseArtifactRef, type TargetIndex, targetIndex } from './artifact-ref.ts'
import { captureCount, compileNonEmpty, type Patterns, withPatterns } from './patterns.ts'
import { evaluator, listed, Undecided, unevaluated } from './result.ts'
import { conclude, isIncomplete } from './scan.ts'

/** Captures looked at in one file (CONC-72). */
const maxCaptures = 10_000

type Links = {
  readonly entry: Located
  readonly count: number
  readonly resolved: readonly string[]
  readonly truncated: boolean
}

/** Every entry links to as many entries on the other side as it should (CONC-69…72). */
export const traceLinkPresent = evaluator((context) => withPatterns(context, (patterns) => check(context, patterns)))

async function check(context: EvaluationContext, patterns: Patterns): Promise<EvaluationResult> {
  const { args } = context
  const rule = textArg(args, 'link-rule')
  compileNonEmpty(rule)
  if (captureCount(rule) === 0) throw new Undecided('evaluator-error', 'link-rule has no capture group')
  const min = numberArg(args, 'min-multiplicity')
  const max = optionalNumber(args, 'max-multiplicity')
  if (max !== null && max < min) throw new Undecided('evaluator-error', `range [${min}, ${max}] inverted`)

  const index = await targetIndex(context, parseArtifactRef(textArg(args, 'to')))
  const links: Links[] = []
  const scan = await eachEntry(context, parseArtifactRef(textArg(args, 'from')), async (entry) => {
    links.push(await linksOf(entry, rule, index, patterns))
  })

  const counts = { 'from-count': links.length, 'to-count': index.count }
  // Nothing to link from is decided first, whatever the targets.
  if (links.length === 0) {
    if (textArg(args, 'on-empty-from') === 'pass')
      return conclude(scan, { fails: false, vacuous: true, details: counts })
    const reason = isIncomplete(scan) ? 'scan-incomplete' : 'no-rule-selectable-locations'
    return unevaluated(reason, { error: 'no entries to link from', ...counts })
  }
  if (index.absent)
    return unevaluated('no-rule-selectable-locations', { error: `no targets at ${textArg(args, 'to')}`, ...counts })

  // Too few links are certain only where everything was read; too many are in any case.
  const isSure = ({ truncated }: Links) => !truncated && !isIncomplete(index.scan)
  const violating = links.filter((link) => (link.count < min && isSure(link)) || (max !== null && link.count > max))
  const unsure = links.filter((link) => link.count < min && !isSure(link))
  const details = {
    ...listed(
      'violations',
      violating.map(({ entry, count }) => ({
        'from-entry': entry.id,
        location: `${entry.file}:${entry.line + 1}`,
        count,
        'expected-range': [min, max]
      }))
    ),
    ...listed(
      'targets',
      links.map(({ entry, resolved, truncated }) => ({
        'from-entry': entry.id,
        'resolved-to': resolved,
        ...(truncated ? { truncated: true } : {})
      }))
    ),
    ...counts
  }
  if (violating.length === 0 && unsure.length > 0)
    return unevaluated('scan-incomplete', { error: 'scan-incomplete', 'files-in-scope': scan.fileCount, ...details })
  const skipped = [...scan.skipped, ...index.scan.skipped]
  return conclude({ ...scan, skipped }, { fails: violating.length > 0, vacuous: false, details })
}

async function linksOf(entry: Located, rule: string, { targets }: TargetIndex, patterns: Patterns): Promise<Links> {
  const found = await patterns.search({ pattern: rule, lines: entry.lines, mode: 'all', limit: maxCaptures })
  const candidates = new Set<string>()
  for (const { groups } of found.matches) {
    const capture = groups.slice(1).find((group) => group !== null && group !== '')
    if (typeof capture === 'string') candidates.add(capture)
  }
  const resolving = [...candidates].filter((candidate) => targets.has(candidate))
  const resolved = [...new Set(resolving.flatMap((candidate) => targets.get(candidate) ?? []))]
  return { entry, count: resolving.length, resolved, truncated: found.truncated }
}
