export type { Glyphs } from './glyphs.ts'
export { type Line, plain, type Span, type Style, type Tone } from './style.ts'
export { createTheme, type Theme, ThemeContext, useTheme } from './theme.ts'
