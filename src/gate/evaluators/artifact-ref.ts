import type { EvaluationContext } from '../../protocol/evaluation.ts'
import { cellsOf, type Entry, findSection, headingsOf, listItems, sectionEntries } from './markdown.ts'
import { linesOf } from './read-text.ts'
import { type Scan, scanTexts } from './scan.ts'
import { listFiles } from './walk.ts'

// What an artifact-ref selects: the files of a glob, the entries of `path#Heading`, or the one entry that
// carries a manual id.

export type ArtifactRef =
  | { readonly kind: 'glob'; readonly glob: string }
  | { readonly kind: 'section'; readonly path: string; readonly heading: string }
  | { readonly kind: 'id'; readonly id: string }

/** An entry with the file it stands in. */
export type Located = Entry & { readonly file: string }

type Walk = Pick<EvaluationContext, 'projectDir' | 'signal'>

/** Reads the text form. A word without path or glob letters, such as `INV-001`, is a manual id. */
export function parseArtifactRef(ref: string): ArtifactRef {
  const hash = ref.indexOf('#')
  if (hash > 0 && hash < ref.length - 1)
    return { kind: 'section', path: ref.slice(0, hash), heading: ref.slice(hash + 1).trim() }
  return /^[A-Za-z][A-Za-z0-9_-]*$/.test(ref) ? { kind: 'id', id: ref } : { kind: 'glob', glob: ref }
}

/** Hands every entry to `visit`: one per file of a glob (its whole text), or those of the section or id (CONC-36, CONC-69). */
export async function eachEntry(
  context: Walk,
  ref: ArtifactRef,
  visit: (entry: Located) => void | Promise<void>
): Promise<Scan> {
  switch (ref.kind) {
    case 'glob':
      return scanTexts(context, ref.glob, (file, text) =>
        visit({ id: file, keys: fileKeys(file, ref.glob), file, line: 0, lines: linesOf(text) })
      )
    case 'section':
      return scanTexts(context, ref.path, async (file, text) => {
        const lines = linesOf(text)
        const section = findSection(lines, ref.heading)
        for (const entry of section === null ? [] : sectionEntries(lines, section)) await visit({ ...entry, file })
      })
    case 'id': {
      const found: Located[] = []
      const scan = await scanTexts(context, '**/*.md', (file, text) => {
        for (const entry of entriesWithId(linesOf(text), ref.id)) found.push({ ...entry, file })
      })
      for (const entry of found) await visit(entry)
      return scan
    }
  }
}

/** What may be linked to. */
export type TargetIndex = {
  /** Key → where its targets are; several may share one (CONC-70). */
  readonly targets: ReadonlyMap<string, readonly string[]>
  readonly count: number
  /** Nothing the reference names exists: no file, no such heading, no such id. */
  readonly absent: boolean
  readonly scan: Scan
}

/**
 * The targets of a reference (CONC-70, CONC-56). `withContent` adds the ids that files of a glob declare inside: `@id:X` tags and `id: X`
 * lines.
 */
export async function targetIndex(context: Walk, ref: ArtifactRef, { withContent = false } = {}): Promise<TargetIndex> {
  const targets = new Map<string, string[]>()
  const add = (key: string, where: string) => {
    const known = targets.get(key)
    if (known === undefined) targets.set(key, [where])
    else if (!known.includes(where)) known.push(where)
  }
  if (ref.kind === 'glob' && !withContent) {
    const { files, skipped } = await listFiles(context, ref.glob)
    for (const file of files) for (const key of fileKeys(file, ref.glob)) add(key, file)
    return { targets, count: files.length, absent: files.length === 0, scan: { fileCount: files.length, skipped } }
  }
  let count = 0
  const scan = await eachEntry(context, ref, (entry) => {
    count += 1
    const where = ref.kind === 'glob' ? entry.file : `${entry.file}:${entry.line + 1}`
    for (const key of entry.keys) add(key, where)
    if (ref.kind === 'glob') for (const { id, line } of declaredIds(entry.lines)) add(id, `${entry.file}:${line + 1}`)
  })
  if (ref.kind === 'glob')
    for (const { file } of scan.skipped) for (const key of fileKeys(file, ref.glob)) add(key, file)
  const exists = ref.kind === 'section' ? await hasHeading(context, ref.path, ref.heading) : count > 0
  return { targets, count, absent: !exists, scan }
}

/**
 * A file answers to its relative path, its base name, and its base name without extension (CONC-70); where the glob spells a longer one,
 * as `*.spec.md` does, without that too, or `INT-1` could never mean `INT-1.spec.md`.
 */
function fileKeys(file: string, glob: string): readonly string[] {
  const base = file.slice(file.lastIndexOf('/') + 1)
  const dot = base.lastIndexOf('.')
  const spelled = /\*(\.[^*?[\]\\/]+)$/.exec(glob)?.[1] ?? ''
  const isSpelled = spelled !== '' && base.length > spelled.length && base.endsWith(spelled)
  return [
    ...new Set([
      file,
      base,
      dot > 0 ? base.slice(0, dot) : base,
      isSpelled ? base.slice(0, base.length - spelled.length) : base
    ])
  ]
}

async function hasHeading(context: Walk, path: string, heading: string): Promise<boolean> {
  let found = false
  await scanTexts(context, path, (_, text) => {
    found ||= findSection(linesOf(text), heading) !== null
  })
  return found
}

function declaredIds(lines: readonly string[]): readonly { readonly id: string; readonly line: number }[] {
  return lines.flatMap((text, line) =>
    [...text.matchAll(/(?:@id:|^\s*(?:[-*]\s+)?id:\s*)([^\s,;|]+)/g)].map(([, id = '']) => ({ id, line }))
  )
}

/** The list items, table rows and heading blocks that carry `id: <id>` (GATE-87). */
export function entriesWithId(lines: readonly string[], id: string): readonly Entry[] {
  const whole = { start: 0, end: lines.length }
  const carries = (text: string) =>
    [...text.matchAll(/(?<![\w-])id:\s*[`*_]*([A-Za-z][\w-]*)/g)].some((m) => m[1] === id)
  const named = (entry: Entry): Entry => ({ ...entry, id, keys: [id] })
  const items = listItems(lines, whole).filter(({ lines: own }) => own.some(carries))
  const inItems = new Set(items.flatMap(({ line, lines: own }) => own.map((_, index) => line + index)))
  const rows = rowsWithId(lines, id, carries)
  const taken = new Set([...inItems, ...rows.map(({ line }) => line)])
  const headings = headingsOf(lines)
  const blocks = headings.flatMap((heading, index) => {
    // The id counts for the innermost block that holds it; the block then reaches to the next heading of its level or higher.
    const until = headings[index + 1]?.line ?? lines.length
    const own = lines.slice(heading.line, until)
    if (!own.some((text, at) => carries(text) && !taken.has(heading.line + at))) return []
    const next = headings.find(({ line, level }) => line > heading.line && level <= heading.level)
    return [{ id, keys: [id], line: heading.line, lines: lines.slice(heading.line, next?.line ?? lines.length) }]
  })
  return [...items.map(named), ...rows, ...blocks].sort((a, b) => a.line - b.line)
}

/** Rows that say `id: X`, and rows of a table with a column `id` that holds it. */
function rowsWithId(lines: readonly string[], id: string, carries: (text: string) => boolean): readonly Entry[] {
  const rows: Entry[] = []
  let column = -1
  for (const [line, raw] of lines.entries()) {
    if (!raw.trimStart().startsWith('|')) {
      column = -1
      continue
    }
    const cells = cellsOf(raw).map((cell) => cell.replace(/^[*`_]+|[*`_]+$/g, ''))
    const isHeader = column === -1 && cells.some((cell) => cell.toLowerCase() === 'id')
    if (isHeader) column = cells.findIndex((cell) => cell.toLowerCase() === 'id')
    else if (carries(raw) || (column !== -1 && cells[column] === id)) rows.push({ id, keys: [id], line, lines: [raw] })
  }
  return rows
}
