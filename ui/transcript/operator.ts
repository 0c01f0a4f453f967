import { safeText } from '../../src/lib/safe-text.ts'
import { span, wrapSpans } from '../parts/lines.ts'
import { isLongText, shownBeginning } from './long-text.ts'
import type { CommandRow, OperatorRow } from './model.ts'
import { afterGap, chunks, inGutter, type Piece, piece } from './piece.ts'

/** The text that stands on the screen, safe for it: the whole, or the beginning of what is folded. */
export function operatorText({ text, unfolded }: OperatorRow): string {
  return safeText(unfolded || !isLongText(text) ? text : shownBeginning(text))
}

/** The pieces of a text of the operator, and a line that says what is folded away. */
export function operatorPieces(row: OperatorRow): Piece[] {
  const shown = chunks(operatorText(row)).map((part, index) => {
    const body = piece(part, (width) => wrapSpans([span(part)], width))
    const placed = inGutter(body, index === 0 ? 'you' : '', { tone: 'accent', bold: true })
    return index === 0 && row.spaced ? afterGap(placed) : placed
  })
  return isLongText(row.text) ? [...shown, foldPiece(row)] : shown
}

/** The line of a command, in the place of what is said. */
export function commandPieces({ text, spaced }: CommandRow): Piece[] {
  const shown = safeText(text)
  const body = piece(shown, (width) => wrapSpans([span(shown, { tone: 'accent' })], width))
  const placed = inGutter(body, 'you', { tone: 'accent', bold: true })
  return [spaced ? afterGap(placed) : placed]
}

function foldPiece({ text, unfolded }: OperatorRow): Piece {
  const left = text.slice(shownBeginning(text).length)
  const lines = left.split('\n').length - 1
  const amount =
    lines > 0 ? `${lines.toLocaleString('en')} more lines` : `${left.length.toLocaleString('en')} more characters`
  const drawn = piece('', (width, { glyphs }) =>
    wrapSpans(
      [
        span(`${unfolded ? glyphs.unfolded : glyphs.folded} `, { tone: 'accent' }),
        span(unfolded ? 'the whole text' : amount, { tone: 'dim' })
      ],
      width
    )
  )
  return inGutter(drawn, '', {})
}
