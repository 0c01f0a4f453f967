import { join } from 'node:path'
import { readRegular } from '../../platform/regular-file.ts'
import type { BoundedContext } from '../../protocol/grid.ts'
import { languageOf } from './languages.ts'
import type { Profile } from './profile.ts'

// Exported names that no specification mentions: where an analyst of existing code may begin to ask (INIT-111).

export type Candidate = { readonly context: string; readonly symbol: string; readonly file: string }

export type Divergences = {
  readonly candidates: readonly Candidate[]
  /** Languages nobody can list the exports of; told, not passed over. */
  readonly gaps: readonly string[]
}

const maxSourceBytes = 16 * 1024 * 1024
const maxSpecBytes = 1024 * 1024
const maxSpecsBytes = 64 * 1024 * 1024

/** Looks through the sources under each context for exported names that no file under `specs/` has as a whole word (INIT-111). */
export function findDivergences(dir: string, profile: Profile, contexts: readonly BoundedContext[]): Divergences {
  const mentioned = wordsOfSpecs(dir, profile)
  const candidates: Candidate[] = []
  const gaps = new Set<string>()
  for (const file of profile.tree.files) {
    const context = contextOf(file, profile, contexts)
    const language = languageOf(file)
    if (context === null || language === null) continue
    const extract = exportsIn[language]
    if (extract === undefined) {
      gaps.add(language)
      continue
    }
    const text = readUpTo(join(dir, file), maxSourceBytes)
    if (text === null) continue
    for (const symbol of new Set(extract(text))) if (!mentioned.has(symbol)) candidates.push({ context, symbol, file })
  }
  return { candidates, gaps: [...gaps].toSorted() }
}

/** The file the analyst gets, as Markdown (INIT-111). */
export function divergenceText({ candidates, gaps }: Divergences): string {
  const contexts = [...new Set(candidates.map(({ context }) => context))]
  const sections = contexts.map((context) => {
    const lines = candidates
      .filter((candidate) => candidate.context === context)
      .map(({ symbol, file }) => `- \`${symbol}\` in ${file}`)
    return `## ${context}\n\n${lines.join('\n')}\n`
  })
  const missing = gaps.length === 0 ? '' : `Not looked at, for want of an extractor: ${gaps.join(', ')}.\n\n`
  const intro = 'Exported names that nothing under `specs/` mentions: intended, forgotten, or no longer wanted?'
  return `# Divergence candidates\n\n${intro}\n\n${missing}${sections.join('\n')}`
}

/** A file belongs to the context its folder is named after; with one context, all source does. */
function contextOf(file: string, { detected }: Profile, contexts: readonly BoundedContext[]): string | null {
  const [first, second] = file.split('/')
  if (/^(?:tests?|specs|docs)\//.test(file)) return null
  const named = contexts.find(({ id }) => first === (detected.root ?? 'src') && second === id)
  if (named !== undefined) return named.id
  return contexts.length === 1 ? (contexts[0]?.id ?? null) : null
}

function wordsOfSpecs(dir: string, { tree }: Profile): ReadonlySet<string> {
  const words = new Set<string>()
  let read = 0
  for (const file of tree.files) {
    if (!file.startsWith('specs/')) continue
    const text = readUpTo(join(dir, file), Math.min(maxSpecBytes, maxSpecsBytes - read))
    if (text === null) continue
    read += Buffer.byteLength(text)
    for (const [word] of text.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) words.add(word)
  }
  return words
}

function readUpTo(path: string, limit: number): string | null {
  try {
    return readRegular(path, limit).toString('utf8')
  } catch {
    return null // too long, gone or closed to us since it was listed
  }
}

type Extract = (text: string) => readonly string[]

// Each pattern looks ahead of a line's beginning by a bounded way only: sources come from anybody, and 16 MiB of them must end.

const ecmaScript: Extract = (text) => [
  ...captures(
    text,
    /^export\s+(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|const|let|var|type|interface|enum|namespace)\s+([\p{L}_$][\p{L}\p{N}_$]*)/gmu
  ),
  ...[...text.matchAll(/^export\s+(?:type\s+)?\{([^{}]{0,10000})\}/gm)].flatMap(([, names = '']) =>
    names.split(',').flatMap((name) => /([\p{L}_$][\p{L}\p{N}_$]*)\s*$/u.exec(name)?.[1] ?? [])
  )
]

/** Names a file exports, by what its language calls exported. */
const exportsIn: Readonly<Record<string, Extract>> = {
  typescript: ecmaScript,
  javascript: ecmaScript,
  go: (text) => captures(text, /^(?:func(?:[ \t]*\([^)\n]{0,1000}\))?|type|var|const)[ \t]+(\p{Lu}[\p{L}\p{N}_]*)/gmu),
  python: (text) => captures(text, /^(?:async\s+)?(?:def|class)\s+(\p{L}[\p{L}\p{N}_]*)/gmu),
  rust: (text) =>
    captures(
      text,
      /^[ \t]*pub\s+(?:async\s+|const\s+|unsafe\s+)*(?:fn|struct|enum|trait|type|const|static|mod)\s+([\p{L}_][\p{L}\p{N}_]*)/gmu
    )
}

function captures(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].flatMap(([, name]) => name ?? [])
}
