import type { LocatedValue } from './locators.ts'

/**
 * Values of one column of a CSV text whose first row is the header (CONC-73); null when the header lacks the column. Quoted cells may
 * hold commas, doubled quotes and line ends (RFC 4180); a quote that never ends takes the rest of the text.
 */
export function csvColumn(text: string, column: string): readonly LocatedValue[] | null {
  const [header, ...rows] = parseCsv(text)
  const at = header?.cells.findIndex((cell) => cell.trim() === column) ?? -1
  if (at === -1) return null
  return rows.map(({ cells, line }) => ({ value: cells[at] ?? '', line }))
}

type Row = { readonly cells: readonly string[]; readonly line: number }

function parseCsv(text: string): readonly Row[] {
  const rows: Row[] = []
  let cells: string[] = []
  let cell = ''
  let rowLine = 0
  let line = 0
  const endRow = () => {
    const isBlank = cells.length === 0 && cell === ''
    if (!isBlank) rows.push({ cells: [...cells, cell], line: rowLine })
    cells = []
    cell = ''
  }
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at)
    if (char === '"' && cell === '') {
      const quoted = quotedCell(text, at + 1)
      cell = quoted.text
      line += quoted.lineEnds
      at = quoted.end
    } else if (char === ',') {
      cells.push(cell)
      cell = ''
    } else if (char === '\n') {
      endRow()
      line += 1
      rowLine = line
    } else cell += char
  }
  endRow()
  return rows
}

/** The text up to the closing quote, where that is, and how many line ends it held. */
function quotedCell(text: string, from: number) {
  let content = ''
  let at = from
  for (;;) {
    const quote = text.indexOf('"', at)
    const end = quote === -1 ? text.length : quote
    content += text.slice(at, end)
    if (text.charAt(end + 1) !== '"' || quote === -1)
      return { text: content, end, lineEnds: content.split('\n').length - 1 }
    content += '"'
    at = end + 2
  }
}
