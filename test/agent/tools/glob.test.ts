import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import picomatch from 'picomatch'
import { describe, expect, onTestFinished, test } from 'vitest'
import { compileGlob } from '../../../src/agent/tools/glob-pattern.ts'
import { toolResultText } from '../../../src/protocol/tool.ts'
import { fc, runs } from '../../support/laws.ts'
import { type ToolBench, toolBench } from '../../support/tool-bench.ts'

/** Files of ascending age in the order given, the first being the newest. */
async function withFiles(bench: ToolBench, paths: readonly string[]) {
  for (const [index, path] of paths.entries()) {
    await mkdir(dirname(bench.at(path)), { recursive: true })
    await writeFile(bench.at(path), '')
    await utimes(bench.at(path), 1_000_000 - index, 1_000_000 - index)
  }
}
const glob = async (bench: ToolBench, pattern: string, path?: string) =>
  (await bench.run('glob', path === undefined ? { pattern } : { pattern, path })).output.split('\n').filter(Boolean)

describe('patterns (TOOL-071, TOOL-072)', () => {
  const files = [
    'a.ts',
    'b.md',
    '.env',
    'src/a.ts',
    'src/deep/er/a.ts',
    'src/deep/b.tsx',
    'test/src/a.ts',
    '.ghyll/instructions.md',
    '.git/a.ts',
    'sub/.git/a.ts',
    '.ghyll/state/a.ts',
    'app/(shop)/page.tsx',
    'app/[id]/page.tsx',
    'odd/+!@^$|.txt'
  ]

  test.each([
    ['*', ['a.ts', 'b.md', '.env']],
    ['*.ts', ['a.ts']],
    ['./*.ts', ['a.ts']],
    ['?.md', ['b.md']],
    ['[ab].*', ['a.ts', 'b.md']],
    ['[!a].*', ['b.md']],
    ['**/a.ts', ['a.ts', 'src/a.ts', 'src/deep/er/a.ts', 'test/src/a.ts']],
    ['**/src/**/a.ts', ['src/a.ts', 'src/deep/er/a.ts', 'test/src/a.ts']],
    ['src/**', ['src/a.ts', 'src/deep/er/a.ts', 'src/deep/b.tsx']],
    ['src/*/*.tsx', ['src/deep/b.tsx']],
    ['src/*.tsx', []],
    ['{src,test}/**/a.{ts,tsx}', ['src/a.ts', 'src/deep/er/a.ts', 'test/src/a.ts']],
    ['{a.ts,src/deep/b.tsx}', ['a.ts', 'src/deep/b.tsx']],
    ['**/*.md', ['b.md', '.ghyll/instructions.md']],
    ['.git/**', []],
    ['.ghyll/**', ['.ghyll/instructions.md']],
    ['app/(shop)/*', ['app/(shop)/page.tsx']],
    ['app/\\[id\\]/*', ['app/[id]/page.tsx']],
    ['odd/+!@^$|.txt', ['odd/+!@^$|.txt']],
    ['!a.ts', []],
    ['**.ts', ['a.ts']],
    ['*.*.*', []],
    ['{a,b}', []],
    ['{{a,b}.{ts,md},.env}', ['a.ts', 'b.md', '.env']],
    ['{,src/}**/b.tsx', ['src/deep/b.tsx']],
    ['{src,test}/{deep/**,src/*}', ['src/deep/er/a.ts', 'src/deep/b.tsx', 'test/src/a.ts']],
    ['[a-b]{.ts,.md}', ['a.ts', 'b.md']],
    ['app/[[]id]/*', ['app/[id]/page.tsx']],
    ['[', []],
    ['{a.ts', []]
  ])('%s', async (pattern, expected) => {
    const bench = await toolBench()
    await withFiles(bench, files)
    expect(await glob(bench, pattern)).toEqual(expected)
  })

  test('an absolute pattern inside the base works too', async () => {
    const bench = await toolBench()
    await withFiles(bench, ['src/a.ts'])
    expect(await glob(bench, bench.at('src/*.ts'))).toEqual(['src/a.ts'])
  })

  test('law: a pattern without special letters matches itself and nothing else', () => {
    const name = fc.string({ unit: fc.constantFrom(...'ab.-_+!@^$|() '), minLength: 1, maxLength: 8 })
    const usable = name.filter((text) => text !== '.' && text !== '..')
    fc.assert(
      fc.property(usable, usable, (a, b) => {
        const pattern = compileGlob(`${a}/${b}`)
        expect(pattern.matches(`${a}/${b}`)).toBe(true)
        expect(pattern.matches(`${a}/${b}x`)).toBe(false)
        expect(pattern.canEnter(a)).toBe(true)
      })
    )
  })

  test('law: it agrees with a library that makes regular expressions of patterns', () => {
    const piece = fc.constantFrom('a', 'b', '*', '?', '[ab]', '[^a]', '{a,b}', '{a,b*}', '.', 'ab')
    const segment = fc.oneof(
      fc.constant('**'),
      fc.array(piece, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''))
    )
    const name = fc.string({ unit: fc.constantFrom(...'ab.'), minLength: 1, maxLength: 4 })
    const usable = name.filter((text) => text !== '.' && text !== '..')
    fc.assert(
      fc.property(
        fc.array(segment, { minLength: 1, maxLength: 4 }),
        fc.array(usable, { minLength: 1, maxLength: 4 }),
        (pattern, path) => {
          fc.pre(!/\*\*.|.\*\*/.test(pattern.filter((part) => part !== '**').join('/')))
          fc.pre(!/^\.+$/.test(pattern[0] ?? ''))
          // At the end the library lets `**` stand for nothing, and ours does not.
          const theirs = picomatch(pattern.join('/').replace(/(^|\/)\*\*$/, '$1**/*'), { dot: true })
          expect(compileGlob(pattern.join('/')).matches(path.join('/'))).toBe(theirs(path.join('/')))
        }
      ),
      { numRuns: runs(2000) }
    )
  })

  test.each([
    [`${'{,a}'.repeat(200)}b`, `${'a'.repeat(199)}c`],
    [`${'**/*a*/'.repeat(80)}b`, `${'aaaa/'.repeat(60)}c`],
    [`${'*a'.repeat(400)}b`, 'a'.repeat(255)],
    [`${'{'.repeat(400)}a,b${'}'.repeat(400)}`, 'a']
  ])('no pattern holds up the program (TOOL-071)', (pattern, path) => {
    const startedAt = performance.now()
    compileGlob(pattern).matches(path)
    expect(performance.now() - startedAt).toBeLessThan(2000)
  })

  test('law: a folder is only left out when nothing below it can match', () => {
    const segment = fc.constantFrom('a', 'b', '*', '**', '{a,b/c}', '?')
    const path = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), path, (pattern, segments) => {
        const compiled = compileGlob(pattern.join('/'))
        if (!compiled.matches(segments.join('/'))) return
        for (let depth = 1; depth < segments.length; depth += 1)
          expect(compiled.canEnter(segments.slice(0, depth).join('/'))).toBe(true)
      })
    )
  })
})

describe('results', () => {
  test('newest first, ties by name; relative to the path searched (TOOL-070)', async () => {
    const bench = await toolBench()
    await withFiles(bench, ['src/c', 'src/a', 'src/b'])
    await utimes(bench.at('src/b'), 2_000_000, 2_000_000)
    await utimes(bench.at('src/a'), 1_000_000, 1_000_000)
    expect(await glob(bench, '*', 'src')).toEqual(['b', 'a', 'c'])
    expect((await bench.run('glob', { pattern: '*', path: 'src' })).meta.summary).toBe('3 files')
  })

  test('folders are not listed', async () => {
    const bench = await toolBench()
    await withFiles(bench, ['dir.ts/a.ts'])
    expect(await glob(bench, '**/*.ts')).toEqual(['dir.ts/a.ts'])
  })

  test('links: inside by their own path, broken and outward ones not, folders not entered, loops harmless (TOOL-073)', async () => {
    const bench = await toolBench()
    const outside = await mkdtemp(join(tmpdir(), 'ghyll-outside-'))
    onTestFinished(() => rm(outside, { recursive: true, force: true }))
    await writeFile(join(outside, 'x.ts'), '')
    await withFiles(bench, ['real/a.ts'])
    await symlink('real/a.ts', bench.at('inside.ts'))
    await symlink('nowhere.ts', bench.at('broken.ts'))
    await symlink(join(outside, 'x.ts'), bench.at('outward.ts'))
    await symlink(outside, bench.at('outdir'))
    await symlink('..', bench.at('real/loop'))
    await symlink('self.ts', bench.at('self.ts'))
    expect((await glob(bench, '**/*.ts')).toSorted()).toEqual(['inside.ts', 'real/a.ts'])
    // Searched through a link the base is its real folder.
    await symlink('real', bench.at('alias'))
    expect(await glob(bench, '*.ts', 'alias')).toEqual(['a.ts'])
    expect(await glob(bench, '*.ts')).toEqual(['inside.ts'])
  })

  test('a link out of the searched path is outward, even if it stays in the project', async () => {
    const bench = await toolBench()
    await withFiles(bench, ['a.ts', 'sub/b.ts'])
    await symlink('../a.ts', bench.at('sub/link.ts'))
    expect(await glob(bench, '*.ts', 'sub')).toEqual(['b.ts'])
  })

  test('a name with escape bytes or line ends is shown with them visible (TOOL-126)', async () => {
    const bench = await toolBench()
    await writeFile(bench.at('a\x1b[31m\nb'), '')
    const { output } = await bench.run('glob', { pattern: '*' })
    expect(output).not.toMatch(/[\x1b\n]/)
    expect(output).toMatch(/^a.\[31m.b$/)
  })

  test('at most 1000, the rest counted (TOOL-075)', async () => {
    const bench = await toolBench({ maxResultBytes: -1 })
    await Promise.all(Array.from({ length: 1010 }, (_, i) => writeFile(bench.at(`f${i}`), '')))
    const { output } = await bench.run('glob', { pattern: '*' })
    expect(output.split('\n')).toHaveLength(1001)
    expect(output.endsWith('\n[… 10 more]')).toBe(true)
  })

  test('no match is no error (TOOL-074)', async () => {
    const { run } = await toolBench()
    const result = await run('glob', { pattern: '*.none' })
    expect(toolResultText('glob', result)).toBe('(no matches)')
    expect(result.error).toBe('')
  })

  test.each([
    [{ pattern: '' }, 'empty pattern'],
    [{ pattern: '  ' }, 'empty pattern'],
    [{ pattern: 'x'.repeat(1001) }, 'invalid pattern: longer than 1000 characters'],
    [{ pattern: '*', path: 'no' }, 'directory not found: no'],
    [{ pattern: '*', path: 'file' }, 'not a directory: file'],
    [{ pattern: '*', path: 'file/below' }, 'not a directory: file/below'],
    [{ pattern: '*', path: 'a\0b' }, 'invalid path: contains a NUL byte']
  ])('%j (TOOL-074)', async (args, error) => {
    const { run, at } = await toolBench()
    await writeFile(at('file'), '')
    expect((await run('glob', args)).error).toBe(error)
  })

  test('at the limit, what was found so far (TOOL-075)', async () => {
    const bench = await toolBench({ bashTimeoutSeconds: 0.001 })
    for (let i = 0; i < 40; i += 1) await mkdir(bench.at(`d${i}/e/f/g/h`), { recursive: true })
    expect(await bench.run('glob', { pattern: '**/*' })).toMatchObject({
      error: 'glob timed out after 0.001s',
      timedOut: true,
      meta: { kind: 'timeout' }
    })
  })
})
