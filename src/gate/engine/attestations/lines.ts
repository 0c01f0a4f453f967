import { sha256Of } from '../../../lib/hash.ts'

/** One line of a file as it stands there. */
export type SourceLine = {
  /** From 1. */
  readonly number: number
  readonly bytes: Buffer
}

/** Blank lines and comments carry no record (ATT-500). */
export function isRecordLine(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => byte !== 0x20 && byte !== 0x09 && byte !== 0x0d)
  return first !== undefined && first !== 0x23
}

/**
 * The record lines of a file. What follows the last newline is a torn tail: `wholeBytes` says where the file should end (ATT-500,
 * ATT-501).
 */
export function splitLines(content: Buffer): { readonly lines: readonly SourceLine[]; readonly wholeBytes: number } {
  const lines: SourceLine[] = []
  let start = 0
  for (let number = 1; ; number++) {
    const end = content.indexOf(0x0a, start)
    if (end === -1) return { lines, wholeBytes: start }
    const bytes = content.subarray(start, end)
    if (isRecordLine(bytes)) lines.push({ number, bytes })
    start = end + 1
  }
}

/** Text of a line, or null when its bytes are no UTF-8. */
export function lineText(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes)
  } catch {
    return null // not UTF-8
  }
}

/** SHA-256 of a line without its newline, as 64 hex digits (ATT-460). */
export function lineHash(bytes: Uint8Array): string {
  return sha256Of(bytes)
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
