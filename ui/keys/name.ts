import { codeName, legacyFinals, tildeNames } from './codes.ts'
import type { Token } from './sequence.ts'

/**
 * One key press. `name` is how the key map and `[keys]` spell it: modifiers in the order ctrl, alt, shift, super, then the key
 * (`ctrl+g`, `alt+enter`, `f4`, `?`). `text` is what the key would type, or ''.
 */
export type KeyPress = { readonly name: string; readonly text: string; readonly isRepeat: boolean }

type Modifiers = { readonly shift: boolean; readonly alt: boolean; readonly ctrl: boolean; readonly superKey: boolean }

const none: Modifiers = { shift: false, alt: false, ctrl: false, superKey: false }
const shifted: Modifiers = { ...none, shift: true }
const controlled: Modifiers = { ...none, ctrl: true }

/**
 * The key a token stands for, in the legacy, modifyOtherKeys and kitty encodings; null for what is no press: releases, lone modifiers
 * and sequences that mean no key (TERM-49).
 */
export function keyOf(token: Token): KeyPress | null {
  switch (token.kind) {
    case 'text':
      return charKey(token.text, none)
    case 'alt':
      return charKey(token.char, { ...none, alt: true })
    case 'control':
      return controlKey(token.byte, token.alt)
    case 'ss3':
      return ss3Key(token.params, token.final, token.alt)
    case 'csi':
      return csiKey(token.params, token.final, token.alt)
    case 'string':
      return null
  }
}

function controlKey(byte: number, alt: boolean): KeyPress {
  const mods = { ...none, alt }
  if (byte === 0x0d) return named('enter', mods)
  if (byte === 0x09) return named('tab', mods)
  if (byte === 0x1b) return named('esc', mods)
  if (byte === 0x7f) return named('backspace', mods)
  if (byte === 0x00) return named('space', { ...controlled, alt })
  // 0x01…0x1a are letters, 0x1c…0x1f are \ ] ^ _.
  return named(String.fromCharCode(byte <= 0x1a ? byte + 0x60 : byte + 0x40), { ...controlled, alt })
}

function ss3Key(params: string, final: string, alt: boolean): KeyPress | null {
  const mods = withAlt(modifiersOf(lastNumber(params)), alt)
  if (final === 'M') return named('enter', mods)
  // rxvt: Ctrl+arrow in lower case; a keypad in application mode: j…y are * + , - . / 0…9.
  if (/^[a-d]$/.test(final)) return finalKey(final.toUpperCase(), withAlt(controlled, alt))
  if (/^[j-y]$/.test(final)) return charKey(String.fromCharCode(final.charCodeAt(0) - 0x40), mods)
  return finalKey(final, mods)
}

function csiKey(params: string, final: string, alt: boolean): KeyPress | null {
  if (params === '[') return named(`f${final.charCodeAt(0) - 0x40}`, none)
  if (/^[?<>=]/.test(params)) return null
  if (final === 'u') return kittyKey(params, alt)
  if (final === 'Z') return named('tab', withAlt(shifted, alt))
  if (/^[a-d]$/.test(final)) return finalKey(final.toUpperCase(), withAlt(shifted, alt))
  const [first = '', second = '', third = ''] = params.split(';')
  if (final === '~' && first === '27') return charKey(charOf(Number(third)), withAlt(modifiersOf(Number(second)), alt))
  const [modifier = '', event = ''] = second.split(':')
  if (event === '3') return null
  const mods = withAlt(rxvtModifiers(final) ?? modifiersOf(Number(modifier || 1)), alt)
  const key =
    final === '~' || rxvtModifiers(final) !== null ? namedOrNull(tildeNames[first], mods) : finalKey(final, mods)
  return key !== null && event === '2' ? { ...key, isRepeat: true } : key
}

/** `CSI code:shifted:base ; modifiers:event ; text u`. */
function kittyKey(params: string, alt: boolean): KeyPress | null {
  const [codes = '', modifier = '', texts = ''] = params.split(';')
  const [code = 0, shiftedCode = 0, base = 0] = codes.split(':').map(Number)
  const [modifierBits = '', event = ''] = modifier.split(':')
  if (event === '3') return null
  const mods = withAlt(modifiersOf(Number(modifierBits || 1)), alt)
  const isRepeat = event === '2'
  const special = codeName(code)
  if (special === null) return null
  if (special !== undefined) {
    const key = special.length === 1 ? charKey(special, mods) : named(special, mods)
    return { ...key, isRepeat }
  }
  const typed = texts === '' ? '' : texts.split(':').map(Number).map(charOf).join('')
  if (!mods.ctrl && !mods.alt && !mods.superKey) {
    const text = typed || (mods.shift ? charOf(shiftedCode) || charOf(code).toUpperCase() : charOf(code))
    return { ...charKey(text, none), isRepeat }
  }
  // A shortcut means the key's place on a Latin keyboard, whatever the layout types there (TERM-49).
  const latin = code > 0x7f && base > 0x20 && base < 0x7f ? base : code
  const isSymbol = mods.shift && shiftedCode > 0x20 && latin === code && !/\p{L}/u.test(charOf(shiftedCode))
  const key = isSymbol ? charKey(charOf(shiftedCode), { ...mods, shift: false }) : charKey(charOf(latin), mods)
  return { ...key, isRepeat }
}

function finalKey(final: string, mods: Modifiers): KeyPress | null {
  return namedOrNull(legacyFinals[final], mods)
}

function namedOrNull(name: string | undefined, mods: Modifiers): KeyPress | null {
  return name === undefined ? null : named(name, mods)
}

/** A key that types `char`: alone it is named by what it types, with other modifiers by its lower-case letter. */
function charKey(char: string, mods: Modifiers): KeyPress {
  if (char === '\r' || char === '\n') return named('enter', mods)
  if (char === '\t') return named('tab', mods)
  if (char === '\x1b') return named('esc', mods)
  if (char === '\x7f' || char === '\b') return named('backspace', mods)
  const isPlain = !mods.ctrl && !mods.alt && !mods.superKey
  if (char === ' ') return { ...named('space', { ...mods, shift: false }), text: isPlain ? ' ' : '' }
  if (isPlain) return { name: char, text: char, isRepeat: false }
  const lower = char.toLowerCase()
  const isUpper = lower !== char
  const isLetter = isUpper || char.toUpperCase() !== char
  return named(lower, { ...mods, shift: isUpper || (mods.shift && isLetter) })
}

function named(base: string, mods: Modifiers): KeyPress {
  const prefix = `${mods.ctrl ? 'ctrl+' : ''}${mods.alt ? 'alt+' : ''}${mods.shift ? 'shift+' : ''}${mods.superKey ? 'super+' : ''}`
  return { name: prefix + base, text: '', isRepeat: false }
}

/** Sent as 1 + bits: shift 1, alt 2, ctrl 4, super 8; hyper and meta count as super, the locks as nothing. */
function modifiersOf(sent: number): Modifiers {
  const bits = Number.isFinite(sent) && sent > 0 ? sent - 1 : 0
  return {
    shift: (bits & 1) !== 0,
    alt: (bits & 2) !== 0,
    ctrl: (bits & 4) !== 0,
    superKey: (bits & (8 | 16 | 32)) !== 0
  }
}

function rxvtModifiers(final: string): Modifiers | null {
  if (final === '$') return shifted
  if (final === '^') return controlled
  if (final === '@') return { ...controlled, shift: true }
  return null
}

function withAlt(mods: Modifiers, alt: boolean): Modifiers {
  return alt ? { ...mods, alt } : mods
}

function lastNumber(params: string): number {
  const last = params.split(';').at(-1) ?? ''
  return last === '' ? 1 : Number(last)
}

function charOf(code: number): string {
  return Number.isInteger(code) && code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
}
