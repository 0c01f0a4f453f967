import type { Caret } from './painter.ts'

/**
 * What one write of Ink means. Ink is asked for whole frames (`incrementalRendering` off): it erases the frame before, writes the
 * lines, and moves from the last of them to the caret. Only the lines and the caret are of interest here.
 */
export type InkWrite =
  | { readonly kind: 'frame'; readonly lines: readonly string[]; readonly caret: Caret }
  /** The same lines with the caret elsewhere. */
  | { readonly kind: 'caret'; readonly caret: Caret }
  /** The frame was taken away. */
  | { readonly kind: 'erased' }

/** Cursor moves and erasures, and the cursor being hidden: everything Ink writes before a frame. */
const lead = /^(?:\x1b\[(?:\d*(?:;\d+)?[A-HJK]|\?25l))*/
/** `up`, `column`, `show`: how Ink places the caret from the last line of a frame. */
const tail = /(?:\x1b\[(\d*)A)?\x1b\[(\d*)G\x1b\[\?25h$/
const erases = /\x1b\[\d*[JK]/
const SHOW = '\x1b[?25h'

/** Reads what Ink wrote between two brackets of a frame, or alone. `lineCount` is that of the frame before. */
export function readInkWrite(text: string, lineCount: number): InkWrite {
  const [leading] = lead.exec(text) ?? ['']
  const rest = text.slice(leading.length)
  const placed = tail.exec(text)
  if (rest === '' || rest === SHOW) {
    return erases.test(leading) ? { kind: 'erased' } : { kind: 'caret', caret: caretOf(placed, lineCount) }
  }
  const lines = text.slice(leading.length, placed?.index).replaceAll('\r', '').split('\n')
  return { kind: 'frame', lines, caret: caretOf(placed, lines.length) }
}

function caretOf(placed: RegExpExecArray | null, lineCount: number): Caret {
  if (placed === null) return null
  const up = placed[1] === undefined ? 0 : Number(placed[1] || 1)
  return { row: Math.max(0, lineCount - 1 - up), column: Math.max(0, Number(placed[2] || 1) - 1) }
}
