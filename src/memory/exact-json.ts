import { messageOf } from '../lib/error.ts'

// `JSON.parse` rounds integers beyond 2^53, and a rounded timestamp has another hash (MEM-016). A reviver that is told the digits would
// do, but takes seconds for the numbers that others may send; so only long integers are set apart before, and put back after.

/** Parses JSON; an integer of up to 40 digits that a double cannot hold exactly becomes a bigint (MEM-016). */
export function parseExactJson(text: string): { readonly value: unknown } | { readonly malformed: string } {
  try {
    if (!/[1-9]\d{15}/.test(text)) return { value: JSON.parse(text) }
    return { value: withIntegers(JSON.parse(setApart(text))) }
  } catch (error) {
    // Bad syntax, or nesting deeper than the stack: unusable either way.
    return { malformed: messageOf(error) }
  }
}

/** The one key of the object that stands for a long integer. */
const mark = '\0integer'
const longInteger = /(?<![\d.eE+-])-?[1-9]\d{15,39}(?![\d.eE])/g

/** The text with every long integer outside of strings as an object that holds its digits. */
function setApart(text: string): string {
  const parts: string[] = []
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at)
    const plain = text.slice(at, quote === -1 ? text.length : quote)
    parts.push(plain.replace(longInteger, (digits) => `{${JSON.stringify(mark)}:"${digits}"}`))
    if (quote === -1) break
    const end = endOfString(text, quote)
    parts.push(text.slice(quote, end))
    at = end
  }
  return parts.join('')
}

/** The place behind the quote that closes the string which opens at `start`. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0
    while (text[quote - 1 - backslashes] === '\\') backslashes += 1
    if (backslashes % 2 === 0) return quote + 1
  }
  return text.length
}

function withIntegers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    for (const [n, each] of value.entries()) if (typeof each === 'object') value[n] = withIntegers(each)
    return value
  }
  const members = value as Record<string, unknown>
  const digits = members[mark]
  if (typeof digits === 'string') return integerOf(digits)
  for (const [key, each] of Object.entries(members))
    if (typeof each === 'object' && each !== null && key !== '__proto__') members[key] = withIntegers(each)
  return value
}

function integerOf(digits: string): number | bigint {
  const value = Number(digits)
  return Number.isSafeInteger(value) ? value : BigInt(digits)
}
