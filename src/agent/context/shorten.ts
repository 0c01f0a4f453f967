/**
 * Head and tail of a long text with a marker between them, at most `maxChars` UTF-16 units in all (CTX-021). A text that
 * fits is returned as it is, so doing it twice changes nothing. Never cuts through a code point.
 */
export function headAndTail(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const marker = `\n[… ${text.length} characters, the middle left out …]\n`
  const room = maxChars - marker.length
  if (room < 2) return codePointStart(text, Math.max(0, maxChars))
  const head = codePointStart(text, Math.ceil((room * 2) / 3))
  return head + marker + codePointEnd(text, room - head.length)
}

/** One line of at most `maxChars` characters: white space collapsed, `…` where it was cut. */
export function clipLine(text: string, maxChars: number): string {
  // Only so much is looked at, for the text may be a pasted file.
  const line = text
    .slice(0, maxChars * 8)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length <= maxChars ? line : `${codePointStart(line, maxChars - 1)}…`
}

/** At most `maxChars` characters with line breaks kept, `…` where it was cut. */
export function clipText(text: string, maxChars: number): string {
  const trimmed = text.trim()
  return trimmed.length <= maxChars ? trimmed : `${codePointStart(trimmed, maxChars - 1)}…`
}

function codePointStart(text: string, length: number): string {
  return text.slice(0, isInsidePair(text, length) ? length - 1 : length)
}

function codePointEnd(text: string, length: number): string {
  const start = text.length - length
  return text.slice(isInsidePair(text, start) ? start + 1 : start)
}

function isInsidePair(text: string, at: number): boolean {
  return at > 0 && at < text.length && /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1))
}
