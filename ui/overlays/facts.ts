import { visibleText } from '../../src/lib/safe-text.ts'
import { span, wrapHanging, wrapSpans } from '../parts/lines.ts'
import type { Line } from '../theme/index.ts'

/** A label and its text, which may have several lines. */
export type Fact = readonly [label: string, text: string]

/** Labels of a verdict take this much, so that they all line up (OPUI-420). */
const LABEL_CELLS = 17
/** What a text needs beside its label. */
const TEXT_CELLS = 20

/** `label:           text` with the text hanging; facts without text are left out. Nothing of a text is lost (TERM-31). */
export function factLines(facts: readonly Fact[], width: number, labelCells = LABEL_CELLS): Line[] {
  return facts.flatMap(([label, text]) => (text === '' ? [] : factRows(label, text, width, labelCells)))
}

function factRows(label: string, text: string, width: number, labelCells: number): Line[] {
  const shown = span(visibleText(text))
  const head = span(`${`${label}:`.padEnd(labelCells - 1)} `, { tone: 'dim' })
  // Beside the labels words would be torn apart: the text goes below them.
  if (width - labelCells < TEXT_CELLS) return wrapSpans([span(`${label}: `, { tone: 'dim' }), shown], width)
  return wrapHanging([shown], width, [head], [span(' '.repeat(labelCells))])
}
