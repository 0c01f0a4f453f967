// Globs over relative paths with `/` between segments: `*` and `?` stay within a segment, `**` as a whole segment spans any number of
// them, `[…]` is a class, a backslash makes a letter of what follows; there are no braces. Written by hand because such patterns come
// out of files that anybody may have written: regular expressions made of them, as the usual libraries make, take exponential time
// for a pattern with many stars, and this takes at most pattern × path.

export type PathGlob = {
  /** Whether the pattern describes this path. The very same text always counts, whatever letters it holds. */
  matches(path: string): boolean
  /** Whether something below this folder could match; false spares a walk from entering it. */
  canEnter(folder: string): boolean
  /** Without special letters: a path that is meant as it stands. */
  readonly literal: boolean
}

type Token =
  | { readonly kind: 'letter'; readonly letter: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'star' }
  | { readonly kind: 'class'; readonly negated: boolean; readonly ranges: readonly (readonly [string, string])[] }

type Segment = 'any-depth' | readonly Token[]

/** Compiles a pattern. A malformed one (a class that never ends, a backslash before nothing) matches no path but its own text. */
export function compilePathGlob(pattern: string): PathGlob {
  const plain = pattern.replace(/^(?:\.\/+)+/, '')
  const segments = parse(plain)
  return {
    matches(path) {
      if (path === pattern || path === plain) return true
      return segments !== null && walk(segments, path).has(segments.length)
    },
    canEnter(folder) {
      if (plain.startsWith(`${folder}/`)) return true
      if (segments === null) return false
      return [...walk(segments, folder)].some((at) => at < segments.length)
    },
    literal: !/[*?[\]\\]/.test(plain)
  }
}

/** Positions in the pattern that are possible after the segments of `path`. */
function walk(segments: readonly Segment[], path: string): ReadonlySet<number> {
  let states = withSkips(segments, [0])
  for (const name of path.split('/')) {
    const next: number[] = []
    for (const at of states) {
      const segment = segments[at]
      if (segment === undefined) continue
      if (segment === 'any-depth') next.push(at)
      else if (fits(segment, [...name])) next.push(at + 1)
    }
    states = withSkips(segments, next)
    if (states.size === 0) break
  }
  return states
}

/** `**` may also stand for no segment at all. */
function withSkips(segments: readonly Segment[], positions: readonly number[]): Set<number> {
  const all = new Set<number>()
  for (let at of positions) {
    all.add(at)
    while (segments[at] === 'any-depth') {
      at += 1
      all.add(at)
    }
  }
  return all
}

/** Matches one segment; on a mismatch only the latest star takes one more letter, which is enough and never repeats work. */
function fits(tokens: readonly Token[], name: readonly string[]): boolean {
  let token = 0
  let letter = 0
  let star = -1
  let starLetter = 0
  while (letter < name.length) {
    const current = tokens[token]
    if (current?.kind === 'star') {
      star = token
      starLetter = letter
      token += 1
    } else if (current !== undefined && accepts(current, name[letter] ?? '')) {
      token += 1
      letter += 1
    } else if (star !== -1) {
      starLetter += 1
      letter = starLetter
      token = star + 1
    } else return false
  }
  while (tokens[token]?.kind === 'star') token += 1
  return token === tokens.length
}

function accepts(token: Token, letter: string): boolean {
  switch (token.kind) {
    case 'letter':
      return token.letter === letter
    case 'class':
      return token.ranges.some(([from, to]) => from <= letter && letter <= to) !== token.negated
    default:
      return true
  }
}

function parse(pattern: string): readonly Segment[] | null {
  const segments: Segment[] = []
  // A slash always separates, inside of brackets as well: a class never spans segments.
  for (const part of pattern.split('/')) {
    if (part === '**') {
      if (segments.at(-1) !== 'any-depth') segments.push('any-depth')
      continue
    }
    const tokens = parseSegment([...part])
    if (tokens === null) return null
    segments.push(tokens)
  }
  // `src/**` is what lies below `src`, not `src` itself.
  if (segments.at(-1) === 'any-depth') segments.push([{ kind: 'star' }])
  return segments
}

function parseSegment(letters: readonly string[]): readonly Token[] | null {
  const tokens: Token[] = []
  let at = 0
  while (at < letters.length) {
    const letter = letters[at] ?? ''
    at += 1
    if (letter === '*') {
      if (tokens.at(-1)?.kind !== 'star') tokens.push({ kind: 'star' })
    } else if (letter === '?') tokens.push({ kind: 'any' })
    else if (letter === '[') {
      const end = letters.indexOf(']', at + (/[!^]/.test(letters[at] ?? '') ? 2 : 1))
      if (end === -1) return null
      tokens.push(classOf(letters.slice(at, end)))
      at = end + 1
    } else if (letter === '\\') {
      const next = letters[at]
      if (next === undefined) return null
      tokens.push({ kind: 'letter', letter: next })
      at += 1
    } else tokens.push({ kind: 'letter', letter })
  }
  return tokens
}

function classOf(content: readonly string[]): Token {
  const negated = content[0] === '!' || content[0] === '^'
  const letters = negated ? content.slice(1) : content
  const ranges: [string, string][] = []
  let at = 0
  while (at < letters.length) {
    const from = letters[at] ?? ''
    const to = letters[at + 2]
    const isRange = letters[at + 1] === '-' && to !== undefined
    ranges.push([from, isRange ? to : from])
    at += isRange ? 3 : 1
  }
  return { kind: 'class', negated, ranges }
}
