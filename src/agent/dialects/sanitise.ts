import { cutBytes } from '../../lib/cap-text.ts'

// Text that enters prompts and notes from outside. Patterns are linear; nothing here depends on a terminal.

const csi = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]/g
const maxNoteBytes = 8192

/**
 * A working directory as it may stand in a prompt (MODEL-009): trimmed, CSI sequences gone, every control character, line
 * separator and undecodable byte as `_`; `.` when nothing is left.
 */
export function promptPath(workdir: string): string {
  const clean = workdir.trim().replace(csi, '').toWellFormed()
  return clean.replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffd]/g, '_') || '.'
}

/**
 * Text of a checkpoint on its way into a context (MODEL-081): at most 8192 bytes before cleaning, no CSI sequence, no control but
 * LF, CR and TAB, and no line that poses as the header of a role.
 */
export function noteText(text: string): string {
  return cutBytes(text.toWellFormed(), maxNoteBytes)
    .replace(csi, '')
    .replace(/[\x85\u2028\u2029]/g, ' ')
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g, '')
    .replace(roleHeader, '[REDACTED-HEADER]')
}

const roleHeader = /^[ \t]*(?:(?:---|===)[ \t]*system\b|(?:system|assistant|user)[ \t]*:)/gim
