import { prefixed, span, wrapSpans } from '../parts/lines.ts'
import type { Line, Span } from '../theme/style.ts'
import type { Pen } from './pen.ts'

const INDENT = [span('  ')]

/** Code, indented by two cells, broken at the last cell where it is too wide. Without a highlighter it is plain. */
export function codeLines(code: string, language: string, width: number, pen: Pen): Line[] {
  const spans = (language === '' ? null : pen.highlight?.(code, language)) ?? [span(code)]
  const indent = width > 20 ? INDENT : []
  return prefixed(wrapSpans(spans, Math.max(1, width - (indent.length > 0 ? 2 : 0)), 'cells'), indent, indent)
}

/** A unified diff, coloured by line; its text is visible text (TERM-31). */
export function diffLines(diff: string, width: number): Line[] {
  return diff.split('\n').flatMap((text) => wrapSpans([diffSpan(text)], width, 'cells'))
}

function diffSpan(text: string): Span {
  if (/^(?:\+\+\+|---|Index:|={5,}|diff |\\ )/.test(text)) return span(text, { tone: 'dim' })
  if (text.startsWith('@@')) return span(text, { tone: 'accent' })
  if (text.startsWith('+')) return span(text, { tone: 'ok' })
  if (text.startsWith('-')) return span(text, { tone: 'fail' })
  return span(text)
}
