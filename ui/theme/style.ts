/**
 * Colours by meaning, never by name (TERM-16): what is drawn says what it is, the palette decides how that looks. The sixteen basic
 * colours leave the shades to the terminal's own scheme.
 */
export type Tone = 'role' | 'ok' | 'warn' | 'fail' | 'unevaluated' | 'dim' | 'accent'

export type Style = {
  readonly tone?: Tone
  readonly bold?: boolean
  readonly italic?: boolean
  readonly underline?: boolean
  readonly inverse?: boolean
}

/** A stretch of safe text in one style. */
export type Span = { readonly text: string; readonly style: Style }

/** One line of a screen: spans without line feeds, and their width in cells. */
export type Line = { readonly spans: readonly Span[]; readonly width: number }

const foreground: Readonly<Record<Tone, string>> = {
  role: '34',
  ok: '32',
  warn: '33',
  fail: '31',
  unevaluated: '35',
  dim: '90',
  accent: '36'
}

// Without colour bold and inverse remain, so that selection and verdict states are still told apart.
const boldWithoutColour: ReadonlySet<Tone> = new Set<Tone>(['warn', 'fail', 'accent', 'role'])

/** `text` between the escape sequences of `style`; as it is when the style says nothing. */
export function paint(text: string, style: Style, colour: boolean): string {
  if (text === '') return ''
  const { tone } = style
  const bold = style.bold === true || (!colour && tone !== undefined && boldWithoutColour.has(tone))
  let open = ''
  let close = ''
  const add = (on: string, off: string) => {
    open += `\x1b[${on}m`
    close = `\x1b[${off}m${close}`
  }
  if (bold) add('1', '22')
  if (style.inverse) add('7', '27')
  if (colour) {
    if (style.italic) add('3', '23')
    if (style.underline) add('4', '24')
    if (tone !== undefined) add(foreground[tone], '39')
  }
  return open + text + close
}

/** A line as the string to draw. */
export function paintLine(line: Line, colour: boolean): string {
  let painted = ''
  for (const { text, style } of line.spans) painted += paint(text, style, colour)
  return painted
}
