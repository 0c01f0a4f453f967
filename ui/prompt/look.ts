import { safeLine } from '../../src/lib/safe-text.ts'
import { cellWidth, cutMiddle } from '../../src/lib/width.ts'
import type { Draft } from './draft.ts'
import { searchHistory } from './history.ts'
import { type Geometry, layoutRows, placeOf, type Row } from './rows.ts'
import type { PromptState } from './state.ts'

/** What the prompt's look depends on besides its own state. */
export type PromptPlace = {
  readonly model: string
  readonly workdir: string
  readonly columns: number
  readonly rows: number
  /** `▸`, or `>` on terminals without it (SESS-023). */
  readonly cursor: string
}

/** The prompt as it is drawn: rows in sight, what stands before the first, and the cell of the caret in them. */
export type PromptLook = {
  readonly label: string
  readonly rows: readonly Row[]
  /** Index of the first row in sight; the label is drawn only when it is 0. */
  readonly first: number
  readonly caret: { readonly row: number; readonly column: number }
}

/** Text keeps at least this much of the first row. */
const TEXT_CELLS = 12

/** Lays the prompt out. It grows to a third of the window, then scrolls with the caret (TERM-40). */
export function lookOfPrompt(prompt: PromptState, place: PromptPlace): PromptLook {
  const label = prompt.search === null ? promptLabel(place) : searchLabel(prompt.search.query, place)
  const geometry = geometryFor(label, place.columns)
  const draft: Draft & { readonly cursor: number } =
    prompt.search === null ? prompt.editor : found(prompt, prompt.search)
  const rows = layoutRows(draft, geometry)
  const caret = placeOf(rows, draft, draft.cursor, geometry)
  const height = Math.min(rows.length, Math.max(1, Math.floor(place.rows / 3)))
  const first = Math.max(0, Math.min(caret.row, rows.length - height, Math.max(0, caret.row - Math.floor(height / 2))))
  return {
    label,
    rows: rows.slice(first, first + height),
    first,
    caret: { row: caret.row - first, column: Math.min(caret.column, Math.max(0, place.columns - 1)) }
  }
}

/** Where the editor's text goes, for moves by row. */
export function promptGeometry(place: PromptPlace): Geometry {
  return geometryFor(promptLabel(place), place.columns)
}

/** `ghyll [m25] ~/repos/shop ▸ `, shorter where there is less room (SESS-023, TERM-3). */
function promptLabel({ model, workdir, columns, cursor }: PromptPlace): string {
  const name = safeLine(model)
  const path = cutMiddle(safeLine(workdir), Math.max(8, Math.floor(columns / 3)))
  const candidates = [` ghyll [${name}] ${path} ${cursor} `, ` [${name}] ${cursor} `, ` ${cursor} `]
  return candidates.find((label) => cellWidth(label) + TEXT_CELLS <= columns) ?? (columns > 8 ? `${cursor} ` : '')
}

function searchLabel(query: string, { columns, cursor }: PromptPlace): string {
  const label = ` history: ${safeLine(query)} ${cursor} `
  return cellWidth(label) + TEXT_CELLS <= columns ? label : columns > 8 ? `${cursor} ` : ''
}

function found(prompt: PromptState, search: NonNullable<PromptState['search']>): Draft & { readonly cursor: number } {
  const draft = searchHistory(prompt.history, search) ?? { text: '', pastes: {} }
  return { ...draft, cursor: draft.text.length }
}

function geometryFor(label: string, columns: number): Geometry {
  return { width: Math.max(2, columns), firstIndent: cellWidth(label), indent: columns > 20 ? 3 : 0 }
}
