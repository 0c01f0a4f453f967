// The parts of Markdown that concepts speak of: headings, sections, list items and table rows (CONC-36), with their lines. Read line by
// line and by hand, because a record needs the line of every entry, which Markdown parsers do not keep, and because files of up to
// 4 MiB from anybody have to be read in linear time. Fenced code is no structure.

export type Heading = {
  readonly level: number
  readonly text: string
  /** 0-based. */
  readonly line: number
}

export type Entry = {
  /** Names the entry in reports: its first token, or the first cell of a table row. */
  readonly id: string
  /** Every name the entry answers to as a target. */
  readonly keys: readonly string[]
  /** 0-based line where it begins. */
  readonly line: number
  /** Its own text, markers included. */
  readonly lines: readonly string[]
}

export type Section = { readonly heading: Heading; readonly start: number; readonly end: number }

/** The ATX headings of a document (CONC-36). */
export function headingsOf(lines: readonly string[]): readonly Heading[] {
  const headings: Heading[] = []
  const isCode = codeLines(lines)
  for (const [line, raw] of lines.entries()) {
    if (isCode[line]) continue
    const heading = headingAt(raw, line)
    if (heading !== null) headings.push(heading)
  }
  return headings
}

/**
 * The lines below the first heading with exactly this text, up to the next heading of the same or a higher level (CONC-36); null without
 * such a heading. `anyLevel` lets every heading end it.
 */
export function findSection(lines: readonly string[], text: string, { anyLevel = false } = {}): Section | null {
  const headings = headingsOf(lines)
  const heading = headings.find((candidate) => candidate.text === text)
  if (heading === undefined) return null
  const next = headings.find(({ line, level }) => line > heading.line && (anyLevel || level <= heading.level))
  return { heading, start: heading.line + 1, end: next?.line ?? lines.length }
}

/** Entries of a section: list items, table body rows and sub-headings one level down, in the order of their lines (CONC-36). */
export function sectionEntries(lines: readonly string[], section: Section): readonly Entry[] {
  const headings = headingsOf(lines).filter(({ line }) => line >= section.start && line < section.end)
  const subHeadings = headings
    .filter(({ level }) => level === section.heading.level + 1)
    .map((heading) => {
      const next = headings.find(({ line, level }) => line > heading.line && level <= heading.level)
      const id = idOf(firstToken(heading.text))
      return { id, keys: [id], line: heading.line, lines: lines.slice(heading.line, next?.line ?? section.end) }
    })
  return [...subHeadings, ...listItems(lines, section), ...tableRows(lines, section)].sort((a, b) => a.line - b.line)
}

/** The outermost list items between two lines, each with all that is indented below it (CONC-36). */
export function listItems(
  lines: readonly string[],
  range: { readonly start: number; readonly end: number }
): readonly Entry[] {
  const isCode = codeLines(lines)
  const entries: Entry[] = []
  let open: { line: number; content: number; text: string; end: number } | null = null
  const close = () => {
    if (open === null) return
    const id = idOf(firstToken(open.text))
    entries.push({ id, keys: [id], line: open.line, lines: lines.slice(open.line, open.end) })
    open = null
  }
  let afterBlank = false
  for (let line = range.start; line < range.end; line += 1) {
    const raw = lines[line] ?? ''
    const indent = indentOf(raw)
    const item = isCode[line] ? null : itemAt(raw)
    if (raw.trim() === '') {
      afterBlank = true
      continue
    }
    if (item !== null && (open === null || indent < open.content)) {
      close()
      open = { line, content: item.content, text: item.text, end: line + 1 }
    } else if (open !== null) {
      // What is indented belongs to the item; so does text that runs on without a blank line.
      const belongs = indent >= Math.min(open.content, 2) || (!afterBlank && headingAt(raw, line) === null)
      if (belongs) open.end = line + 1
      else close()
    }
    afterBlank = false
  }
  close()
  return entries
}

function tableRows(lines: readonly string[], { start, end }: Section): readonly Entry[] {
  const isCode = codeLines(lines)
  const entries: Entry[] = []
  for (let line = start + 1; line < end; line += 1) {
    const isTable = !isCode[line] && isDelimiterRow(lines[line] ?? '') && (lines[line - 1] ?? '').includes('|')
    if (!isTable) continue
    for (line += 1; line < end && (lines[line] ?? '').includes('|'); line += 1) {
      const raw = lines[line] ?? ''
      const cell = cellsOf(raw).find((text) => text !== '')
      if (cell === undefined) continue
      const id = idOf(cell)
      entries.push({ id, keys: [...new Set([id, idOf(firstToken(cell))])], line, lines: [raw] })
    }
  }
  return entries
}

/** The cells of a table row, trimmed (CONC-36); an escaped bar is a letter. */
export function cellsOf(row: string): readonly string[] {
  const inner = row
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'))
}

/** Without emphasis, code marks and a trailing colon. */
function idOf(token: string): string {
  const bare = token.replace(/^[*`~]+/, '').replace(/[*`~:]+$/, '')
  return bare.length > 2 && bare.startsWith('_') && bare.endsWith('_') ? bare.replace(/^_+|_+$/g, '') : bare
}

function firstToken(text: string): string {
  return text.trim().split(/\s/, 1)[0] ?? ''
}

function headingAt(raw: string, line: number): Heading | null {
  const match = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/.exec(raw)
  if (match === null) return null
  const text = (match[2] ?? '').trim()
  // Closing hashes are decoration, if a space stands before them.
  let end = text.length
  while (text.charAt(end - 1) === '#') end -= 1
  const closed = end < text.length && (end === 0 || text.charAt(end - 1) === ' ')
  return { level: match[1]?.length ?? 1, text: closed ? text.slice(0, end).trim() : text, line }
}

function itemAt(raw: string): { readonly content: number; readonly text: string } | null {
  const match = /^([ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+)(\S.*)$/.exec(raw)
  if (match === null || /^(?:[-*][ \t]*){3,}$/.test(raw.trim())) return null
  return { content: (match[1] ?? '').length, text: match[2] ?? '' }
}

function indentOf(raw: string): number {
  return raw.length - raw.trimStart().length
}

function isDelimiterRow(raw: string): boolean {
  return raw.includes('-') && /^[ \t|:-]+$/.test(raw) && cellsOf(raw).every((cell) => /^:?-+:?$/.test(cell))
}

/** Which lines stand in fenced code, the fences included. */
function codeLines(lines: readonly string[]): readonly boolean[] {
  let fence: string | null = null
  return lines.map((raw) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(raw)?.[1]
    if (fence === null) {
      if (mark === undefined) return false
      fence = mark
    } else if (mark?.charAt(0) === fence.charAt(0) && mark.length >= fence.length && raw.trim() === mark) {
      fence = null
    }
    return true
  })
}
