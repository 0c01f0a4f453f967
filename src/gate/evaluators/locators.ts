import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type ParsedNode,
  parseAllDocuments
} from 'yaml'
import { messageOf } from '../../lib/error.ts'
import { findSection, headingsOf, listItems } from './markdown.ts'
import type { Patterns } from './patterns.ts'
import { linesOf } from './read-text.ts'
import { Undecided } from './result.ts'

// How a concept finds values in a file: one function per form of locator (CONC-73, CONC-75).

export type LocatedValue = {
  readonly value: string
  /** 0-based. */
  readonly line: number
}

/** Values one file may hold; an alias in YAML can stand for more than anybody wrote. */
const maxValues = 100_000
/** Aliases followed per file; each look-up goes through the whole document. */
const maxAliases = 1000

/**
 * Captures (or whole matches) of a pattern, one per line (CONC-73, CONC-75). `wholeMatch` decides what counts without a capture group.
 */
export async function byPattern(
  patterns: Patterns,
  pattern: string,
  text: string,
  { wholeMatch }: { readonly wholeMatch: boolean }
): Promise<readonly LocatedValue[]> {
  const { matches } = await patterns.search({ pattern, lines: linesOf(text), mode: 'first', limit: maxValues })
  return matches.flatMap(({ line, groups }) => {
    const value = groups.length > 1 ? groups[1] : wholeMatch ? groups[0] : null
    return value === null || value === undefined ? [] : [{ value, line }]
  })
}

/**
 * Scalars at a dotted path such as `a.b` or `a[].id` in every document of a YAML text (CONC-73, CONC-75); a sequence at its end gives its
 * scalars. null: the text is not YAML.
 */
export function byYamlPath(path: string, text: string): readonly LocatedValue[] | null {
  const steps = parseYamlPath(path)
  const counter = new LineCounter()
  const values: LocatedValue[] = []
  let aliases = 0
  for (const document of documentsOf(text, counter)) {
    if (document.errors.length > 0) return null
    const resolve = (node: unknown): Node | null => {
      if (isAlias(node)) {
        aliases += 1
        if (aliases > maxAliases) throw new Undecided('evaluator-error', 'too many aliases in one file')
        return node.resolve(document) ?? null
      }
      return isMap(node) || isSeq(node) || isScalar(node) ? node : null
    }
    const collect = (node: unknown) => {
      const scalar = resolve(node)
      if (!isScalar(scalar) || scalar.value === null) return
      if (values.length >= maxValues) throw new Undecided('evaluator-error', 'too many values in one file')
      const offset = (node as Node).range?.[0] ?? 0
      values.push({ value: String(scalar.value), line: Math.max(0, counter.linePos(offset).line - 1) })
    }
    const descend = (node: unknown, at: number): void => {
      const here = resolve(node)
      const step = steps[at]
      if (step === undefined) {
        if (isSeq(here)) for (const item of here.items) collect(item)
        else collect(node)
      } else if (step === '[]') {
        if (isSeq(here)) for (const item of here.items) descend(item, at + 1)
      } else if (isMap(here)) descend(here.get(step, true), at + 1)
    }
    descend(document.contents, 0)
  }
  return values
}

function documentsOf(text: string, lineCounter: LineCounter): readonly Document.Parsed<ParsedNode>[] {
  try {
    return [...parseAllDocuments<ParsedNode>(text, { lineCounter, logLevel: 'silent' })]
  } catch (thrown) {
    // Nesting beyond what the parser's stack holds.
    throw new Undecided('evaluator-error', `not readable as YAML: ${messageOf(thrown)}`)
  }
}

/** Text of the headings of one level (CONC-73). */
export function byHeading(level: number, text: string): readonly LocatedValue[] {
  return headingsOf(linesOf(text))
    .filter((heading) => heading.level === level)
    .map(({ text: value, line }) => ({ value, line }))
}

/** List items under the heading with exactly this text, until the next heading (CONC-75). */
export function bySectionItems(heading: string, text: string): readonly LocatedValue[] {
  const lines = linesOf(text)
  const section = findSection(lines, heading, { anyLevel: true })
  if (section === null) return []
  return listItems(lines, section).map(({ lines: own, line }) => ({ value: own.join('\n').trim(), line }))
}

/** Steps of a YAML path: names, and `[]` for every element of a sequence. */
function parseYamlPath(path: string): readonly string[] {
  const steps = path.split('.').flatMap((part) => {
    const [, name = '', brackets = ''] = /^([^[\]]*)((?:\[\])*)$/.exec(part) ?? []
    if (name === '' && brackets === '') throw new Undecided('evaluator-error', `malformed yaml-path: ${path}`)
    return [...(name === '' ? [] : [name]), ...(brackets.match(/\[\]/g) ?? [])]
  })
  return steps
}
