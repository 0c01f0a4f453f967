import picomatch from 'picomatch'

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

/** Escapes what picomatch would read as more than a letter. */
function withPlainLetters(pattern: string): string {
  return pattern.replace(/\\.|[()|+!@^$]/g, (found) => (found.startsWith('\\') ? found : `\\${found}`))
}
