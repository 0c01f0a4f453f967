import { createContext, useContext } from 'react'
import { type Glyphs, glyphsFor } from './glyphs.ts'
import { type Line, paint, paintLine, type Style } from './style.ts'

/** How meaning looks on this terminal. Made once from the facts of the start (`ScreenBoot`), handed down by context. */
export type Theme = {
  readonly glyphs: Glyphs
  paint(text: string, style: Style): string
  paintLine(line: Line): string
}

/** The theme for a terminal with or without colour (`NO_COLOR`, TERM-16) and with or without box drawing (SESS-023). */
export function createTheme(facts: { readonly colour: boolean; readonly ascii: boolean }): Theme {
  const { colour, ascii } = facts
  return {
    glyphs: glyphsFor(ascii),
    paint: (text, style) => paint(text, style, colour),
    paintLine: (line) => paintLine(line, colour)
  }
}

export const ThemeContext = createContext<Theme>(createTheme({ colour: true, ascii: false }))

/** The theme of the screen around a component. */
export function useTheme(): Theme {
  return useContext(ThemeContext)
}
