import type { Line, Span } from '../theme/style.ts'
import { span, wrapSpans } from './lines.ts'

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
