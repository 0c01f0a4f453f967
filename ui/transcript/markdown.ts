import { Lexer, type Token, type Tokens } from 'marked'
import { cellWidth } from '../../src/lib/width.ts'
import { emptyLine, prefixed, span, wrapSpans } from '../parts/lines.ts'
import type { Line, Span } from '../theme/style.ts'
import type { TableHead } from './blocks.ts'
import { codeLines } from './code.ts'
import { inlineSpans } from './inline.ts'
import type { Pen } from './pen.ts'
import { tableLines } from './table.ts'

/** One block of safe Markdown text as lines of at most `width` cells. Line ends of the source stay line ends. */
export function markdownLines(raw: string, width: number, pen: Pen): Line[] {
  return blockLines(lexed(raw), width, pen)
}

/** Further rows of a table, in the columns that its head was given. */
export function tableRowLines(head: TableHead, raw: string, width: number, pen: Pen): Line[] {
  const table = headTable(head)
  const delimiter = head.raw.split('\n', 2).join('\n')
  const [rows] = lexed(`${delimiter}\n${raw}`)
  if (table === null || rows?.type !== 'table') return blockLines(lexed(raw), width, pen)
  return tableLines(rows as Tokens.Table, width, pen, table)
}

// Every further block of a long table asks for the same head.
const headTables = new WeakMap<TableHead, Tokens.Table | null>()

function headTable(head: TableHead): Tokens.Table | null {
  let table = headTables.get(head)
  if (table === undefined) {
    const [token] = lexed(head.raw)
    table = token?.type === 'table' ? (token as Tokens.Table) : null
    headTables.set(head, table)
  }
  return table
}

function lexed(raw: string): Token[] {
  return new Lexer({ gfm: true }).lex(raw)
}

function blockLines(tokens: readonly Token[], width: number, pen: Pen): Line[] {
  const lines: Line[] = []
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'space') {
      if (lines.length > 0 && index < tokens.length - 1) lines.push(emptyLine)
      continue
    }
    lines.push(...tokenLines(token, width, pen))
  }
  return lines
}

function tokenLines(token: Token, width: number, pen: Pen): Line[] {
  switch (token.type) {
    case 'heading': {
      const { depth, tokens = [] } = token as Tokens.Heading
      return wrapSpans(inlineSpans(tokens, depth <= 2 ? { bold: true, tone: 'accent' } : { bold: true }), width)
    }
    case 'code': {
      const { text, lang } = token as Tokens.Code
      return codeLines(text, lang?.split(/\s/)[0] ?? '', width, pen)
    }
    case 'table':
      return tableLines(token as Tokens.Table, width, pen)
    case 'list':
      return (token as Tokens.List).items.flatMap((item) => itemLines(item, width, pen))
    case 'blockquote': {
      const mark = [span(`${pen.glyphs.quote} `, { tone: 'dim' })]
      return prefixed(blockLines((token as Tokens.Blockquote).tokens, Math.max(1, width - 2), pen), mark, mark)
    }
    case 'hr':
      return [{ spans: [span(pen.glyphs.rule.repeat(width), { tone: 'dim' })], width }]
    case 'html':
      return wrapSpans([span(token.raw.trimEnd(), { tone: 'dim' })], width)
    default:
      return wrapSpans(
        'tokens' in token && token.tokens ? inlineSpans(token.tokens) : [span(token.raw.trimEnd())],
        width
      )
  }
}

/** An item with the mark its author wrote: a list is cut between items, so nobody knows its number but the text. */
function itemLines(item: Tokens.ListItem, width: number, pen: Pen): Line[] {
  const written = /^\s*(\d{1,9}[.)])/.exec(item.raw)?.[1]
  const mark = `${written ?? pen.glyphs.bullet} `
  const first: Span[] = [span(mark, { tone: 'accent' })]
  const rest: Span[] = [span(' '.repeat(cellWidth(mark)))]
  // The box of a task stands before its text; in a loose list it is part of it.
  const [box, ...others] = item.tokens
  const isBoxed = box?.type === 'checkbox'
  if (isBoxed) first.push(span(box.raw))
  const boxWidth = isBoxed ? cellWidth(box.raw) : 0
  const lines = blockLines(isBoxed ? others : item.tokens, Math.max(1, width - cellWidth(mark) - boxWidth), pen)
  return prefixed(lines.length === 0 ? [emptyLine] : lines, first, rest)
}
