// The line level of a Markdown text: which line ends, prefixes and blanks stand between its pieces. What they mean is the writer's.

/** What stands before each line inside a block: the marker once, then the continuation. */
export type Container = { marker: string | null; readonly continuation: string }

export type LineWriter = {
  /** The next piece begins a line: a new one, or one behind an empty line. In a cell it only stands apart. */
  breakLine(newlines: 1 | 2): void
  /** Whether a blank is due before the next piece. */
  owesSpace: boolean
  /** Puts a piece of a line down, with the line ends, prefixes and the blank that are due before it. */
  put(piece: string): void
  /** Puts a piece directly behind the last one; what was due comes after it. */
  putTight(piece: string): void
  /** Puts whole lines down, one below the other. */
  putLines(lines: readonly string[]): void
  /** Begins a block; returns what ends it. */
  enter(container: Container): () => void
  /** The whole text, without blanks around it. */
  text(): string
}

/** Deeper lists and quotes stay at this level, so that indentation cannot outgrow the text. */
const maxIndent = 12

/** An empty text. While `cell` gives the pieces of a table's cell, what is put down goes there. */
export function createLineWriter(cell: () => string[] | null): LineWriter {
  const out: string[] = []
  const containers: Container[] = []
  let isEmpty = true
  let owedLines = 0

  const linePrefix = () => {
    let prefix = ''
    for (const container of containers.slice(0, maxIndent)) {
      prefix += container.marker ?? container.continuation
      container.marker = null
    }
    for (const container of containers.slice(maxIndent)) {
      prefix += container.marker ?? ''
      container.marker = null
    }
    return prefix
  }
  const putIntoCell = (into: string[], piece: string) => {
    if (lines.owesSpace && into.length > 0) into.push(' ')
    into.push(piece)
  }
  const putIntoLine = (piece: string) => {
    if (isEmpty || owedLines > 0) {
      if (!isEmpty) out.push('\n'.repeat(owedLines))
      out.push(linePrefix())
    } else if (lines.owesSpace) out.push(' ')
    isEmpty = false
    owedLines = 0
    out.push(piece)
  }

  const lines: LineWriter = {
    owesSpace: false,
    breakLine(newlines) {
      if (cell() !== null) lines.owesSpace = true
      else owedLines = Math.max(owedLines, newlines)
    },
    put(piece) {
      const into = cell()
      if (into === null) putIntoLine(piece)
      else putIntoCell(into, piece)
      lines.owesSpace = false
    },
    putTight(piece) {
      const due = { space: lines.owesSpace, lines: owedLines }
      lines.owesSpace = false
      owedLines = 0
      lines.put(piece)
      lines.owesSpace = due.space
      owedLines = Math.max(owedLines, due.lines)
    },
    putLines(whole) {
      for (const line of whole) {
        lines.put(line)
        owedLines = Math.max(owedLines, 1)
      }
    },
    enter(container) {
      containers.push(container)
      return () => void containers.splice(containers.lastIndexOf(container), 1)
    },
    text: () => out.join('').trim()
  }
  return lines
}
