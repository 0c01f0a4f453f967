import { createLineWriter } from './markdown-lines.ts'

/** Writes Markdown as a page's elements open and close; each opening method returns what to call at the end. */
export type MarkdownWriter = {
  text(text: string): void
  lineBreak(): void
  block(options: BlockOptions): () => void
  /** `start` is the first number of an ordered list, null for bullets. */
  list(start: number | null): () => void
  item(): () => void
  preformatted(language: string): () => void
  code(language: string): () => void
  /** With null only the text is kept. */
  link(target: string | null): () => void
  table(): () => void
  row(): () => void
  cell(): () => void
  end(): string
}

type BlockOptions = {
  /** An empty line before and after, or only a line of its own. */
  readonly apart: boolean
  /** Goes before the first line. */
  readonly marker?: string
  /** Goes before every further line. */
  readonly continuation?: string
  /** The marker is all there is. */
  readonly isRule?: boolean
}

type Inline = { readonly opening: string; readonly closing: string }
/** A table lays a page out when another one stands in its cells; its cells are then blocks, not columns. */
type Table = { isLayout: boolean; rows: number; cells: string[] | null; cell: string[] | null }

/** Writes Markdown from the events of a page, in time linear in their number, however deep they nest. */
export function createMarkdownWriter(): MarkdownWriter {
  const lists: (number | null)[] = []
  const tables: Table[] = []
  const inlines: Inline[] = []
  /** How many of `inlines` have text and therefore their opening written. */
  let opened = 0
  let pre: { language: string; readonly parts: string[] } | null = null

  const currentCell = () => tables.at(-1)?.cell ?? null
  const lines = createLineWriter(currentCell)
  const { breakLine, put, putLines } = lines

  const putText = (piece: string) => {
    if (opened < inlines.length) {
      put(
        inlines
          .slice(opened)
          .map(({ opening }) => opening)
          .join('')
      )
      opened = inlines.length
    }
    put(piece)
  }

  const inline = (opening: string, closing: string) => {
    inlines.push({ opening, closing })
    return () => {
      inlines.pop()
      if (opened <= inlines.length) return
      opened = inlines.length
      // The blank that was due inside belongs behind the closing mark.
      lines.putTight(closing)
    }
  }

  const block = ({ apart, marker, continuation = '', isRule = false }: BlockOptions) => {
    const newlines = apart ? 2 : 1
    breakLine(newlines)
    if (isRule) {
      if (marker !== undefined && currentCell() === null) put(marker)
      return () => breakLine(newlines)
    }
    const leave = lines.enter({ marker: marker ?? null, continuation })
    return () => {
      leave()
      breakLine(newlines)
    }
  }

  const endPre = () => {
    if (pre === null) return
    const { language, parts } = pre
    pre = null
    const body = parts.join('').replaceAll('\r\n', '\n')
    const fence = '`'.repeat(Math.max(3, longestRun(body, '`') + 1))
    breakLine(2)
    if (currentCell() === null) putLines([`${fence}${language}`, ...withoutOuterNewlines(body).split('\n'), fence])
    else putText(collapse(body).trim())
    breakLine(2)
  }

  /** A table inside a cell: what the outer row had so far becomes plain lines. */
  const makeLayout = (table: Table) => {
    if (table.isLayout) return
    const texts = [...(table.cells ?? []), (table.cell ?? []).join('')].filter((text) => text.trim() !== '')
    table.isLayout = true
    table.cells = null
    table.cell = null
    lines.owesSpace = false
    breakLine(1)
    putLines(texts.map((text) => text.trim()))
  }

  const endRow = (table: Table) => {
    const cells = table.cells
    table.cells = null
    table.cell = null
    if (table.isLayout || cells === null || cells.every((cell) => cell === '')) return
    breakLine(1)
    put(`| ${cells.join(' | ')} |`)
    table.rows += 1
    if (table.rows === 1) {
      breakLine(1)
      put(`|${' --- |'.repeat(cells.length)}`)
    }
    breakLine(1)
  }

  return {
    text(text) {
      if (pre !== null) {
        pre.parts.push(text)
        return
      }
      const collapsed = collapse(text)
      if (collapsed === '') return
      if (collapsed.startsWith(' ')) lines.owesSpace = true
      const words = collapsed.trim()
      if (words === '') return
      putText(words)
      lines.owesSpace = collapsed.endsWith(' ')
    },
    lineBreak() {
      if (pre !== null) pre.parts.push('\n')
      else breakLine(1)
    },
    block,
    list(start) {
      const isNested = lists.length > 0
      breakLine(isNested ? 1 : 2)
      lists.push(start)
      return () => {
        lists.pop()
        breakLine(isNested ? 1 : 2)
      }
    },
    item() {
      const number = lists.at(-1) ?? null
      if (number !== null) lists[lists.length - 1] = number + 1
      const marker = number === null ? '- ' : `${number}. `
      return block({ apart: false, marker, continuation: ' '.repeat(marker.length) })
    },
    preformatted(language) {
      if (pre !== null) return () => undefined
      pre = { language, parts: [] }
      return endPre
    },
    code(language) {
      if (pre === null) return inline('`', '`')
      if (pre.language === '') pre.language = language
      return () => undefined
    },
    link: (target) => (target === null || pre !== null ? () => undefined : inline('[', `](${target})`)),
    table() {
      const outer = tables.at(-1)
      if (outer !== undefined && outer.cell !== null) makeLayout(outer)
      breakLine(2)
      const table: Table = { isLayout: false, rows: 0, cells: null, cell: null }
      tables.push(table)
      return () => {
        endRow(table)
        tables.splice(tables.lastIndexOf(table), 1)
        breakLine(2)
      }
    },
    row() {
      const table = tables.at(-1)
      if (table === undefined) return () => undefined
      endRow(table)
      if (!table.isLayout) table.cells = []
      return () => endRow(table)
    },
    cell() {
      const table = tables.at(-1)
      if (table === undefined || table.isLayout) {
        breakLine(1)
        return () => breakLine(1)
      }
      table.cells ??= []
      table.cell = []
      lines.owesSpace = false
      return () => {
        if (table.cell === null) return
        table.cells?.push(table.cell.join('').trim().replaceAll('|', '\\|'))
        table.cell = null
        lines.owesSpace = false
      }
    },
    end() {
      endPre()
      for (const table of tables.splice(0)) endRow(table)
      return lines.text()
    }
  }
}

const blanks = new Set([' ', '\n', '\t', '\r', '\f', '\u00a0'])
const isBlank = (char: string) => blanks.has(char)

/** Runs of blanks become one, the non-breaking ones included. */
function collapse(text: string): string {
  let collapsed = ''
  let from = 0
  for (let at = 0; at < text.length; at += 1) {
    if (!isBlank(text.charAt(at))) continue
    collapsed += `${text.slice(from, at)} `
    while (at + 1 < text.length && isBlank(text.charAt(at + 1))) at += 1
    from = at + 1
  }
  return collapsed + text.slice(from)
}

function longestRun(text: string, char: string): number {
  let longest = 0
  let run = 0
  for (const letter of text) {
    run = letter === char ? run + 1 : 0
    longest = Math.max(longest, run)
  }
  return longest
}

function withoutOuterNewlines(text: string): string {
  const from = text.startsWith('\n') ? 1 : 0
  let to = text.length
  while (to > from && isBlank(text.charAt(to - 1))) to -= 1
  return text.slice(from, to)
}
