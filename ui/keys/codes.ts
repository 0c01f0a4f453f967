// Numbers and letters that stand for keys without a character of their own.

/** Last letter of a CSI or SS3 sequence. */
export const legacyFinals: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  E: 'begin',
  F: 'end',
  H: 'home',
  P: 'f1',
  Q: 'f2',
  R: 'f3',
  S: 'f4'
}

/** First number of a sequence that ends in `~` (rxvt: `$`, `^`, `@`). */
export const tildeNames: Readonly<Record<string, string>> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
  11: 'f1',
  12: 'f2',
  13: 'f3',
  14: 'f4',
  15: 'f5',
  17: 'f6',
  18: 'f7',
  19: 'f8',
  20: 'f9',
  21: 'f10',
  23: 'f11',
  24: 'f12'
}

const keypad = '0123456789./*-+'
const keypadNames = ['left', 'right', 'up', 'down', 'pageup', 'pagedown', 'home', 'end', 'insert', 'delete', 'begin']

/**
 * What a kitty key code stands for: a name or character for functional keys, null for keys that do nothing here (locks, media, lone
 * modifiers), undefined when the code is simply a character.
 */
export function codeName(code: number): string | null | undefined {
  if (code === 27) return 'esc'
  if (code === 13) return 'enter'
  if (code === 9) return 'tab'
  if (code === 127 || code === 8) return 'backspace'
  if (code < 57_344 || code > 63_743) return code < 32 ? null : undefined
  if (code >= 57_376 && code <= 57_398) return `f${code - 57_376 + 13}`
  if (code >= 57_399 && code < 57_399 + keypad.length) return keypad.charAt(code - 57_399)
  if (code === 57_414) return 'enter'
  if (code === 57_415) return '='
  if (code === 57_416) return ','
  if (code >= 57_417 && code < 57_417 + keypadNames.length) return keypadNames[code - 57_417]
  return null
}

const specialNames = new Set([
  'enter',
  'esc',
  'tab',
  'space',
  'backspace',
  'delete',
  'insert',
  'up',
  'down',
  'left',
  'right',
  'home',
  'end',
  'pageup',
  'pagedown',
  'begin'
])
const aliases: Readonly<Record<string, string>> = { return: 'enter', escape: 'esc', del: 'delete', ins: 'insert' }
const modifierOrder = ['ctrl', 'alt', 'shift', 'super']

/**
 * The spelling of a key name that the decoder uses, or null for no key name (CFG-012). Chords are names separated by a space
 * (`ctrl+x ctrl+e`).
 */
export function normalKeyName(written: string): string | null {
  const parts = written.trim().split(/\s+/)
  const names = parts.map(normalSingle)
  return names.includes(null) || written.trim() === '' ? null : names.join(' ')
}

function normalSingle(written: string): string | null {
  const match = /^((?:[a-z]+\+)*)(.+)$/iu.exec(written)
  const [, prefix = '', last = ''] = match ?? []
  const mods = prefix.toLowerCase().split('+').slice(0, -1)
  if (new Set(mods).size < mods.length || mods.some((mod) => !modifierOrder.includes(mod))) return null
  const isChar = [...last].length === 1
  const lower = last.toLowerCase()
  const base = isChar ? last : (aliases[lower] ?? lower)
  if (!isChar && !specialNames.has(base) && !/^f([1-9]|[12]\d|3[0-5])$/.test(base)) return null
  if (isChar && mods.length === 0) return base
  // Beside modifiers the case of a letter says nothing (`Ctrl+G` is `ctrl+g`); Shift and a letter alone are the capital.
  if (isChar && mods.length === 1 && mods[0] === 'shift') return base.toUpperCase()
  const ordered = modifierOrder.filter((mod) => mods.includes(mod))
  return [...ordered, isChar ? lower : base].join('+')
}
