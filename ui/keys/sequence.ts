/**
 * Cuts what a terminal sends into tokens: runs of plain text, control bytes and escape sequences. It knows the shape of sequences
 * (ECMA-48, plus what rxvt and the Linux console add), not their meaning (`name.ts`). A sequence that is not complete yet stays in
 * `rest`; whether it is a lone Esc is a question of time, which the decoder answers.
 */
export type Token =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'control'; readonly byte: number; readonly alt: boolean }
  | { readonly kind: 'alt'; readonly char: string }
  | { readonly kind: 'csi'; readonly params: string; readonly final: string; readonly alt: boolean }
  | { readonly kind: 'ss3'; readonly params: string; readonly final: string; readonly alt: boolean }
  /** DCS, OSC, APC, PM and SOS: only replies to queries come this way. */
  | { readonly kind: 'string'; readonly introducer: string; readonly text: string }

export type Cut = { readonly tokens: readonly Token[]; readonly rest: string }

const ESC = '\x1b'
const controls = /[\x00-\x1f\x7f]/g
// The extra `[` is the Linux console's F1…F5, `$` rxvt's Shift.
const csi = /^\[(\[[A-E]|[\x30-\x3f]*[\x20-\x23\x25-\x2f]*(?:[235678]\$|\$?[\x40-\x7e]))/
const csiUnfinished = /^\[(?:\[|[\x30-\x3f]*[\x20-\x2f]*)$/
const ss3 = /^O([\x30-\x39;]*)([\x40-\x7e])/
const ss3Unfinished = /^O[\x30-\x39;]*$/
const stringIntroducers = 'P]_^X'
/** No reply to a query is longer; whatever is was typed or pasted, and must not be lost. */
const maxSequence = 1000
// What a reply consists of: no line end, no other control.
const string = /^.([^\x00-\x1f\x7f-\x9f]*)(?:\x07|\x1b\\|\x9c)/
const stringUnfinished = /^.[^\x00-\x1f\x7f-\x9f]*\x1b?$/

/** Cuts `input` as far as it is complete. With `isFinal` nothing is left: what is unfinished is read as Esc and what follows it. */
export function cutSequences(input: string, isFinal = false): Cut {
  const tokens: Token[] = []
  let at = 0
  while (at < input.length) {
    controls.lastIndex = at
    const found = controls.exec(input)
    const next = found === null ? input.length : found.index
    if (next > at) tokens.push({ kind: 'text', text: input.slice(at, next) })
    if (found === null) break
    const byte = input.charCodeAt(next)
    at = next + 1
    if (byte !== 0x1b) {
      tokens.push({ kind: 'control', byte, alt: false })
      continue
    }
    const taken = afterEscape(input, at, isFinal)
    if (taken === null) return { tokens, rest: input.slice(next) }
    tokens.push(taken.token)
    at = taken.end
  }
  return { tokens, rest: '' }
}

/** What begins with the Esc before `at`, or null when more must come first. */
function afterEscape(input: string, at: number, isFinal: boolean): { token: Token; end: number } | null {
  const lone: Token = { kind: 'control', byte: 0x1b, alt: false }
  if (at >= input.length) return isFinal ? { token: lone, end: at } : null
  // Some terminals put a second Esc in front of a sequence for Alt.
  const isDouble = input[at] === ESC
  const from = isDouble ? at + 1 : at
  const sequence = readSequence(input, from, isDouble)
  if (sequence === 'unfinished') {
    if (!isFinal) return null
  } else if (sequence !== null) return sequence
  if (isDouble) return from >= input.length && !isFinal ? null : { token: lone, end: at }
  const code = input.charCodeAt(at)
  if (code < 0x20 || code === 0x7f) return { token: { kind: 'control', byte: code, alt: true }, end: at + 1 }
  const char = String.fromCodePoint(input.codePointAt(at) ?? code)
  return { token: { kind: 'alt', char }, end: at + char.length }
}

function readSequence(input: string, at: number, alt: boolean): { token: Token; end: number } | 'unfinished' | null {
  const first = input[at]
  if (first === undefined) return null
  if (first === '[') {
    const body = input.slice(at, at + maxSequence)
    const match = csi.exec(body)?.[1]
    if (match === undefined) return body.length < maxSequence && csiUnfinished.test(body) ? 'unfinished' : null
    const end = at + 1 + match.length
    return { token: { kind: 'csi', params: match.slice(0, -1), final: match.slice(-1), alt }, end }
  }
  if (first === 'O') {
    const body = input.slice(at, at + 20)
    const match = ss3.exec(body)
    if (match === null) return ss3Unfinished.test(body) ? 'unfinished' : null
    const [whole, params = '', final = ''] = match
    return { token: { kind: 'ss3', params, final, alt }, end: at + whole.length }
  }
  if (stringIntroducers.includes(first)) return readString(input, at, first)
  return null
}

function readString(
  input: string,
  at: number,
  introducer: string
): { token: Token; end: number } | 'unfinished' | null {
  const body = input.slice(at, at + maxSequence)
  const match = string.exec(body)
  if (match === null) return body.length < maxSequence && stringUnfinished.test(body) ? 'unfinished' : null
  const [whole, text = ''] = match
  return { token: { kind: 'string', introducer, text }, end: at + whole.length }
}
