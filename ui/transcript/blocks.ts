import { Lexer, type Token, Tokenizer, type Tokens } from 'marked'
import { safeText } from '../../src/lib/safe-text.ts'

/**
 * Cuts growing Markdown into blocks (TERM-14). A block that is followed by another one is closed and never looked at again; only what
 * comes after it is read anew when text arrives. No block grows without limit: code and tables are cut after so many lines, lists
 * between items, anything else at the end of a line or sentence. Where a cut falls depends on the text alone and not on the pieces it
 * arrives in. `gap` asks for an empty line before the block.
 */
export type Block =
  | { readonly kind: 'markdown'; readonly raw: string; readonly gap: boolean }
  | { readonly kind: 'code'; readonly language: string; readonly text: string; readonly gap: boolean }
  /** Further rows of a table whose columns `head` decides: its header, delimiter and first rows. */
  | { readonly kind: 'table-rows'; readonly head: TableHead; readonly raw: string; readonly gap: boolean }

/** The first block of a long table; one object per table. */
export type TableHead = { readonly raw: string }

const CODE_LINES_MAX = 64
const TABLE_ROWS_MAX = 32
const BLOCK_CHARS_MAX = 4096
/** Lists items, quotes and HTML: a cut would lose what they are inside of, so it comes late. */
const CONTAINER_CHARS_MAX = 8192
/** Text is taken in by slices, so that one long text costs no more than the same text streamed. A longer line is cut. */
const SLICE_CHARS = 4096

type Mode =
  | { readonly kind: 'prose' }
  | {
      readonly kind: 'code'
      readonly fence: string
      readonly indent: number
      readonly language: string
      readonly begun: boolean
    }
  | { readonly kind: 'table'; readonly head: TableHead }

/** Reads one growing text. */
export class BlockReader {
  /** Blocks that are final, in order; only ever appended to. */
  readonly closed: Block[] = []
  private taken = 0
  private partial = ''
  private buffer = ''
  private mode: Mode = { kind: 'prose' }
  private gap = false
  private hasBegun = false

  /** Takes in the whole text so far, which must begin with what the last call was given. */
  feed(text: string): void {
    for (;;) {
      const slice = text.slice(this.taken, this.taken + SLICE_CHARS)
      const wholeLines = slice.lastIndexOf('\n') + 1
      const isLongLine = wholeLines === 0 && slice.length === SLICE_CHARS
      if (wholeLines === 0 && !isLongLine) {
        this.partial = readable(slice)
        return
      }
      const length = isLongLine ? sentenceEnd(slice) : wholeLines
      this.taken += length
      this.consume(readable(slice.slice(0, length)) + (isLongLine ? '\n' : ''), false)
    }
  }

  /** The blocks of what is not closed yet, as if the text ended here. */
  open(): Block[] {
    const rest = new BlockReader()
    rest.mode = this.mode
    rest.gap = this.gap
    rest.hasBegun = this.hasBegun
    rest.buffer = this.buffer
    rest.consume(this.partial, true)
    return rest.closed
  }

  private consume(text: string, isEnd: boolean): void {
    this.buffer += text
    while (this.buffer !== '' && this.step(isEnd)) {
      // Each step closes something, or there is nothing to close yet.
    }
  }

  private step(isEnd: boolean): boolean {
    switch (this.mode.kind) {
      case 'code':
        return this.stepCode(this.mode, isEnd)
      case 'table':
        return this.stepTable(this.mode.head, isEnd)
      case 'prose':
        return this.stepProse(isEnd)
    }
  }

  private stepProse(isEnd: boolean): boolean {
    const tokens = blockTokens(this.buffer)
    const last = isEnd ? tokens.length : tokens.findLastIndex((token) => token.type !== 'space')
    let at = 0
    let end = 0
    for (const [index, token] of tokens.entries()) {
      if (token.type === 'space') {
        this.gap = true
        end += token.raw.length
        at = end
        continue
      }
      if (isFenced(token) || isLongTable(token)) {
        this.buffer = this.buffer.slice(at)
        if (isFenced(token)) this.beginCode()
        else this.beginTable()
        return true
      }
      const parts = token.type === 'list' ? (token as Tokens.List).items : [token]
      for (const [partIndex, part] of parts.entries()) {
        const cut = cutPosition(token.type, part.raw)
        if (cut > 0) {
          this.pushMarkdown(part.raw.slice(0, cut), token.type)
          this.gap = false
          this.buffer = this.buffer.slice(at + cut)
          return true
        }
        if (index >= last && partIndex === parts.length - 1) {
          this.buffer = this.buffer.slice(at)
          return false
        }
        this.pushMarkdown(part.raw, token.type)
        at += part.raw.length
      }
      // The last item of a list comes without the line end that the list has.
      end += token.raw.length
      at = end
    }
    this.buffer = this.buffer.slice(at)
    return false
  }

  private beginCode(): void {
    const { line, rest } = firstLine(this.buffer)
    const [, indent = '', fence = '```', info = ''] = fenceLine.exec(line) ?? []
    const language = info.trim().split(/[\s,{]+/)[0] ?? ''
    this.buffer = rest
    this.gap = true
    this.mode = { kind: 'code', fence, indent: indent.length, language, begun: false }
  }

  private stepCode(mode: Extract<Mode, { kind: 'code' }>, isEnd: boolean): boolean {
    const lines: string[] = []
    let buffer = this.buffer
    let isOver = false
    while (buffer !== '' && lines.length < CODE_LINES_MAX) {
      if (!isEnd && !buffer.includes('\n')) break
      const { line, rest } = firstLine(buffer)
      buffer = rest
      isOver = closesFence(line, mode.fence)
      if (isOver) break
      lines.push(unindented(line, mode.indent))
    }
    if (!isOver && lines.length < CODE_LINES_MAX && !isEnd) return false
    if (lines.length > 0 || !mode.begun) {
      this.push({ kind: 'code', language: mode.language, text: lines.join('\n'), gap: this.gap })
    }
    this.gap = isOver
    this.buffer = buffer
    this.mode = isOver ? { kind: 'prose' } : { ...mode, begun: true }
    return true
  }

  private beginTable(): void {
    const head = leadingLines(this.buffer, TABLE_ROWS_MAX + 2)
    this.push({ kind: 'markdown', raw: head, gap: true })
    this.buffer = this.buffer.slice(head.length)
    this.mode = { kind: 'table', head: { raw: head } }
  }

  private stepTable(head: TableHead, isEnd: boolean): boolean {
    let rows = ''
    let count = 0
    let isOver = false
    while (count < TABLE_ROWS_MAX) {
      const { line, rest } = firstLine(this.buffer.slice(rows.length))
      const isWhole = this.buffer.length - rows.length > line.length
      if (line === '' && rest === '' && !isWhole) break
      if (!isWhole && !isEnd) break
      isOver = !line.includes('|')
      if (isOver) break
      rows += this.buffer.slice(rows.length, this.buffer.length - rest.length)
      count += 1
    }
    if (!isOver && count < TABLE_ROWS_MAX && !isEnd) return false
    if (count > 0) this.push({ kind: 'table-rows', head, raw: rows, gap: false })
    this.buffer = this.buffer.slice(rows.length)
    if (isOver) {
      this.mode = { kind: 'prose' }
      this.gap = true
    }
    return true
  }

  private pushMarkdown(raw: string, type: string): void {
    this.push({ kind: 'markdown', raw, gap: this.gap || standsApart(type) })
    this.gap = standsApart(type) || (type === 'list' && /\n[ \t]*\n$/.test(raw))
  }

  private push(block: Block): void {
    this.closed.push(this.hasBegun || !block.gap ? block : { ...block, gap: false })
    this.hasBegun = true
  }
}

// Quotes in lists in quotes, sixteen deep on one line. The lexer follows them by recursion, and nobody means them.
const deepNesting = /^((?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))){16})(?=[ \t]*[>\-*+\d])/gm

/** Safe text that the lexer can read: where a line nests without end, what follows is text. */
function readable(text: string): string {
  return safeText(text).replace(deepNesting, '$1\\')
}

// Links defined elsewhere in the text would change blocks that are closed already; such definitions stay text.
class StandaloneTokenizer extends Tokenizer {
  override def(): undefined {
    return undefined
  }
}

/** The top-level blocks of a text, without looking inside them. Their `raw` add up to the text. */
function blockTokens(text: string): Token[] {
  return new Lexer({ gfm: true, tokenizer: new StandaloneTokenizer() }).blockTokens(text)
}

const fenceLine = /^( {0,3})(`{3,}|~{3,})(.*)$/

function isFenced(token: Token): boolean {
  return token.type === 'code' && fenceLine.test(firstLine(token.raw).line)
}

function closesFence(line: string, fence: string): boolean {
  const end = line.trim()
  return end.length >= fence.length && end === (fence[0] ?? '`').repeat(end.length) && !/^ {4}/.test(line)
}

function isLongTable(token: Token): boolean {
  return token.type === 'table' && (token as Tokens.Table).rows.length > TABLE_ROWS_MAX
}

function standsApart(type: string): boolean {
  return type === 'table' || type === 'heading' || type === 'code'
}

/** Where to cut a block that is too long: behind the last line that ends before the limit. 0: it is not too long. */
function cutPosition(type: string, raw: string): number {
  const isContainer = type === 'list' || type === 'blockquote' || type === 'html'
  const max = isContainer ? CONTAINER_CHARS_MAX : BLOCK_CHARS_MAX
  if (raw.length <= max) return 0
  const cut = raw.lastIndexOf('\n', max - 1) + 1
  return cut > 0 ? cut : raw.indexOf('\n') + 1 || raw.length
}

/** Where to break a line that is too long: behind its last sentence, else its last word, else anywhere but inside a pair. */
function sentenceEnd(line: string): number {
  const half = line.length / 2
  for (const mark of ['. ', ' ']) {
    const at = line.lastIndexOf(mark)
    if (at > half) return at + mark.length
  }
  return line.slice(-1).isWellFormed() ? line.length : line.length - 1
}

function firstLine(text: string): { readonly line: string; readonly rest: string } {
  const end = text.indexOf('\n')
  return end === -1 ? { line: text, rest: '' } : { line: text.slice(0, end), rest: text.slice(end + 1) }
}

function leadingLines(text: string, count: number): string {
  let end = 0
  for (let left = count; left > 0; left--) {
    const next = text.indexOf('\n', end)
    if (next === -1) return text
    end = next + 1
  }
  return text.slice(0, end)
}

function unindented(line: string, indent: number): string {
  let at = 0
  while (at < indent && line[at] === ' ') at += 1
  return line.slice(at)
}
