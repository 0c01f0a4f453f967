import { cutBytes } from '../../lib/cap-text.ts'
import { redact } from '../../lib/redact.ts'

/** What stands in a secret's place, as elsewhere (MODEL-052). */
const redacted = '<redacted>'

/** Text kept in a record, in bytes (CONC-24). */
export const recordedTextBytes = 16 * 1024
/** Looked at for a tail: room for a key block that begins before it. */
const tailWindow = 256 * 1024

// Each alternative takes one run of characters from one place, so that a scan stays linear.
const keyBlocks = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g
const assignments = /\b([A-Za-z0-9_]*(?:_KEY|TOKEN|SECRET|PASSWORD)|KEY)=(?:"[^"\n]*"|'[^'\n]*'|\S+)/gi

/** `text` without bearer tokens, `sk-` keys, assignments to names of secrets, and private key blocks (CONC-24). */
export function masked(text: string): string {
  return redact(text.replace(keyBlocks, redacted).replace(assignments, `$1=${redacted}`))
}

/** The masked beginning of a text as a record keeps it (CONC-24). */
export function recordedText(text: string): string {
  return cutBytes(masked(text), recordedTextBytes)
}

/** The masked end of a text as a record keeps it (CONC-24). */
export function recordedTail(text: string): string {
  const bytes = Buffer.from(masked(text.slice(-tailWindow)))
  if (bytes.length <= recordedTextBytes) return bytes.toString()
  return bytes
    .subarray(bytes.length - recordedTextBytes)
    .toString()
    .replace(/^\ufffd+/, '')
}

/** A JSON value with every text in it masked and cut (CONC-24). */
export function recordedValue(value: unknown): unknown {
  if (typeof value === 'string') return recordedText(value)
  if (Array.isArray(value)) return value.map(recordedValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, recordedValue(entry)]))
}
