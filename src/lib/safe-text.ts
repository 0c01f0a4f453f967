import { cellWidth } from './width.ts'

// Text from outside is untrusted: model text, tool output, file names, summaries, hints. This file is the one place that makes it safe
// (TERM-30, TOOL-128): `safeText` for the screen, `visibleText` and `visibleLine` where an operator decides on what they read,
// `modelText` for the model, `safeJson` for a line that a program reads and a person may see. All of them take linear time and work line
// by line: a line's result depends on that line alone, so that streamed text can be cleaned as it grows.

// A CSI sequence; a string (OSC, DCS, SOS, PM, APC, screen title) up to its terminator on the same line; a single escape sequence.
// A string without terminator loses its introducer only: stray bytes in mojibake must not swallow the text behind them. No alternative
// can start inside what another one refused, so a scan never covers a stretch twice.
const escapes =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|(?:\x1b[\]PX^_k]|[\x90\x98\x9d-\x9f])[^\x07\n\x1b\x80-\x9f]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]/g
const mayEscape = /[\x1b\x90\x98\x9b\x9d-\x9f]/

// Parts of character classes. Soft hyphen, grapheme joiner, blank letters, variation selectors of one script, annotation marks:
const FILLERS = String.raw`\xad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufeff\uffa0\ufff0-\ufffb`
const DIRECTIONS = String.raw`\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069`
const CONTROLS = String.raw`\x00-\x08\x0b-\x1f\x7f-\x9f`
// Tags and the variation selectors beyond the basic plane.
const TAGS = String.raw`\u{e0000}-\u{e0fff}`

// Text without any of these is returned as it is. Surrogates stand for everything beyond the basic plane.
const suspicious = new RegExp(
  String.raw`[${CONTROLS}\t${FILLERS}${DIRECTIONS}\u200b-\u200d\u2028\u2029\u2060-\u206f\u2800\ud800-\udfff\ufe00-\ufe0f]`
)
const lineSeparators = /[\x85\u2028\u2029]/g
const strayControls = new RegExp(`[${CONTROLS}]`, 'g')
const directionControls = new RegExp(`[${DIRECTIONS}]`, 'g')
// Tags that spell a flag stay with their flag.
const FLAG = String.raw`\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,8}\u{e007f}`
const invisible = new RegExp(String.raw`(${FLAG})|[${FILLERS}\u200b\u2060-\u2065\u206a-\u206f${TAGS}]`, 'gu')
// Joiners shape scripts and emoji and mean nothing between other characters (TOOL-120).
const strayJoiners =
  /(?<![[\p{L}\p{M}\p{Emoji}\ufe0f]--[\x00-\x7f]])[\u200c\u200d]|[\u200c\u200d](?![[\p{L}\p{M}\p{Emoji}]--[\x00-\x7f]])/gv

// Emoji joined without end, or toned over and over, are one cluster of two cells by the rules and hundreds on a terminal that does not
// join: the longest sequence in use has three joiners and a tone for each of its people.
const endlessEmoji =
  /(?<=(?:\u200d\p{Emoji}[\ufe0f\u{1f3fb}-\u{1f3ff}]{0,2}){6})\u200d|(?<=[\u{1f3fb}-\u{1f3ff}]{6})[\u{1f3fb}-\u{1f3ff}]/gu

// Variation selectors are left alone where they choose between the faces of an emoji; elsewhere they can carry a hidden message.
const deceptive = new RegExp(
  String.raw`[${FILLERS}${DIRECTIONS}\x80-\x9f\u200b-\u200d\u2028\u2029\u2060-\u206f\u2800${TAGS}\ufe00-\ufe0d]|(?<!\p{Emoji})[\ufe0e\ufe0f]`,
  'gu'
)

const terminalControls = new RegExp(String.raw`[\x7f-\x9f${DIRECTIONS}\u2028\u2029]`, 'g')

const TAB_STOP = 4
const REPLACEMENT = '\ufffd'

/**
 * `text` as the screen may show it (TOOL-120, TOOL-121): no control but LF, no escape sequence, no character that hides or reorders
 * others. Escape sequences and zero-width characters vanish, other controls and direction marks become `�`, separators a space, tabs
 * the spaces to the next multiple of four; of an overwritten line (CR) the last state stays.
 */
export function safeText(text: string): string {
  if (!suspicious.test(text)) return text
  const folded = foldCarriageReturns(withoutEscapes(text.toWellFormed()))
  const marked = folded
    .replace(lineSeparators, ' ')
    .replace(strayControls, REPLACEMENT)
    .replace(directionControls, REPLACEMENT)
  return expandTabs(marked.replace(invisible, '$1').replace(strayJoiners, '').replace(endlessEmoji, ''), ' ')
}

/** `safeText` on one line: line feeds become spaces. For names and labels that have one line to live on. */
export function safeLine(text: string): string {
  return safeText(text).replaceAll('\n', ' ')
}

/**
 * `text` with everything visible that could deceive whoever decides on it (TERM-31): controls as `␛`, `␍` …, invisible and
 * direction-changing characters as `<U+202E>`, tabs as `⇥` up to the tab stop. Nothing vanishes; lines stay lines.
 */
export function visibleText(text: string): string {
  if (!suspicious.test(text)) return text
  const shown = text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replace(/[\x00-\x08\x0b-\x1f]/g, (char) => String.fromCharCode(0x2400 + char.charCodeAt(0)))
    .replaceAll('\x7f', '\u2421')
    .replace(deceptive, codePointName)
  return expandTabs(shown, '\u21e5')
}

/** `visibleText` on one line, line feeds as `␊`: a file name with escape bytes or line ends in it (TOOL-126). */
export function visibleLine(text: string): string {
  return visibleText(text).replaceAll('\n', '\u240a')
}

/**
 * Tool output as the model gets it (TOOL-122): without escape sequences and overwritten progress, controls as `�`. Unlike on the
 * screen, tabs and everything invisible stay: the model has to be able to quote a file exactly.
 */
export function modelText(raw: string): string {
  if (!suspicious.test(raw)) return raw
  return foldCarriageReturns(withoutEscapes(raw.toWellFormed())).replace(
    /[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f]/g,
    REPLACEMENT
  )
}

/**
 * `value` as JSON for standard output: what JSON keeps and a terminal acts on is escaped, so that whoever parses it gets the same value
 * and whoever looks at it an unharmed screen (TERM-30). `indent` as for `JSON.stringify`.
 */
export function safeJson(value: object, options: { readonly indent?: number } = {}): string {
  return JSON.stringify(value, null, options.indent).replace(
    terminalControls,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  )
}

function codePointName(char: string): string {
  return `<U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`
}

function withoutEscapes(text: string): string {
  return mayEscape.test(text) ? text.replace(escapes, '') : text
}

/** CRLF and trailing CR go; what stands before another CR was overwritten (TOOL-121). */
function foldCarriageReturns(text: string): string {
  if (!text.includes('\r')) return text
  return text
    .split('\n')
    .map((line) => {
      let end = line.length
      while (end > 0 && line.charCodeAt(end - 1) === 0x0d) end -= 1
      return end === 0 ? '' : line.slice(line.lastIndexOf('\r', end - 1) + 1, end)
    })
    .join('\n')
}

/** Replaces tabs by `mark` and the spaces to the next tab stop, counted in cells from the line's beginning. */
function expandTabs(text: string, mark: string): string {
  if (!text.includes('\t')) return text
  return text
    .split('\n')
    .map((line) => {
      const [first = '', ...rest] = line.split('\t')
      let expanded = first
      let column = cellWidth(first)
      for (const part of rest) {
        const fill = TAB_STOP - (column % TAB_STOP)
        expanded += mark + ' '.repeat(fill - 1) + part
        column += fill + cellWidth(part)
      }
      return expanded
    })
    .join('\n')
}
