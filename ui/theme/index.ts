export type { Glyphs } from './glyphs.ts'
export type { Line, Span, Style, Tone } from './style.ts'
export { createTheme, type Theme, ThemeContext, useTheme } from './theme.ts'
