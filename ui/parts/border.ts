import { cellWidth, cutEnd } from '../../src/lib/width.ts'
import type { BoxGlyphs } from '../theme/glyphs.ts'
import type { Line, Style } from '../theme/style.ts'
import { span } from './lines.ts'

export type BorderPlace = 'top' | 'bottom'

/** What stands in a border: a title on the left, a note on the right. The note goes first where there is no room for both. */
export type BorderTexts = { readonly title?: string | undefined; readonly note?: string | undefined }

/**
 * A horizontal border, exactly `width` cells at every width (TERM-32): `title` after the left corner, `note` before the right one.
 */
export function borderLine(
  box: BoxGlyphs,
  width: number,
  place: BorderPlace,
  texts: BorderTexts,
  style: Style,
  titleStyle: Style = style
): Line {
  if (width <= 0) return { spans: [], width: 0 }
  const [left, right] = corners(box, place)
  if (width === 1) return { spans: [span(left, style)], width: 1 }
  const room = width - 2
  const note = fitted(texts.note, room - 1)
  const title = fitted(texts.title, room - cellWidth(note) - (note === '' ? 0 : 2))
  const shownNote = title === '' && texts.title !== undefined && texts.title !== '' ? '' : note
  const shownTitle = shownNote === note ? title : fitted(texts.title, room)
  const tail = shownNote === '' ? '' : box.horizontal
  const fill = room - cellWidth(shownTitle) - cellWidth(shownNote) - cellWidth(tail)
  return {
    spans: [
      span(left, style),
      span(shownTitle, titleStyle),
      span(box.horizontal.repeat(Math.max(0, fill)), style),
      span(shownNote, titleStyle),
      span(`${tail}${right}`, style)
    ].filter((each) => each.text !== ''),
    width
  }
}

/** ` text ` cut to the room, or nothing where not even three cells and its spaces remain. */
function fitted(text: string | undefined, room: number): string {
  if (text === undefined || text === '' || room < Math.min(5, cellWidth(text) + 2)) return ''
  return ` ${cutEnd(text, room - 2)} `
}

function corners(box: BoxGlyphs, place: BorderPlace): [string, string] {
  switch (place) {
    case 'top':
      return [box.topLeft, box.topRight]
    case 'bottom':
      return [box.bottomLeft, box.bottomRight]
  }
}
