import type { z } from 'zod'

// How a model's text becomes a value (RUN-621, RUN-623): one JSON object of the asked shape, with whatever text around it. What cannot be
// read that way is malformed, and the reason is told back once.

export type Read<Reply> = { readonly reply: Reply } | { readonly problem: string }

/** Longest text that is looked at, in characters; an answer of this size is none. */
export const maxReplyLength = 1_000_000

/** Most places where an object could begin that are tried, so that a text full of braces takes no quadratic time. */
const maxAttempts = 64

/** Most characters the search for the ends of objects looks at, over all attempts. */
const maxSearched = 8 * maxReplyLength

/** Deepest nesting of an answer. No shape needs a tenth of it, and what is read, compared and kept is walked by recursion. */
const maxNesting = 100

/** Reads the one object of this shape in `text`. Two different ones are no answer: nobody could say which was meant (RUN-621, RUN-623). */
export function readReply<Reply>(text: string, shape: z.ZodType<Reply>): Read<Reply> {
  if (text.trim() === '') return { problem: 'the answer was empty' }
  if (text.length > maxReplyLength) return { problem: `the answer was longer than ${maxReplyLength} characters` }
  const fitting = new Map<string, Reply>()
  let problem: string | null = null
  for (const value of objectsIn(text)) {
    const read = shape.safeParse(value)
    if (read.success) fitting.set(JSON.stringify(read.data), read.data)
    else problem ??= issueText(read.error)
  }
  const [first, ...others] = fitting.values()
  if (first === undefined) return { problem: problem ?? 'the answer held no complete JSON object' }
  return others.length === 0 ? { reply: first } : { problem: 'the answer held more than one JSON object of the shape' }
}

/** The outermost JSON objects of a text, in order. */
function* objectsIn(text: string): Generator<object> {
  let at = text.indexOf('{')
  let searched = 0
  for (let attempt = 0; at !== -1 && attempt < maxAttempts && searched < maxSearched; attempt += 1) {
    const end = endOfObject(text, at)
    searched += (end === -1 ? text.length : end) - at
    const value = end === -1 ? null : objectOf(text.slice(at, end))
    if (value !== null) yield value
    at = text.indexOf('{', value === null ? at + 1 : end)
  }
}

/** Index behind the brace that closes the one at `start`; -1 when there is none, or when it nests too deep. */
function endOfObject(text: string, start: number): number {
  let depth = 0
  let brackets = 0
  let isText = false
  for (let at = start; at < text.length; at += 1) {
    const letter = text[at]
    if (isText) {
      if (letter === '\\') at += 1
      else if (letter === '"') isText = false
    } else if (letter === '"') isText = true
    else if (letter === '{') depth += 1
    else if (letter === '[') brackets += 1
    else if (letter === ']') brackets -= 1
    else if (letter === '}') {
      depth -= 1
      if (depth === 0) return at + 1
    }
    if (depth + brackets > maxNesting) return -1
  }
  return -1
}

function objectOf(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : null
  } catch {
    // Braces around something else: the search goes on behind the first of them.
    return null
  }
}

function issueText(error: z.ZodError): string {
  const [issue] = error.issues
  const path = issue?.path.join('.') ?? ''
  return `${path === '' ? '' : `"${path}": `}${issue?.message ?? 'not of the shape'}`
}
