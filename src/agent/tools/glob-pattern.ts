import picomatch from 'picomatch'
import { ToolFailure } from './errors.ts'

/** A compiled pattern, and what it says about where matches can lie. */
export type GlobPattern = {
  matches(path: string): boolean
  /** Whether a file below this folder could match; false saves the walk from entering it. */
  canEnter(folder: string): boolean
}

/**
 * Compiles a pattern by the rules of TOOL-071: `*`, `?`, `[…]`, `{a,b}` and `**`, nothing else: `!`, `+`, `@`, parentheses and `|` are letters,
 * as names such as `app/(shop)/page.tsx` need. Paths are relative with `/` between segments.
 */
export function compileGlob(pattern: string): GlobPattern {
  assertAffordable(pattern)
  const plain = withPlainLetters(pattern.replace(/^(?:\.\/+)+/, ''))
  const matches = picomatch(plain, { dot: true, nonegate: true, noextglob: true })
  const { base, isGlob } = picomatch.scan(plain)
  const fixed = isGlob ? base.replaceAll('\\', '') : ''
  const depth = plain.includes('**') ? Number.POSITIVE_INFINITY : plain.split('/').length
  return {
    matches: (path) => matches(path),
    canEnter(folder) {
      if (folder.split('/').length >= depth) return false
      return fixed === '' || `${folder}/`.startsWith(`${fixed}/`) || `${fixed}/`.startsWith(`${folder}/`)
    }
  }
}

// A pattern becomes a regular expression, whose time grows with the power of the stars in a segment.
const maxStars = 4
const maxLength = 1000

function assertAffordable(pattern: string): void {
  if (pattern.length > maxLength)
    throw new ToolFailure('invalid-args', `invalid pattern: longer than ${maxLength} characters`)
  if (pattern.split('/').some((segment) => segment !== '**' && segment.split('*').length > maxStars + 1))
    throw new ToolFailure('invalid-args', `invalid pattern: more than ${maxStars} * in one segment`)
}

/** Escapes what picomatch would read as more than a letter; escaped letters stay, and so do brackets but for their `!`. */
function withPlainLetters(pattern: string): string {
  return pattern.replace(/\\.|\[[!^]?\]?[^\]/]*\]|[()|+!@^$]/g, (found) => {
    if (found.startsWith('[!')) return `[^${found.slice(2)}`
    return found.length > 1 ? found : `\\${found}`
  })
}
