import { byteLength } from '../../lib/cap-text.ts'

// Who answers for a verdict. One validator serves the command line, `/op-id` and every record (INIT-10…23, ATT-350).

export type OpIdResult =
  /** The stored form: NFC, so that two encodings of one text are one operator (INIT-21). */
  { readonly opId: string } | { readonly refused: OpIdRefusal }

export type OpIdRefusal = {
  readonly code: 'op-id-required' | 'op-id-too-long' | 'op-id-invalid-characters'
  readonly text: string
}

/** Longest op-id, in bytes of UTF-8 after normalisation (INIT-11). */
const maxOpIdBytes = 256

/** Checks in the order of the table, ill-formed text before controls; the first failure is told (INIT-20). */
export function validateOpId(given: string): OpIdResult {
  if (/^\p{White_Space}*$/u.test(given)) return { refused: { code: 'op-id-required', text: 'op-id-required' } }
  const opId = given.normalize('NFC')
  const size = byteLength(opId)
  if (size > maxOpIdBytes) {
    const text = `op-id-too-long: ${size} > ${maxOpIdBytes} bytes`
    return { refused: { code: 'op-id-too-long', text } }
  }
  const problem = characterProblem(opId)
  if (problem === null) return { opId }
  return { refused: { code: 'op-id-invalid-characters', text: `op-id-invalid-characters: ${problem}` } }
}

/**
 * The answer to `op-id:`, which may also be typed as the command it stands for; no identity holds a `/`, so nothing is read two ways.
 * The words by which the command clears are no identity here either (OPUI-407, OPUI-200).
 */
export function readOpIdAnswer(typed: string): OpIdResult {
  const given = typed.trim().replace(/^\/op-id(?:\s+|$)/, '')
  return validateOpId(isClearingWord(given) ? '' : given)
}

/** Whether `/op-id <word>` takes the identity away (OPUI-200). */
export function isClearingWord(word: string): boolean {
  return word === 'clear' || word === 'none'
}

function characterProblem(opId: string): string | null {
  // U+FFFD is what a decoder put in the place of bytes that were no UTF-8.
  if (!opId.isWellFormed() || opId.includes('\ufffd')) return 'not valid UTF-8'
  const control = /[\x00-\x1f\x7f]/.exec(opId)
  if (control !== null) return `control byte at offset ${offsetOf(opId, control.index)} (0x${hex(control[0], 2)})`
  const separator = /[/\\]/.exec(opId)
  if (separator !== null)
    return `path-separator at offset ${offsetOf(opId, separator.index)} (${JSON.stringify(separator[0])})`
  const space = /\p{White_Space}/u.exec(opId)
  if (space !== null) return `whitespace at offset ${offsetOf(opId, space.index)}`
  if (opId.includes('..')) return 'contains ".." (path-traversal guard)'
  if (/^[.-]/.test(opId)) return `must not start with "${opId[0]}"`
  if (opId.endsWith('.')) return "trailing '.' rejected"
  const format = /[\p{Cc}\p{Cf}]/u.exec(opId)
  return format === null ? null : `contains Unicode format/control rune U+${hex(format[0], 4).toUpperCase()}`
}

function offsetOf(text: string, index: number): number {
  return byteLength(text.slice(0, index))
}

function hex(char: string, digits: number): string {
  return (char.codePointAt(0) ?? 0).toString(16).padStart(digits, '0')
}
