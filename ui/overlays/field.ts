import type { ActionName } from '../keys/index.ts'
import { line, span } from '../parts/lines.ts'
import { expandDraft } from '../prompt/draft.ts'
import { type Editor, edit } from '../prompt/editor.ts'
import { keyedEdits } from '../prompt/edits.ts'
import { type Geometry, layoutRows, placeOf, type Row } from '../prompt/rows.ts'
import type { Line } from '../theme/index.ts'

// A text field in the foot of an overlay: the prompt's editor in a few rows. What is signed is what was seen (TERM-31), so a paste is
// never folded into a chip here.

type FieldLook = {
  readonly rows: readonly Row[]
  readonly caret: { readonly row: number; readonly column: number }
}

const MARK_CELLS = 2

/** Where the field's text goes; `▸ ` stands before its first row. */
function fieldGeometry(width: number): Geometry {
  return { width: Math.max(MARK_CELLS + 2, width), firstIndent: MARK_CELLS, indent: MARK_CELLS }
}

/** The field in at most `height` rows, the caret in sight. */
function layoutField(editor: Editor, width: number, height: number): FieldLook {
  const geometry = fieldGeometry(width)
  const rows = layoutRows(editor, geometry)
  const caret = placeOf(rows, editor, editor.cursor, geometry)
  const shown = Math.max(1, Math.min(height, rows.length))
  const first = Math.max(0, Math.min(caret.row - shown + 1, rows.length - shown))
  return {
    rows: rows.slice(first, first + shown),
    caret: { row: caret.row - first, column: Math.min(caret.column, geometry.width - 1) }
  }
}

/** A field takes at most this share of the window. */
const FIELD_SHARE = 5

/** The rows of a text field in a window of `rows` rows, `cursor` before the first, and the cell of the caret in them. */
export function fieldRows(
  editor: Editor,
  width: number,
  rows: number,
  cursor: string
): { readonly lines: readonly Line[]; readonly caret: FieldLook['caret'] } {
  const look = layoutField(editor, width, Math.max(1, Math.floor(rows / FIELD_SHARE)))
  const lines = look.rows.map((row, index) =>
    line(span(row.start === 0 && index === 0 ? `${cursor} ` : '  ', { tone: 'accent' }), span(row.shown))
  )
  return { lines, caret: look.caret }
}

/** The editor after a key of the field, or null when the key means nothing in it (then the body scrolls). */
export function editedField(
  editor: Editor,
  key: { readonly action: ActionName | null; readonly text: string },
  options: { readonly width: number; readonly isSingleLine: boolean }
): Editor | null {
  const { action, text } = key
  if (action === 'prompt.up' || action === 'prompt.down') {
    const geometry = fieldGeometry(options.width)
    if (layoutRows(editor, geometry).length === 1) return null
    return edit(editor, { kind: action === 'prompt.up' ? 'up' : 'down', geometry })
  }
  const kind = action === null ? undefined : keyedEdits[action]
  if (kind === 'newline' && options.isSingleLine) return editor
  if (kind !== undefined) return edit(editor, { kind })
  if (text === '') return null
  return edit(editor, { kind: 'insert', text: options.isSingleLine ? text.replaceAll(/\s*\n\s*/g, ' ') : text })
}

/** What was typed, in full. */
export function fieldText(editor: Editor): string {
  return expandDraft(editor)
}
