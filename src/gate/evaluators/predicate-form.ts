import type { EvaluationContext } from '../../protocol/evaluation.ts'
import type { EvaluationResult } from '../../protocol/gate.ts'
import { optionalText, textArg } from './args.ts'
import { byPattern, bySectionItems, byYamlPath, type LocatedValue } from './locators.ts'
import { masked } from './mask.ts'
import { captureCount, compileNonEmpty, compilePattern, type Patterns, withPatterns } from './patterns.ts'
import { evaluator, listed, Undecided, unevaluated } from './result.ts'
import { conclude, isIncomplete, type Scan, scanTexts } from './scan.ts'
import type { Skipped } from './walk.ts'

type Located = LocatedValue & { readonly file: string }

/** Shown of an entry, in characters. */
const shownCharacters = 500

/** Every entry of a collection is a predicate (CONC-75…78). */
export const predicateForm = evaluator((context) => withPatterns(context, (patterns) => check(context, patterns)))

async function check(context: EvaluationContext, patterns: Patterns): Promise<EvaluationResult> {
  const { args } = context
  const locate = locatorOf(textArg(args, 'collection-locator'), patterns)
  const qualifies = grammarOf(optionalText(args, 'predicate-grammar'), patterns)

  const entries: Located[] = []
  const unreadable: Skipped[] = []
  const read = await scanTexts(context, textArg(args, 'scope'), async (file, text) => {
    const located = await locate(text)
    if (located === null) unreadable.push({ file, reason: 'unreadable' })
    for (const entry of located ?? []) if (entry.value.trim() !== '') entries.push({ ...entry, file })
  })
  const scan: Scan = { ...read, skipped: [...read.skipped, ...unreadable] }
  if (entries.length === 0 && !isIncomplete(scan))
    return unevaluated('no-rule-selectable-locations', {
      error: 'the locator found no entry',
      'files-in-scope': scan.fileCount,
      'entry-count': 0
    })
  const wishes = await qualifies.without(entries)
  const details = {
    'entry-count': entries.length,
    ...listed(
      'non-predicates',
      wishes.map(({ value, file, line }) => ({
        entry: masked(value).slice(0, shownCharacters).toWellFormed(),
        location: `${file}:${line + 1}`,
        hint: qualifies.hint
      }))
    )
  }
  return conclude(scan, { fails: wishes.length > 0, vacuous: false, details })
}

function locatorOf(rule: string, patterns: Patterns): (text: string) => Promise<readonly LocatedValue[] | null> {
  const [, form = '', rest = ''] = /^([a-z-]+):([\s\S]+)$/.exec(rule) ?? []
  if (form === 'markdown-section') return async (text) => bySectionItems(rest.trim(), text)
  if (form === 'yaml-path') return async (text) => byYamlPath(rest, text)
  if (form === 'regex') {
    compileNonEmpty(rest)
    if (captureCount(rest) === 0) throw new Undecided('evaluator-error', 'collection-locator has no capture group')
    return (text) => byPattern(patterns, rest, text, { wholeMatch: false })
  }
  throw new Undecided('evaluator-error', `unknown locator: ${rule}`)
}

type Grammar = {
  /** The entries that are no predicates. */
  without(entries: readonly Located[]): Promise<readonly Located[]>
  readonly hint: string
}

function grammarOf(grammar: string | null, patterns: Patterns): Grammar {
  const pattern = grammar?.startsWith('regex:') === true ? grammar.slice('regex:'.length) : null
  if (pattern === null)
    return {
      without: async (entries) => entries.filter(({ value }) => !isPredicate(value)),
      hint: 'state it with a comparison (<, >, <=, >=, ==, =, !=, ≤, ≥, ≠) or an assert( call'
    }
  compilePattern(pattern)
  return {
    async without(entries) {
      const lines = entries.map(({ value }) => value)
      const { matches } = await patterns.search({ pattern, lines, mode: 'first', limit: lines.length + 1 })
      const matching = new Set(matches.map(({ line }) => line))
      return entries.filter((_, index) => !matching.has(index))
    },
    hint: `must match ${pattern}`
  }
}

/** The built-in grammar: a comparison or an assert call. Arrows are no comparisons, and neither are words (CONC-76, CONC-77). */
export function isPredicate(entry: string): boolean {
  const withoutArrows = entry.replace(/[-=]+>/g, ' ')
  return /[<>=≤≥≠]/.test(withoutArrows) || /\bassert\s*\(/.test(entry)
}
