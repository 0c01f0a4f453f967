// The bytes a common terminal sends for a key.

const esc = '\x1b'

export const keys = {
  enter: '\r',
  tab: '\t',
  shiftTab: `${esc}[Z`,
  escape: esc,
  backspace: '\x7f',
  delete: `${esc}[3~`,
  up: `${esc}[A`,
  down: `${esc}[B`,
  right: `${esc}[C`,
  left: `${esc}[D`,
  home: `${esc}[H`,
  end: `${esc}[F`,
  pageUp: `${esc}[5~`,
  pageDown: `${esc}[6~`,
  f1: `${esc}OP`,
  ctrlHome: `${esc}[1;5H`,
  ctrlEnd: `${esc}[1;5F`,
  altEnter: `${esc}\r`
} as const

/** Ctrl with a letter. */
export const ctrl = (letter: string): string => String.fromCharCode(letter.toLowerCase().charCodeAt(0) & 0x1f)

/** A bracketed paste (TERM-43). */
export const paste = (text: string): string => `${esc}[200~${text}${esc}[201~`

/** Mouse wheel at a cell counted from 1, in the SGR encoding. */
export const wheel = (direction: 'up' | 'down', column = 10, row = 5): string =>
  `${esc}[<${direction === 'up' ? 64 : 65};${column};${row}M`

/** Alt with a letter. */
export const alt = (letter: string): string => `${esc}${letter}`
