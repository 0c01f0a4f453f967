import type { Glyphs } from '../theme/glyphs.ts'
import type { Span } from '../theme/style.ts'

/** Colours code: spans whose texts add up to `code`, or null when it does not know the language. */
export type Highlighter = (code: string, language: string) => Span[] | null

/** What drawing depends on besides the text and the width. Another pen means other lines. */
export type Pen = { readonly glyphs: Glyphs; readonly highlight: Highlighter | null }
