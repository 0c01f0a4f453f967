import { prefixed, span, wrapSpans } from '../parts/lines.ts'
import type { Line } from '../theme/style.ts'
import type { Pen } from './pen.ts'

const INDENT = [span('  ')]

/** Code, indented by two cells, broken at the last cell where it is too wide. Without a highlighter it is plain. */
export function codeLines(code: string, language: string, width: number, pen: Pen): Line[] {
  const spans = (language === '' ? null : pen.highlight?.(code, language)) ?? [span(code)]
  const indent = width > 20 ? INDENT : []
  return prefixed(wrapSpans(spans, Math.max(1, width - (indent.length > 0 ? 2 : 0)), 'cells'), indent, indent)
}
