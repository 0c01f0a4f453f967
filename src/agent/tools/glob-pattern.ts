import { ToolFailure } from './errors.ts'

/** A compiled pattern, and what it says about where matches can lie. */
export type GlobPattern = {
  matches(path: string): boolean
  /** Whether a file below this folder could match; false saves the walk from entering it. */
  canEnter(folder: string): boolean
}

const maxLength = 1000

/**
 * Compiles a pattern by the rules of TOOL-071: `*`, `?`, `[…]`, `{a,b}` and `**`, nothing else: `!`, `+`, `@`, parentheses and `|` are
 * letters, as names such as `app/(shop)/page.tsx` need. Paths are relative with `/` between segments.
 *
 * All places of the pattern that are possible are followed at once, letter by letter: whatever a model writes, a path takes at most
 * its length times the pattern's. As a regular expression, which the usual libraries make of it, a few braces take minutes.
 */
export function compileGlob(pattern: string): GlobPattern {
  if (pattern.length > maxLength)
    throw new ToolFailure('invalid-args', `invalid pattern: longer than ${maxLength} characters`)
  const steps = compile([...pattern.replace(/^(?:\.\/+)+/, '')])
  const follow = follower(steps)
  return {
    matches: (path) => follow(path).includes(steps.length),
    canEnter: (folder) => follow(`${folder}/`).length > 0
  }
}

/** Takes one letter, or goes on at several places at once. Behind the last step the pattern is fulfilled. */
type Step = ((letter: string) => boolean) | { readonly to: readonly number[] }

/** Answers where in the pattern one can be after all of a text. */
function follower(steps: readonly Step[]): (text: string) => readonly number[] {
  // In which round a place was reached last: cheaper than a set for every letter.
  const reachedIn = new Uint32Array(steps.length + 1)
  const waiting: number[] = []
  let round = 0

  /** Adds the place and what can be reached from it without a letter. */
  const reach = (from: number, places: number[]) => {
    waiting.push(from)
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (reachedIn[at] === round) continue
      reachedIn[at] = round
      const step = steps[at]
      if (typeof step === 'object') waiting.push(...step.to)
      else places.push(at)
    }
  }
  const begin = (): number[] => {
    if (round > 0xffff_0000) {
      reachedIn.fill(0)
      round = 0
    }
    round += 1
    return []
  }

  return (text) => {
    let places = begin()
    reach(0, places)
    for (const letter of text) {
      const next = begin()
      for (const at of places) {
        const step = steps[at]
        if (typeof step === 'function' && step(letter)) reach(at + 1, next)
      }
      places = next
      if (places.length === 0) break
    }
    return places
  }
}

const slash = (letter: string) => letter === '/'
const notSlash = (letter: string) => letter !== '/'

function compile(letters: readonly string[]): readonly Step[] {
  const steps: Step[] = []
  sequence(0, letters.length, true)
  return steps

  /** The letters from `from` to before `to`; `isStart`: a segment begins there. */
  function sequence(from: number, to: number, isStart: boolean): void {
    let at = from
    while (at < to) {
      const letter = letters[at] as string
      const brace = letter === '{' ? alternatives(letters, at, to) : null
      if (brace !== null) {
        choice(brace.parts, isStart)
        const start = isStart
        isStart = brace.parts.every(([begin, end]) => (begin === end ? start : letters[end - 1] === '/'))
        at = brace.end
      } else if (letter === '*') {
        let stars = 1
        while (at + stars < to && letters[at + stars] === '*') stars += 1
        at += stars
        if (stars !== 2 || !isStart || (at < to && letters[at] !== '/')) withinSegment()
        else if (at < to) {
          segments()
          at += 1
          continue
        } else anything()
        isStart = false
      } else {
        const one = oneLetter(letters, at, to)
        steps.push(one.accepts)
        at = one.end
        isStart = letter === '/'
      }
    }
  }

  /** `{a,b}`: every alternative, each going on behind the last one. */
  function choice(parts: readonly (readonly [number, number])[], isStart: boolean): void {
    const starts: number[] = []
    const ends: number[][] = []
    steps.push({ to: starts })
    for (const [from, to] of parts) {
      starts.push(steps.length)
      sequence(from, to, isStart)
      const end: number[] = []
      ends.push(end)
      steps.push({ to: end })
    }
    for (const end of ends) end.push(steps.length)
  }

  /** `*`: any letters of one segment. */
  function withinSegment(): void {
    const at = steps.length
    steps.push({ to: [at + 1, at + 3] }, notSlash, { to: [at] })
  }

  /** `**` before a slash: any number of whole segments, each with its slash. */
  function segments(): void {
    const at = steps.length
    steps.push({ to: [at + 1, at + 5] }, notSlash, { to: [at + 1, at + 3] }, slash, { to: [at] })
  }

  /** `**` at the end: whatever lies below. */
  function anything(): void {
    const at = steps.length
    steps.push(() => true, { to: [at, at + 2] })
  }
}

/** Where the alternatives of the brace at `at` begin and end; null when it is a letter, for want of a comma or an end. */
function alternatives(
  letters: readonly string[],
  at: number,
  to: number
): { readonly parts: readonly (readonly [number, number])[]; readonly end: number } | null {
  const parts: [number, number][] = []
  let from = at + 1
  let depth = 0
  for (let here = from; here < to; here += 1) {
    const letter = letters[here]
    if (letter === '\\') here += 1
    else if (letter === '[') here = (bracketEnd(letters, here, to) ?? here + 1) - 1
    else if (letter === '{') depth += 1
    else if (letter === ',' && depth === 0) {
      parts.push([from, here])
      from = here + 1
    } else if (letter === '}') {
      if (depth === 0) return parts.length === 0 ? null : { parts: [...parts, [from, here]], end: here + 1 }
      depth -= 1
    }
  }
  return null
}

/** What stands for exactly one letter, and the place behind it. */
function oneLetter(
  letters: readonly string[],
  at: number,
  to: number
): { readonly accepts: (letter: string) => boolean; readonly end: number } {
  const letter = letters[at] as string
  if (letter === '?') return { accepts: notSlash, end: at + 1 }
  const end = letter === '[' ? bracketEnd(letters, at, to) : null
  if (end !== null) return { accepts: oneOf(letters.slice(at + 1, end - 1)), end }
  const escaped = letter === '\\' && at + 1 < to ? (letters[at + 1] as string) : null
  return { accepts: (other) => other === (escaped ?? letter), end: escaped === null ? at + 1 : at + 2 }
}

/** The place behind the `]` that closes the `[` at `at`; null when none does within its segment. A `]` that comes first is a letter. */
function bracketEnd(letters: readonly string[], at: number, to: number): number | null {
  const isNegated = letters[at + 1] === '!' || letters[at + 1] === '^'
  const first = at + (isNegated ? 2 : 1)
  for (let here = first; here < to && letters[here] !== '/'; here += 1) {
    if (letters[here] === '\\') here += 1
    else if (letters[here] === ']' && here > first) return here + 1
  }
  return null
}

/** `[abc]`, `[a-z]`, `[!a]`, `[^a]`: never a slash. */
function oneOf(content: readonly string[]): (letter: string) => boolean {
  const isNegated = content[0] === '!' || content[0] === '^'
  const ranges: (readonly [string, string])[] = []
  const rest = content.slice(isNegated ? 1 : 0)
  const read = (at: number): { readonly letter: string; readonly end: number } =>
    rest[at] === '\\' && at + 1 < rest.length
      ? { letter: rest[at + 1] as string, end: at + 2 }
      : { letter: rest[at] as string, end: at + 1 }
  for (let at = 0; at < rest.length; ) {
    const low = read(at)
    const isRange = rest[low.end] === '-' && low.end + 1 < rest.length
    const high = isRange ? read(low.end + 1) : low
    ranges.push([low.letter, high.letter])
    at = high.end
  }
  return (letter) =>
    letter !== '/' &&
    ranges.some(([low, high]) => codeOf(low) <= codeOf(letter) && codeOf(letter) <= codeOf(high)) !== isNegated
}

const codeOf = (letter: string) => letter.codePointAt(0) ?? 0
