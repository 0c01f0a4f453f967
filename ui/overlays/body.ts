import { safeLine, visibleText } from '../../src/lib/safe-text.ts'
import type { CommandInfo } from '../../src/protocol/command.ts'
import type { Bindings } from '../keys/index.ts'
import { line, span, wrapSpans } from '../parts/lines.ts'
import type { Line } from '../theme/index.ts'
import { decisionBody, decisionTitle } from './decision-body.ts'
import { decisionFoot, declarationFoot, type Foot } from './decision-foot.ts'
import { type Declaration, declarationBody, declarationCursor } from './declaration.ts'
import { FRAME_ROWS, frameOf, type WindowSize } from './frame.ts'
import { helpLines } from './help.ts'
import { type Layer, pickedItem, pickerItems } from './stack.ts'

/** What overlays are made of beside themselves. */
export type OverlaySources = {
  readonly bindings: Bindings
  readonly commands: readonly CommandInfo[]
  readonly columns: number
  readonly rows: number
  readonly cursor: string
  readonly opId: string | null
}

/** An overlay laid out: fixed title, body in lines of which `height` are shown, fixed foot (TERM-53). */
export type OverlayLayout = {
  readonly width: number
  readonly isFramed: boolean
  readonly title: string
  readonly body: readonly Line[]
  readonly foot: readonly Line[]
  /** Rows for the body. */
  readonly height: number
  /** First body line shown. */
  readonly scroll: number
  /** Cell of the caret in the foot, when text is typed there. */
  readonly caret: { readonly row: number; readonly column: number } | null
}

/** Lays the overlay out for the window. */
export function layoutOverlay(layer: Layer, sources: OverlaySources): OverlayLayout {
  const { isFramed, width, inner } = frameOf(sources)
  const room = Math.max(1, isFramed ? sources.rows - 4 - FRAME_ROWS : sources.rows - 1)
  const body = bodyLines(layer, sources, inner)
  const whole = footOf(layer, sources)
  // In the smallest windows the end of the foot matters most: that is where an answer is typed.
  const cut = Math.max(0, whole.lines.length - room)
  const foot = whole.lines.slice(cut)
  const caret = whole.caret === null ? null : { row: whole.caret.row - cut, column: whole.caret.column }
  const height = Math.max(0, Math.min(room - foot.length, body.length))
  const scroll = Math.max(0, Math.min(layer.scroll, body.length - height))
  const shown = visibleScroll(layer, scroll, height)
  return { width, isFramed, title: titleOf(layer), body, foot, height, scroll: shown, caret }
}

/** Where the overlay stands in the window, and how many rows it takes. */
export function placeOfOverlay(
  { isFramed, width, height, foot }: OverlayLayout,
  { columns, rows }: WindowSize
): { readonly top: number; readonly left: number; readonly rows: number } {
  if (!isFramed) return { top: 0, left: 0, rows }
  const own = height + foot.length + FRAME_ROWS
  return { top: Math.max(0, Math.floor((rows - own) / 2)), left: Math.floor((columns - width) / 2), rows: own }
}

/** The cell of the caret in the window while text is typed in the overlay (TERM-44). */
export function caretOfOverlay(layout: OverlayLayout, size: WindowSize): { x: number; y: number } | null {
  if (layout.caret === null) return null
  const { top, left } = placeOfOverlay(layout, size)
  const above = layout.isFramed ? 1 + layout.height + 1 : 1 + layout.height
  return { x: left + (layout.isFramed ? 2 : 0) + layout.caret.column, y: top + above + layout.caret.row }
}

function titleOf({ content }: Layer): string {
  if (content.kind === 'help') return 'help'
  if (content.kind === 'decision') return decisionTitle(content)
  return content.kind === 'declaration' ? 'declare an arrow on the spot' : safeLine(content.title)
}

function bodyLines(layer: Layer, sources: OverlaySources, width: number): Line[] {
  const { content } = layer
  if (content.kind === 'help') return helpLines(content, sources, width)
  if (content.kind === 'decision') return decisionBody(content, width, frameOf(sources).isFramed)
  if (content.kind === 'declaration') return markedBody(content, layer.scroll, { width, glyph: sources.cursor })
  if (content.kind !== 'picker') return wrapSpans([span(visibleText(content.body))], width)
  const picked = pickedItem(content)
  return pickerItems(content).map((item) => {
    const isPicked = item.id === picked?.id
    const mark = isPicked ? `${sources.cursor} ` : '  '
    return line(
      span(mark + visibleText(item.label).replaceAll('\n', ' '), isPicked ? { inverse: true } : {}),
      span(item.detail === '' ? '' : `  ${visibleText(item.detail).replaceAll('\n', ' ')}`, { tone: 'dim' })
    )
  })
}

/** The line under the cursor stands out, in its first cell too: that is what is left of it without colours (OPUI-712). */
function markedBody(content: Declaration, scroll: number, { width, glyph }: { width: number; glyph: string }): Line[] {
  const lines = declarationBody(content, width)
  const at = declarationCursor(lines, scroll)
  return lines.map(({ line: each, role, clause }, index) => {
    if (index !== at || (role ?? clause) === undefined) return each
    const [first = span(''), ...rest] = each.spans
    const marked = [span(glyph + first.text.slice(1), first.style), ...rest]
    return { ...each, spans: marked.map(({ text, style }) => span(text, { ...style, inverse: true })) }
  })
}

/** The marked item of a picker is always in sight, and so is the cursor's line of a declaration. */
function visibleScroll(layer: Layer, scroll: number, height: number): number {
  if (layer.content.kind === 'declaration') {
    // Without a height of its own the cursor stands in the middle, as far as the ends allow.
    return Math.max(0, Math.min(scroll, layer.scroll - Math.floor(height / 2)))
  }
  if (layer.content.kind !== 'picker') return scroll
  const picked = pickedItem(layer.content)
  const at = pickerItems(layer.content).findIndex(({ id }) => id === picked?.id)
  return Math.max(0, Math.max(at - height + 1, Math.min(scroll, at)))
}

function footOf(layer: Layer, sources: OverlaySources): Foot {
  const { content } = layer
  if (layer.isArmed && content.kind === 'decision') return decisionFoot(content, sources)
  if (layer.isArmed && content.kind === 'declaration') return declarationFoot(content, sources)
  if (!layer.isArmed) return { lines: [line(span('takes keys when you stop typing', { tone: 'warn' }))], caret: null }
  const filter = 'filter' in content ? content.filter : null
  const filtering = filter === '' ? 'type to filter' : `filter: ${safeLine(filter ?? '')}`
  const hint =
    content.kind === 'picker'
      ? `${filtering}   Enter take   Esc close`
      : `↑↓ scroll   Esc close${filter === null ? '' : `   ${filtering}`}`
  return { lines: [line(span(hint, { tone: 'dim' }))], caret: null }
}
