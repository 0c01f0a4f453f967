import { clusters, isChip } from './draft.ts'

// Where the cursor can go. Offsets are UTF-16 units and always lie between clusters (TERM-40).

/** Where the line at `at` begins. */
export function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1
}

/** Where the line at `at` ends: before its line feed. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

/** The boundary before `at`; 0 at the beginning. */
export function before(text: string, at: number): number {
  const start = lineStart(text, at)
  if (start === at) return Math.max(0, at - 1)
  let last = start
  for (const { index } of clusters(text.slice(start, at))) last = start + index
  return last
}

/** The boundary after `at`; the length at the end. */
export function after(text: string, at: number): number {
  const end = lineEnd(text, at)
  if (end === at) return Math.min(text.length, at + 1)
  for (const { text: cluster } of clusters(text.slice(at, end))) return at + cluster.length
  return end
}

const isWord = (cluster: string) => /[\p{L}\p{N}\p{M}_]/u.test(cluster)
const isSpace = (cluster: string) => /^\s+$/u.test(cluster)

/** The start of the word before `at`. A chip is a word. */
export function wordBefore(text: string, at: number): number {
  return stepBack(
    text,
    stepBack(text, at, (cluster) => !isWord(cluster) && !isChip(cluster)),
    isWord,
    isChip
  )
}

/** The end of the word after `at`. A chip is a word. */
export function wordAfter(text: string, at: number): number {
  return stepOn(
    text,
    stepOn(text, at, (cluster) => !isWord(cluster) && !isChip(cluster)),
    isWord,
    isChip
  )
}

/** The start of what Ctrl+W cuts: everything back to a space. */
export function blankBefore(text: string, at: number): number {
  return stepBack(text, stepBack(text, at, isSpace), (cluster) => !isSpace(cluster) && !isChip(cluster), isChip)
}

type Test = (cluster: string) => boolean

/** Moves while `goes` holds; one cluster of `alone` is moved over when it comes first. */
function stepBack(text: string, from: number, goes: Test, alone: Test = () => false): number {
  let at = from
  while (at > 0) {
    const previous = before(text, at)
    const cluster = text.slice(previous, at)
    if (at === from && alone(cluster)) return previous
    if (!goes(cluster)) return at
    at = previous
  }
  return at
}

function stepOn(text: string, from: number, goes: Test, alone: Test = () => false): number {
  let at = from
  while (at < text.length) {
    const next = after(text, at)
    const cluster = text.slice(at, next)
    if (at === from && alone(cluster)) return next
    if (!goes(cluster)) return at
    at = next
  }
  return at
}
