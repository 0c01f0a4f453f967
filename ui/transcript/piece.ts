import { cutEnd, padEnd } from '../../src/lib/width.ts'
import { cutLine, emptyLine, line, prefixed, span } from '../parts/lines.ts'
import type { Line, Style } from '../theme/style.ts'
import type { Pen } from './pen.ts'

/**
 * The unit of layout: a stretch of a row that is laid out by itself, when it comes into view. Whoever needs the height of one that was
 * never drawn takes the guess, so that a resize costs what is visible and not what is there (TERM-72).
 */
export type Piece = {
  /** Lines it will roughly take, at least 1. */
  guess(width: number): number
  /** Its lines, none wider than `width`. */
  draw(width: number, pen: Pen): readonly Line[]
}

type Draw = (width: number, pen: Pen) => readonly Line[]

/** A piece of `text`; the text only serves the guess. */
export function piece(text: string, draw: Draw): Piece {
  const chars = text.length
  let breaks = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) breaks += 1
  return {
    guess: (width) => Math.max(1, breaks, Math.ceil(chars / Math.max(1, width))),
    // Whatever a terminal of three columns does to indents and marks, no line leaves the pane.
    draw: (width, pen) => draw(Math.max(1, width), pen).map((each) => cutLine(each, Math.max(1, width)))
  }
}

/** The same lines after an empty one. */
export function afterGap(of: Piece): Piece {
  return {
    guess: (width) => of.guess(width) + 1,
    draw: (width, pen) => [emptyLine, ...of.draw(width, pen)]
  }
}

const GUTTER = 9
const GUTTER_FROM = 40

/** Puts the speaker's name into a column of its own; where there is no room for one, above the text. */
export function inGutter(of: Piece, label: string, style: Style): Piece {
  const rest = [span(' '.repeat(GUTTER))]
  return {
    guess: (width) => of.guess(textWidth(width)),
    draw: (width, pen) => {
      const lines = of.draw(textWidth(width), pen)
      if (width >= GUTTER_FROM)
        return prefixed(lines, label === '' ? rest : [span(padEnd(cutEnd(label, GUTTER - 1), GUTTER), style)], rest)
      return label === '' ? lines : [cutLine(line(span(label, style)), width), ...lines]
    }
  }
}

function textWidth(width: number): number {
  return width >= GUTTER_FROM ? width - GUTTER : width
}

const CHUNK_LINES = 64

/** Splits a long text into stretches of so many lines, so that no piece grows large. */
export function chunks(text: string): string[] {
  const lines = text.split('\n')
  const parts: string[] = []
  for (let at = 0; at < lines.length; at += CHUNK_LINES) parts.push(lines.slice(at, at + CHUNK_LINES).join('\n'))
  return parts
}
