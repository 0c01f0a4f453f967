import picomatch from 'picomatch'
import { describe, expect, it } from 'vitest'
import { compilePathGlob } from '../../src/lib/path-glob.ts'
import { fc, runs } from '../support/laws.ts'

describe('a path glob (CONC-26)', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['src/**', ['src/a', 'src/a/b.ts', 'src/.hidden'], ['src', 'lib/a', 'xsrc/a']],
    ['**', ['a', 'a/b'], []],
    ['**/*.md', ['a.md', 'x/y/a.md'], ['a.txt']],
    ['a/**/b/**/c', ['a/b/c', 'a/x/b/c', 'a/x/y/b/z/c'], ['a/c', 'a/b/x']],
    ['*.ts', ['a.ts', '.ts'], ['a/b.ts']],
    ['a?c', ['abc', 'aéc', 'a😀c'], ['ac', 'a/c']],
    ['[a-c]x', ['ax', 'cx'], ['dx', 'x']],
    ['[!a-c]x', ['dx'], ['ax']],
    ['[]]x', [']x'], ['x']],
    ['{a,b}.ts', ['{a,b}.ts'], ['a.ts', 'b.ts']],
    ['app/(shop)/*.tsx', ['app/(shop)/p.tsx'], []],
    ['a\\*b', ['a*b', 'a\\*b'], ['axb']],
    ['./src/*.go', ['src/a.go'], ['a.go']],
    ['a**b', ['ab', 'axxb'], ['a/b']],
    ['[abc', ['[abc'], ['a', 'b', '[ab']],
    ['x\\', ['x\\'], ['x']],
    ['src/', [], ['src', 'src/a']]
  ])('%s', (pattern, yes, no) => {
    const glob = compilePathGlob(pattern)
    for (const path of yes) expect(glob.matches(path), path).toBe(true)
    for (const path of no) expect(glob.matches(path), path).toBe(false)
  })

  it('knows which folders cannot hold a match', () => {
    const glob = compilePathGlob('src/*/lib/**')
    expect(['src', 'src/a', 'src/a/lib', 'src/a/lib/x/y'].map(glob.canEnter)).toEqual([true, true, true, true])
    expect(['docs', 'src/a/b', 'lib'].map(glob.canEnter)).toEqual([false, false, false])
    expect(compilePathGlob('src/*.ts').canEnter('src/a')).toBe(false)
    expect(compilePathGlob('a/[x/b').canEnter('a')).toBe(true)
  })

  it('takes no time for a pattern that would let a regular expression run for years', () => {
    const glob = compilePathGlob(`${'*a'.repeat(40)}b/${'**/*x*/'.repeat(20)}y`)
    expect(glob.matches(`${'a'.repeat(250)}/${'xx/'.repeat(60)}z`)).toBe(false)
  })

  it('agrees with picomatch where both speak of the same thing', () => {
    const segment = fc.stringMatching(/^[ab*?]{1,4}$/).map((text) => text.replace(/\*{2,}/g, '*'))
    const pattern = fc.array(fc.oneof(segment, fc.constant('**')), { minLength: 1, maxLength: 4 })
    const path = fc.array(fc.stringMatching(/^[ab]{1,4}$/), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(pattern, path, (segments, names) => {
        const text = segments.join('/')
        // At the end picomatch lets `**` stand for nothing, and ours does not.
        const theirs = picomatch.isMatch(names.join('/'), text.replace(/(^|\/)\*\*$/, '$1**/*'), { dot: true })
        expect(compilePathGlob(text).matches(names.join('/')), `${text} ~ ${names.join('/')}`).toBe(theirs)
      }),
      { numRuns: runs(500) }
    )
  })

  it('enters every folder on the way to a match', () => {
    const pattern = fc.array(fc.constantFrom('a', 'b', '*', '**', '?'), { minLength: 1, maxLength: 5 })
    const path = fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(pattern, path, (segments, names) => {
        const glob = compilePathGlob(segments.join('/'))
        if (!glob.matches(names.join('/'))) return
        for (let depth = 1; depth < names.length; depth += 1)
          expect(glob.canEnter(names.slice(0, depth).join('/'))).toBe(true)
      })
    )
  })
})
