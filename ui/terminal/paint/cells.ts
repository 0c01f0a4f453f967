import { graphemes } from '../../../src/lib/width.ts'

/** One grapheme on the screen, in the style that SGR parameters give it; the empty style is the terminal's own. */
export type Cell = { readonly text: string; readonly width: number; readonly style: string }

/** A line by column: the cell that begins there, null under the second half of a wide one. Nothing follows the last cell. */
export type Cells = readonly (Cell | null)[]

const styled = /\x1b\[([\d;:]*)m/g

/** The cells of one painted line; what does not fit into `columns` is left out (TERM-1). SGR is the only sequence it may hold. */
export function cellsOf(line: string, columns: number): Cells {
  const cells: (Cell | null)[] = []
  const style = new StyleState()
  let from = 0
  for (const match of line.matchAll(styled)) {
    if (!put(cells, line.slice(from, match.index), style.text, columns)) return cells
    style.apply(match[1] ?? '')
    from = match.index + match[0].length
  }
  put(cells, line.slice(from), style.text, columns)
  return cells
}

function put(cells: (Cell | null)[], text: string, style: string, columns: number): boolean {
  if (printableAscii.test(text)) {
    const known = asciiCells(style)
    const room = Math.min(text.length, columns - cells.length)
    for (let at = 0; at < room; at++) cells.push(known[text.charCodeAt(at)] ?? null)
    return room === text.length
  }
  for (const { text: grapheme, width } of graphemes(text)) {
    if (width === 0) continue
    if (cells.length + width > columns) return false
    cells.push({ text: grapheme, width, style })
    for (let half = 1; half < width; half++) cells.push(null)
  }
  return true
}

const printableAscii = /^[\x20-\x7e]*$/
// Most of a screen is these, in a handful of styles: one object each spares thousands a frame, and comparing them is looking at one.
const cellsByStyle = new Map<string, readonly Cell[]>()
const STYLES_MAX = 200

function asciiCells(style: string): readonly Cell[] {
  const known = cellsByStyle.get(style)
  if (known !== undefined) return known
  const made = Array.from({ length: 0x7f }, (_, code) => ({ text: String.fromCharCode(code), width: 1, style }))
  if (cellsByStyle.size >= STYLES_MAX) cellsByStyle.clear()
  cellsByStyle.set(style, made)
  return made
}

/** The attribute a parameter belongs to: only one of each is on at a time. */
function attributeOf(code: number): string {
  if (code === 1) return 'bold'
  if (code === 2) return 'faint'
  if ((code >= 30 && code <= 38) || (code >= 90 && code <= 97)) return 'foreground'
  if ((code >= 40 && code <= 48) || (code >= 100 && code <= 107)) return 'background'
  return String(code)
}

/** What ends which attributes. */
const ends: Readonly<Record<number, readonly string[]>> = {
  22: ['bold', 'faint'],
  23: ['3'],
  24: ['4'],
  27: ['7'],
  28: ['8'],
  29: ['9'],
  39: ['foreground'],
  49: ['background'],
  59: ['58']
}

/** Folds SGR sequences into the parameters that are on. */
class StyleState {
  text = ''
  private readonly on = new Map<string, string>()

  apply(parameters: string): void {
    const codes = parameters.split(';')
    for (let at = 0; at < codes.length; at++) {
      const code = Number(codes[at])
      if (code === 0) this.on.clear()
      else if (ends[code] !== undefined) for (const attribute of ends[code]) this.on.delete(attribute)
      else {
        // 38;5;n and 38;2;r;g;b
        const length = code === 38 || code === 48 || code === 58 ? (codes[at + 1] === '2' ? 5 : 3) : 1
        this.on.set(attributeOf(code), codes.slice(at, at + length).join(';'))
        at += length - 1
      }
    }
    this.text = [...this.on.values()].join(';')
  }
}
