import { graphemes } from '../../src/lib/width.ts'

/**
 * What stands in the prompt. A large paste is one character of a private plane in `text` and its content in `pastes`: so it moves,
 * deletes and undoes as one, and expands on send (TERM-43). Text from outside never holds such a character: what brings one in
 * becomes a paste itself, so that nothing typed can be mistaken for a chip.
 */
export type Draft = { readonly text: string; readonly pastes: Readonly<Record<string, string>> }

export const emptyDraft: Draft = { text: '', pastes: {} }

const FIRST_CHIP = 0xf_0000
const LAST_CHIP = 0xf_ffff
const chipChar = /[\u{f0000}-\u{fffff}]/u
const chipChars = /[\u{f0000}-\u{fffff}]/gu

const MAX_SHOWN_CHARACTERS = 2_000
const MAX_SHOWN_LINES = 20
/** Text that is set as a whole (an editor, a message taken back) is shown up to this length, for it was meant to be edited. */
const MAX_EDITED_CHARACTERS = 20_000

/** The text as it is sent: every paste in full (TERM-43). */
export function expandDraft(draft: Draft): string {
  return draft.text.replaceAll(chipChars, (char) => draft.pastes[char] ?? '')
}

/** A draft of text that was written or kept elsewhere. */
export function draftOf(text: string): Draft {
  return text.length > MAX_EDITED_CHARACTERS || chipChar.test(text) ? chipOf(text) : { text, pastes: {} }
}

/** A draft of pasted text: itself when it is small, else one chip. */
export function draftOfPaste(text: string): Draft {
  const isLarge = text.length > MAX_SHOWN_CHARACTERS || lineCount(text) > MAX_SHOWN_LINES
  return isLarge || chipChar.test(text) ? chipOf(text) : { text, pastes: {} }
}

function chipOf(text: string): Draft {
  const char = String.fromCodePoint(FIRST_CHIP)
  return { text: char, pastes: { [char]: text } }
}

/** `added` with its chips renamed where `base` uses their characters for other pastes, and the pastes of both. */
export function graft(base: Draft, added: Draft): Draft {
  const pastes: Record<string, string> = { ...base.pastes }
  const text = added.text.replaceAll(chipChars, (char) => {
    const content = added.pastes[char] ?? ''
    const name = pastes[char] === content ? char : freeChip(pastes)
    pastes[name] = content
    return name
  })
  return { text, pastes }
}

function freeChip(pastes: Readonly<Record<string, string>>): string {
  for (let code = FIRST_CHIP; code < LAST_CHIP; code++) {
    const char = String.fromCodePoint(code)
    if (pastes[char] === undefined) return char
  }
  return String.fromCodePoint(LAST_CHIP)
}

/** Whether a cluster of a draft stands for a paste. */
export function isChip(cluster: string): boolean {
  return chipChar.test(cluster)
}

/** What stands for a paste on the screen: `[pasted 432 lines]`. */
export function chipLabel(content: string): string {
  const lines = lineCount(content)
  return lines > 1 ? `[pasted ${lines} lines]` : `[pasted ${content.length} characters]`
}

/** What the cursor moves over and Backspace deletes at once: graphemes, and chips as one. */
export function* clusters(text: string): Generator<{ readonly index: number; readonly text: string }> {
  let at = 0
  for (const { index, 0: chip } of text.matchAll(chipChars)) {
    yield* shifted(text.slice(at, index), at)
    yield { index, text: chip }
    at = index + chip.length
  }
  yield* shifted(text.slice(at), at)
}

function* shifted(text: string, by: number): Generator<{ readonly index: number; readonly text: string }> {
  for (const { index, text: cluster } of graphemes(text)) yield { index: index + by, text: cluster }
}

function lineCount(text: string): number {
  let count = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < text.length - 1; at = text.indexOf('\n', at + 1)) count++
  return count
}
