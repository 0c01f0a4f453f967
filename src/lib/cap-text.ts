/**
 * The text of a tool result as it may enter the context (TOOL-011): unchanged up to `limitBytes` of UTF-8, else the first 70 % and
 * the last 30 % at line boundaries with a marker between them; marker included, nothing is longer than the limit. `wholeIn` names
 * the file that keeps the whole text (TOOL-012). A negative limit is none.
 */
export function capResult(text: string, limitBytes: number, wholeIn?: string): string {
  if (limitBytes < 0 || Buffer.byteLength(text) <= limitBytes) return text
  const bytes = Buffer.from(text)
  const budget = Math.max(0, limitBytes - Buffer.byteLength(marker(bytes.length, bytes.length, wholeIn)) - 2)
  const headBudget = Math.floor(budget * 0.7)
  const head = bytes.subarray(0, lineCutBefore(bytes, headBudget))
  const tail = bytes.subarray(lineCutAfter(bytes, bytes.length - (budget - headBudget)))
  const gap = head.length === 0 || head.at(-1) === newline ? '' : '\n'
  return `${head}${gap}${marker(head.length + tail.length, bytes.length, wholeIn)}\n${tail}`
}

const newline = 0x0a

function marker(kept: number, total: number, wholeIn: string | undefined): string {
  const where = wholeIn === undefined ? '' : `, whole output in ${wholeIn}`
  return `[… ${kept} of ${total} bytes shown, limit tools.max_result_bytes${where} …]`
}

/** Where to cut so that at most `budget` bytes stay in front: after a line end, or between two letters of an overlong line. */
export function lineCutBefore(bytes: Buffer, budget: number): number {
  if (budget >= bytes.length) return bytes.length
  const lineEnd = budget === 0 ? -1 : bytes.lastIndexOf(newline, budget - 1)
  if (lineEnd >= budget / 2) return lineEnd + 1
  let cut = Math.max(0, budget)
  while (cut > 0 && isContinuation(bytes[cut])) cut -= 1
  return cut
}

function lineCutAfter(bytes: Buffer, from: number): number {
  const lineEnd = from === 0 ? -1 : bytes.indexOf(newline, from - 1)
  if (lineEnd !== -1 && lineEnd + 1 - from <= (bytes.length - from) / 2) return lineEnd + 1
  let cut = from
  while (cut < bytes.length && isContinuation(bytes[cut])) cut += 1
  return cut
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80

/** Length of a text in bytes of UTF-8. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text)
}

/** As much of `text` from its beginning as fits into `most` bytes of UTF-8; no letter is cut in two. */
export function cutBytes(text: string, most: number): string {
  // No letter takes more than three bytes per unit; only what could be too long is encoded, and never more than `most` of it.
  if (text.length * 3 <= most) return text
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(Math.max(0, most)))
  return text.slice(0, read)
}

/** As much of `text` from its beginning as fits into `most` UTF-16 units; no letter is cut in two. */
export function cutLength(text: string, most: number): string {
  if (text.length <= most) return text
  const last = text.charCodeAt(most - 1)
  const isHalf = last >= 0xd800 && last <= 0xdbff
  return text.slice(0, Math.max(0, isHalf ? most - 1 : most))
}
