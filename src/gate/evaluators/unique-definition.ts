import { byCodeUnit } from '../../lib/compare.ts'
import type { EvaluationContext } from '../../protocol/evaluation.ts'
import type { EvaluationResult } from '../../protocol/gate.ts'
import { flagArg, textArg } from './args.ts'
import { csvColumn } from './csv.ts'
import { byHeading, byPattern, byYamlPath, type LocatedValue } from './locators.ts'
import { foldCase } from './no-todo-marker.ts'
import { compileNonEmpty, type Patterns, withPatterns } from './patterns.ts'
import { evaluator, listed, Undecided, unevaluated } from './result.ts'
import { conclude, isIncomplete, type Scan, scanTexts } from './scan.ts'
import type { Skipped } from './walk.ts'

/** Finds the values in a file; null when the file is not of the kind the locator reads. */
type Locator = (text: string) => Promise<readonly LocatedValue[] | null>

/** No value of a field is defined twice (CONC-73, CONC-74). */
export const uniqueDefinition = evaluator((context) => withPatterns(context, (patterns) => check(context, patterns)))

async function check(context: EvaluationContext, patterns: Patterns): Promise<EvaluationResult> {
  const { args } = context
  const locate = locatorOf(textArg(args, 'field-locator-rule'), textArg(args, 'field'), patterns)
  const fold = flagArg(args, 'case-sensitive') ? (text: string) => text : foldCase

  const definitions = new Map<string, { value: string; locations: string[] }>()
  const unreadable: Skipped[] = []
  let valueCount = 0
  const read = await scanTexts(context, textArg(args, 'scope'), async (file, text) => {
    const located = await locate(text)
    if (located === null) unreadable.push({ file, reason: 'unreadable' })
    for (const { value, line } of located ?? []) {
      const trimmed = value.trim()
      if (trimmed === '') continue
      valueCount += 1
      const key = fold(trimmed)
      const location = `${file}:${line + 1}`
      const known = definitions.get(key)
      if (known === undefined) definitions.set(key, { value: trimmed, locations: [location] })
      else known.locations.push(location)
    }
  })
  const scan: Scan = { ...read, skipped: [...read.skipped, ...unreadable] }
  const duplicates = [...definitions.values()]
    .filter(({ locations }) => locations.length > 1)
    .sort((a, b) => byCodeUnit(a.value, b.value))
  const details = { 'value-count': valueCount, ...listed('duplicates', duplicates) }
  if (valueCount === 0 && !isIncomplete(scan))
    return unevaluated('no-rule-selectable-locations', {
      error: 'the locator found no value',
      'files-in-scope': scan.fileCount,
      ...details
    })
  return conclude(scan, { fails: duplicates.length > 0, vacuous: false, details })
}

function locatorOf(rule: string, field: string, patterns: Patterns): Locator {
  const [, form = '', rest = ''] = /^([a-z-]+):([\s\S]+)$/.exec(rule) ?? []
  if (form === 'regex') {
    compileNonEmpty(rest)
    return (text) => byPattern(patterns, rest, text, { wholeMatch: true })
  }
  if (form === 'yaml-path') return async (text) => byYamlPath(rest, text)
  if (rule === 'column-name') return async (text) => csvColumn(text, field)
  if (form === 'column') return async (text) => csvColumn(text, rest)
  if (form === 'heading' && /^[1-6]$/.test(rest)) return async (text) => byHeading(Number(rest), text)
  throw new Undecided('evaluator-error', `unknown locator: ${rule}`)
}
