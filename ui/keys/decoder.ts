import { StringDecoder } from 'node:string_decoder'
import { graphemes } from '../../src/lib/width.ts'
import { type KeyPress, keyOf } from './name.ts'
import { cutSequences, type Token } from './sequence.ts'

/** What the terminal told, one thing at a time. */
export type TerminalInput =
  /** `isBurst`: so close to other typing that no hand did it; an Enter in a burst belongs to a paste (TERM-43). */
  | ({ readonly kind: 'key'; readonly isBurst: boolean } & KeyPress)
  /** Several characters that arrived as one, such as a paste without brackets or what an input method composed. */
  | { readonly kind: 'text'; readonly text: string }
  /** Line ends are LF, all else is as pasted. */
  | { readonly kind: 'paste'; readonly text: string }
  /** Notches of one burst added up, down is positive; `column` counts from 0 (TERM-22). */
  | { readonly kind: 'wheel'; readonly notches: number; readonly column: number }
  | { readonly kind: 'focus'; readonly isFocused: boolean }
  | { readonly kind: 'reply'; readonly to: 'kitty' | 'attributes' | 'synchronized' }

export type InputDecoder = {
  /** Decodes a chunk that arrived at `now` (milliseconds). Any split of the bytes yields the same text, keys and pastes. */
  push(chunk: Uint8Array | string, now: number): TerminalInput[]
  /** When `flush` has to be called if nothing arrives before, or null. */
  deadline(): number | null
  /** Gives up waiting: a lone Esc is Esc, a paste whose end mark never came ends here (TERM-43). */
  flush(now: number): TerminalInput[]
}

const PASTE_START = '\x1b[200~'
const PASTE_END = '\x1b[201~'
/** What could be Esc alone waits this long for more, so that Esc still interrupts within 100 ms (TERM-45). */
const ESCAPE_WAIT_MS = 30
/** What is surely the beginning of a sequence waits longer: slow lines split anywhere. */
const SEQUENCE_WAIT_MS = 200
const PASTE_WAIT_MS = 1_000
const BURST_MS = 30

/** Turns the bytes of one terminal into input events. Holds only what is unfinished. */
export function createInputDecoder(): InputDecoder {
  const utf8 = new StringDecoder('utf8')
  let pending = ''
  let paste: string[] | null = null
  let pasteTail = ''
  let arrivedAt = 0
  let typedAt = Number.NEGATIVE_INFINITY

  function take(text: string, now: number, isFinal: boolean): TerminalInput[] {
    const result: TerminalInput[] = []
    let input = pending + text
    pending = ''
    for (;;) {
      if (paste !== null) {
        const rest = takePaste(input, result)
        if (rest === null) return result
        input = rest
      }
      const start = input.indexOf(PASTE_START)
      const cut = cutSequences(start === -1 ? input : input.slice(0, start), isFinal || start !== -1)
      interpret(cut.tokens, now, result)
      pending = cut.rest
      if (start === -1) return result
      paste = []
      input = input.slice(start + PASTE_START.length)
    }
  }

  /** Adds to the open paste; what follows its end mark comes back, or null while it is open. */
  function takePaste(input: string, result: TerminalInput[]): string | null {
    const open = paste ?? []
    const searched = pasteTail + input
    const end = searched.indexOf(PASTE_END)
    if (end === -1) {
      const keep = Math.max(0, searched.length - PASTE_END.length + 1)
      open.push(searched.slice(0, keep))
      pasteTail = searched.slice(keep)
      return null
    }
    open.push(searched.slice(0, end))
    closePaste(open.join(''), result)
    return searched.slice(end + PASTE_END.length)
  }

  function closePaste(text: string, result: TerminalInput[]): void {
    paste = null
    pasteTail = ''
    const normal = text.replaceAll(/\r\n?/g, '\n').toWellFormed()
    if (normal !== '') result.push({ kind: 'paste', text: normal })
  }

  function interpret(tokens: readonly Token[], now: number, result: TerminalInput[]): void {
    for (const [index, token] of tokens.entries()) {
      if (token.kind === 'text' && isSeveral(token.text)) {
        result.push({ kind: 'text', text: token.text.toWellFormed() })
        typedAt = now
        continue
      }
      const told = reportOf(token)
      if (told !== null) {
        addReport(told, result)
        continue
      }
      const key = keyOf(token)
      if (key === null) continue
      const isTyped = key.text !== '' || key.name === 'enter' || key.name === 'tab'
      const isBurst = isTyped && (now - typedAt < BURST_MS || tokens[index + 1]?.kind === 'text')
      if (isTyped) typedAt = now
      result.push({ kind: 'key', ...key, text: key.text.toWellFormed(), isBurst })
    }
  }

  return {
    push(chunk, now) {
      arrivedAt = now
      return take(typeof chunk === 'string' ? chunk : utf8.write(Buffer.from(chunk)), now, false)
    },
    deadline() {
      if (paste !== null) return arrivedAt + PASTE_WAIT_MS
      if (pending === '') return null
      return arrivedAt + (couldBeEscape(pending) ? ESCAPE_WAIT_MS : SEQUENCE_WAIT_MS)
    },
    flush(now) {
      if (paste === null) {
        // The rest of a cut sequence may still come and would be typed; its beginning at least is not.
        if (!couldBeEscape(pending)) pending = ''
        return take('', now, true)
      }
      const result: TerminalInput[] = []
      closePaste(paste.join('') + pasteTail, result)
      return result
    }
  }
}

/** Focus changes, mouse events and query replies; null for keys. A plain click is reported as nothing to do. */
function reportOf(token: Token): Exclude<TerminalInput, { kind: 'key' | 'text' | 'paste' }> | 'nothing' | null {
  if (token.kind === 'string') return 'nothing'
  if (token.kind !== 'csi') return null
  const { params, final } = token
  if (params === '' && (final === 'I' || final === 'O')) return { kind: 'focus', isFocused: final === 'I' }
  if (params.startsWith('<') && (final === 'M' || final === 'm')) {
    const [button = 0, column = 1] = params.slice(1).split(';').map(Number)
    // Bits 2…4 are modifiers; 64 is the wheel up, 65 down.
    const wheel = button & ~0b11100
    if (wheel !== 64 && wheel !== 65) return 'nothing'
    return { kind: 'wheel', notches: wheel === 64 ? -1 : 1, column: Math.max(0, column - 1) }
  }
  if (params.startsWith('?')) {
    if (final === 'u') return { kind: 'reply', to: 'kitty' }
    if (final === 'c') return { kind: 'reply', to: 'attributes' }
    // 1 and 2: the mode exists and is on or off.
    if (/^\?2026;[12]\$$/.test(params) && final === 'y') return { kind: 'reply', to: 'synchronized' }
    return 'nothing'
  }
  // A cursor report looks like a modified F3; the first line with a small column is taken for the key.
  if (final === 'R' && !/^(1;([2-9]|1[0-6]))?$/.test(params)) return 'nothing'
  return null
}

function addReport(
  told: Exclude<TerminalInput, { kind: 'key' | 'text' | 'paste' }> | 'nothing',
  result: TerminalInput[]
): void {
  if (told === 'nothing') return
  const last = result.at(-1)
  if (told.kind === 'wheel' && last?.kind === 'wheel') {
    result[result.length - 1] = { ...told, notches: last.notches + told.notches }
  } else result.push(told)
}

/** Esc, or Alt and one key. */
function couldBeEscape(pending: string): boolean {
  return pending.length <= 2
}

function isSeveral(text: string): boolean {
  if (text.length === 1) return false
  const [first] = graphemes(text)
  return first !== undefined && first.text.length < text.length
}
