// Reading JSON that others wrote and that differs in everything but the outline: a field of an unexpected kind counts as absent.

/** The value of a JSON text, or undefined if it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // No JSON text has this value.
  }
}

/** Whether a JSON value is an object and no list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A string as it is, anything else as an empty one. */
export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
