import { messageOf } from '../lib/error.ts'

// `JSON.parse` rounds integers beyond 2^53, and a rounded timestamp has another hash (MEM-016). The reviver's third argument
// holds the digits as they stood in the text.

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown

/** Parses JSON; an integer that a double cannot hold exactly becomes a bigint (MEM-016). */
export function parseExactJson(text: string): { readonly value: unknown } | { readonly malformed: string } {
  try {
    return { value: parse(text, exactInteger) }
  } catch (error) {
    // Bad syntax, or nesting deeper than the stack: unusable either way.
    return { malformed: messageOf(error) }
  }
}

const exactInteger: Reviver = (_key, value, { source }) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && /^-?\d+$/.test(source)
    ? BigInt(source)
    : value
