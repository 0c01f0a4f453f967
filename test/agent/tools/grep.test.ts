import { execFileSync } from 'node:child_process'
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { findProgram } from '../../../src/platform/find-program.ts'
import { toolFailed, toolResultText } from '../../../src/protocol/tool.ts'
import { toolBench } from '../../support/tool-bench.ts'

/** A project in which ripgrep or, when it is not to be preferred, grep searches. */
async function project(preferRipgrep: boolean) {
  const bench = await toolBench({ preferRipgrep })
  for (const folder of ['src', '.git', '.hidden', '.ghyll/state/out', 'other'])
    await mkdir(bench.at(folder), { recursive: true })
  await writeFile(bench.at('src/a.ts'), 'const needle = 1\nconst other = 2\n')
  await writeFile(bench.at('src/b.ts'), 'use --help\nneedle()\n')
  await writeFile(bench.at('.hidden/c.md'), 'needle in hidden\n')
  await writeFile(bench.at('.git/config'), 'needle in git\n')
  await writeFile(bench.at('.ghyll/state/out/c.txt'), 'needle in state\n')
  await writeFile(bench.at('other/bin'), 'needle\0\n')
  return bench
}
const sorted = (output: string) => output.split('\n').toSorted()

describe.each([
  ['ripgrep', true],
  ['grep', false]
])('%s', (_, preferRipgrep) => {
  test('finds lines, with paths relative to the working directory (TOOL-062, TOOL-064)', async () => {
    const { run } = await project(preferRipgrep)
    const result = await run('grep', { pattern: 'needle' })
    expect(sorted(result.output).filter((line) => !line.startsWith('other/bin'))).toEqual([
      '.hidden/c.md:1:needle in hidden',
      'src/a.ts:1:const needle = 1',
      'src/b.ts:2:needle()'
    ])
    expect(result.error).toBe('')
  })

  test.each(['fifo', 'link'])(
    'a pipe is refused at once and not read until the time limit (TOOL-031): %s',
    async (path) => {
      const { run, at } = await project(preferRipgrep)
      execFileSync('mkfifo', [at('fifo')])
      await symlink('fifo', at('link'))
      expect(await run('grep', { pattern: 'needle', path })).toMatchObject({
        error: `not a regular file: ${path}`,
        timedOut: false
      })
      // In a folder it is passed over.
      expect((await run('grep', { pattern: 'needle' })).output).toContain('src/b.ts:2:needle()')
    }
  )

  test('what the session keeps is searched when it is asked for, ignored by git or not (TOOL-012, TOOL-062)', async () => {
    const { run, at } = await project(preferRipgrep)
    await writeFile(at('.ignore'), '.ghyll/state/\nout/\n*.txt\n')
    for (const path of ['.ghyll/state', '.ghyll/state/out', '.ghyll/state/out/c.txt', at('.ghyll/state/out/c.txt')])
      expect((await run('grep', { pattern: 'needle', path })).output).toBe('.ghyll/state/out/c.txt:1:needle in state')
  })

  test('extended syntax, one folder or one file only', async () => {
    const { run, at } = await project(preferRipgrep)
    expect((await run('grep', { pattern: '(other|needle) =', path: 'src' })).output.split('\n')).toEqual([
      'src/a.ts:1:const needle = 1',
      'src/a.ts:2:const other = 2'
    ])
    expect((await run('grep', { pattern: 'help', path: 'src/b.ts' })).output).toBe('src/b.ts:1:use --help')
    expect((await run('grep', { pattern: 'help', path: at('src/b.ts') })).output).toBe('src/b.ts:1:use --help')
  })

  test.each(['--help', '-v', '-e'])('the pattern %s is searched (TOOL-061)', async (pattern) => {
    const { run } = await project(preferRipgrep)
    const { output, error } = await run('grep', { pattern, path: 'src' })
    expect(error).toBe('')
    expect(output).toBe(pattern === '--help' ? 'src/b.ts:1:use --help' : '')
  })

  test('a path that looks like an option is a path', async () => {
    const { run, at } = await project(preferRipgrep)
    await writeFile(at('--files'), 'needle\n')
    expect((await run('grep', { pattern: 'needle', path: '--files' })).output).toBe('--files:1:needle')
  })

  test('no match is no error (TOOL-063)', async () => {
    const { run } = await project(preferRipgrep)
    const result = await run('grep', { pattern: 'nowhere-to-be-found', path: 'src' })
    expect(toolFailed(result)).toBe(false)
    expect(toolResultText('grep', result)).toBe('(no matches)')
  })

  test('trouble is told and matches are kept (TOOL-063)', async () => {
    const { run } = await project(preferRipgrep)
    const broken = await run('grep', { pattern: 'a(', path: 'src' })
    expect(broken).toMatchObject({ output: '', meta: { kind: 'exit', exitCode: 2 } })
    expect(broken.error).toMatch(/^\(exit 2\) .+/)
    expect((await run('grep', { pattern: 'x', path: 'no-such' })).error).toContain('no-such')
  })

  test('at most 1000 lines, the rest counted (TOOL-064)', async () => {
    const bench = await toolBench({ preferRipgrep, maxResultBytes: -1 })
    await writeFile(bench.at('a.txt'), 'x\n'.repeat(1234))
    const { output, meta } = await bench.run('grep', { pattern: 'x' })
    expect(output.split('\n')).toHaveLength(1001)
    expect(output.endsWith('\n[… 234 more matches]')).toBe(true)
    expect(meta.summary).toBe('1234 matches')
  })

  test('an overlong line does not flood the result', async () => {
    const { run, at } = await toolBench({ preferRipgrep, maxResultBytes: -1 })
    await writeFile(at('min.js'), `${'x'.repeat(100_000)}needle\n`)
    expect((await run('grep', { pattern: 'needle' })).output.length).toBeLessThan(1000)
  })
})

test('grep leaves node_modules out (TOOL-062)', async () => {
  const { run, at } = await toolBench({ preferRipgrep: false })
  await mkdir(at('node_modules/x'), { recursive: true })
  await writeFile(at('node_modules/x/a.js'), 'needle\n')
  await writeFile(at('a.js'), 'needle\n')
  expect((await run('grep', { pattern: 'needle' })).output).toBe('a.js:1:needle')
})

test('without ripgrep in PATH grep is taken (TOOL-060)', async () => {
  const bench = await toolBench()
  await mkdir(bench.at('bin'))
  await symlink((await findProgram('grep'))!, bench.at('bin/grep'))
  await writeFile(bench.at('a.txt'), 'needle\n')
  const { run } = await toolBench({}, { workdir: bench.at('.'), env: { PATH: bench.at('bin') } })
  expect((await run('grep', { pattern: 'needle', path: 'a.txt' })).output).toBe('a.txt:1:needle')
})

test('at the time limit the matches so far are kept (TOOL-065)', async () => {
  const bench = await toolBench()
  await mkdir(bench.at('bin'))
  await writeFile(bench.at('bin/rg'), '#!/bin/sh\necho "./a.txt:1:found"\nexec sleep 60\n')
  await chmod(bench.at('bin/rg'), 0o755)
  const env = { ...process.env, PATH: `${bench.at('bin')}:${process.env.PATH}` }
  const { run } = await toolBench({ bashTimeoutSeconds: 0.5 }, { env })
  expect(await run('grep', { pattern: 'x' })).toMatchObject({
    output: 'a.txt:1:found',
    error: 'grep timed out after 0.5s',
    timedOut: true,
    meta: { kind: 'timeout' }
  })
})
