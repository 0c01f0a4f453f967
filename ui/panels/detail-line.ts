import { visibleText } from '../../src/lib/safe-text.ts'
import type { Subject } from '../../src/protocol/gate-view.ts'
import { span, wrapHanging } from '../parts/lines.ts'
import type { Line, Span, Style } from '../theme/index.ts'

/** A line of a closer look, and what Enter on it opens. */
export type DetailLine = { readonly line: Line; readonly opens: Subject | null }

/** A text of styled parts, wrapped with its later lines indented; every line of it opens the same. */
export function detailRow(
  parts: readonly Span[],
  width: number,
  indent = 0,
  opens: Subject | null = null
): DetailLine[] {
  const left = ' '.repeat(Math.max(0, Math.min(indent, width - 4)))
  return wrapHanging(parts, width, [span(left)], [span(`${left}  `.slice(0, Math.max(0, width - 2)))]).map((line) => ({
    line,
    opens
  }))
}

/** `label: text`, left out when there is no text. */
export function detailFact(label: string, text: string, width: number, indent = 0): DetailLine[] {
  if (text === '') return []
  return detailRow([span(`${label}: `, { tone: 'dim' }), shown(text)], width, indent)
}

/** What the lines below it are. */
export function detailHeading(text: string, width: number): DetailLine[] {
  return detailRow([span(text, { bold: true })], width)
}

/** Text from outside as the panel may show it. */
export function shown(text: string, style: Style = {}): Span {
  return span(visibleText(text), style)
}
