/** Marks by meaning (OPUI-100, session messages); each is one cell wide. */
export type Glyphs = {
  readonly done: string
  readonly failed: string
  readonly attention: string
  readonly info: string
  readonly switched: string
  readonly tool: string
  readonly detail: string
  readonly cursor: string
  readonly folded: string
  readonly unfolded: string
  readonly bullet: string
  readonly quote: string
  readonly rule: string
  readonly down: string
  /** Behind text that is being typed, where the terminal's own cursor is elsewhere. */
  readonly caret: string
  readonly box: BoxGlyphs
  readonly arrow: ArrowGlyphs
}

/** Statuses of an arrow (OPUI-720). */
export type ArrowGlyphs = {
  readonly valid: string
  readonly outdated: string
  readonly provisional: string
  readonly blocked: string
  readonly unevaluated: string
  readonly invalidated: string
  readonly aborted: string
  readonly running: string
  readonly notStarted: string
}

export type BoxGlyphs = {
  readonly topLeft: string
  readonly topRight: string
  readonly bottomLeft: string
  readonly bottomRight: string
  readonly horizontal: string
  readonly vertical: string
  readonly teeLeft: string
  readonly teeRight: string
}

export const unicodeGlyphs: Glyphs = {
  done: '✓',
  failed: '✗',
  attention: '⚠',
  info: 'ℹ',
  switched: '⟳',
  tool: '⏵',
  detail: '·',
  cursor: '▸',
  folded: '▸',
  unfolded: '▾',
  bullet: '•',
  quote: '│',
  rule: '─',
  down: '↓',
  caret: '█',
  box: {
    topLeft: '╭',
    topRight: '╮',
    bottomLeft: '╰',
    bottomRight: '╯',
    horizontal: '─',
    vertical: '│',
    teeLeft: '├',
    teeRight: '┤'
  },
  arrow: {
    valid: '●',
    outdated: '◍',
    provisional: '◐',
    blocked: '✗',
    unevaluated: '?',
    invalidated: '⊘',
    aborted: '!',
    running: '▶',
    notStarted: '·'
  }
}

/** For terminals without these characters (SESS-023). */
export const asciiGlyphs: Glyphs = {
  done: '+',
  failed: 'x',
  attention: '!',
  info: 'i',
  switched: '~',
  tool: '>',
  detail: '.',
  cursor: '>',
  folded: '>',
  unfolded: 'v',
  bullet: '*',
  quote: '|',
  rule: '-',
  down: 'v',
  caret: '#',
  box: {
    topLeft: '+',
    topRight: '+',
    bottomLeft: '+',
    bottomRight: '+',
    horizontal: '-',
    vertical: '|',
    teeLeft: '+',
    teeRight: '+'
  },
  arrow: {
    valid: 'v',
    outdated: 'V',
    provisional: 'p',
    blocked: 'x',
    unevaluated: '?',
    invalidated: 'i',
    aborted: '!',
    running: '>',
    notStarted: '.'
  }
}

/** The marks of a terminal with or without these characters (SESS-023). */
export function glyphsFor(isAscii: boolean): Glyphs {
  return isAscii ? asciiGlyphs : unicodeGlyphs
}
