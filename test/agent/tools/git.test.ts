import { execFileSync } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { parseCommitOptions, parseGitCommand } from '../../../src/agent/tools/git-commit.ts'
import { findProgram } from '../../../src/platform/find-program.ts'
import { toolBench } from '../../support/tool-bench.ts'

const env = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.org'
}

async function repository(more: Parameters<typeof toolBench>[1] = {}, config: Parameters<typeof toolBench>[0] = {}) {
  const top = await toolBench()
  const bench = await toolBench(config, { env, ...more, workdir: top.workdir })
  const outside = (...args: string[]) => execFileSync('git', args, { cwd: top.workdir, env, encoding: 'utf8' })
  outside('init', '-q', '-b', 'main')
  await writeFile(bench.at('a.txt'), 'a\n')
  outside('add', 'a.txt')
  const message = (at = 'HEAD') => outside('log', '-1', '--format=%B', at).trim()
  return { ...bench, outside, message }
}

describe('git', () => {
  test('runs in the working directory; a leading git is dropped (TOOL-050, TOOL-051)', async () => {
    const { run } = await repository()
    expect((await run('git', { args: 'status --short' })).output).toBe('A  a.txt\n')
    expect((await run('git', { args: 'git status --short' })).output).toBe('A  a.txt\n')
  })

  test('quotes hold words together and nothing is expanded (TOOL-050)', async () => {
    const { run, message } = await repository()
    await run('git', { args: `commit -m "two words" -m '$HOME *'` })
    expect(message().startsWith('two words\n\n$HOME *\n')).toBe(true)
  })

  test.each([
    ['commit -m "open', 'failed to parse git arguments: unbalanced double quote at character 11'],
    ["log 'x", 'failed to parse git arguments: unbalanced single quote at character 5'],
    ['log \\', 'failed to parse git arguments: nothing follows the backslash at character 5']
  ])('%s (TOOL-050)', async (args, error) => {
    const { run } = await repository()
    expect(await run('git', { args })).toMatchObject({ error, meta: { kind: 'invalid-args' } })
  })

  test('a failure states exit code and stderr', async () => {
    const { run } = await repository()
    const result = await run('git', { args: 'checkout nowhere' })
    expect(result.error).toMatch(/^\(exit 1\) error: pathspec 'nowhere'/)
    expect(result.meta).toMatchObject({ kind: 'exit', exitCode: 1 })
  })

  test('time limit (TOOL-052)', async () => {
    const { run } = await repository({}, { bashTimeoutSeconds: 0.5 })
    expect(await run('git', { args: `-c alias.wait='!sleep 60' wait` })).toMatchObject({
      error: 'git command timed out after 0.5s',
      timedOut: true
    })
  })

  test('no editor opens unless the operator chose one (TOOL-053)', async () => {
    const { run, outside } = await repository()
    outside('commit', '-q', '-m', 'first')
    await run('git', { args: 'commit --allow-empty -m second' })
    expect(await run('git', { args: 'commit --amend --allow-empty' })).toMatchObject({ meta: { exitCode: 0 } })
    expect((await run('git', { args: 'var GIT_EDITOR' })).output).toBe('true\n')
    expect((await run('git', { args: `-c alias.tell='!echo $GIT_SEQUENCE_EDITOR' tell` })).output).toBe('true\n')
    const own = await repository({ env: { ...env, GIT_EDITOR: 'own-editor' } })
    expect((await own.run('git', { args: 'var GIT_EDITOR' })).output).toBe('own-editor\n')
  })
})

describe('commit trailers (TOOL-054, MODEL-090)', () => {
  const trailers = 'Ghyll-Version: 1.2.3\nGhyll-Model: glm-5'

  test('a commit carries version and model', async () => {
    const { run, message } = await repository()
    await run('git', { args: 'commit -m "a b"' }, { stamp: 'glm-5' })
    expect(message()).toBe(`a b\n\n${trailers}`)
  })

  test('also behind global options and from elsewhere', async () => {
    const { run, message, at, workdir } = await repository()
    await mkdir(at('sub'))
    await run('git', { args: `-C sub -c core.abbrev=9 commit -m "x" -- ${workdir}/a.txt` }, { stamp: 'glm-5' })
    expect(message()).toBe(`x\n\n${trailers}`)
  })

  test('the stamp loses control characters and cannot forge lines', async () => {
    const { run, message } = await repository()
    await run('git', { args: 'commit -m x' }, { stamp: 'a\nSigned-off-by: b\x1b' })
    expect(message()).toBe('x\n\nGhyll-Version: 1.2.3\nGhyll-Model: aSigned-off-by: b')
  })

  test('a message with trailers of its own is left alone', async () => {
    const { run, message } = await repository()
    await run('git', { args: `commit -m x --trailer "Ghyll-Model: mine"` })
    expect(message()).toBe('x\n\nGhyll-Model: mine')
  })

  test('amending a foreign commit adds nothing, amending an own one renews the pair', async () => {
    const { run, message, outside } = await repository()
    outside('commit', '-q', '-m', 'by a person')
    await run('git', { args: 'commit --amend -m "still by a person"' }, { stamp: 'glm-5' })
    expect(message()).toBe('still by a person')
    await run('git', { args: 'commit --allow-empty -m own' }, { stamp: 'glm-4' })
    await run('git', { args: 'commit --allow-empty --amend --no-edit' }, { stamp: 'glm-5' })
    expect(message()).toBe(`own\n\n${trailers}`)
  })

  test('a message that looks like an option stays a message', async () => {
    const { run, message } = await repository()
    await run('git', { args: 'commit -m --amend' }, { stamp: 'glm-5' })
    expect(message()).toBe(`--amend\n\n${trailers}`)
  })

  test('other commands are left alone', async () => {
    const { run } = await repository()
    expect((await run('git', { args: 'log --grep commit' })).error).not.toContain('trailer')
    expect((await run('git', { args: 'stash list' })).error).toBe('')
  })

  test('an old git gets them in the message, or not at all without -m', async () => {
    const bench = await toolBench()
    await mkdir(bench.at('bin'))
    const real = await findProgram('git')
    await writeFile(
      bench.at('bin/git'),
      `#!/bin/sh\n[ "$1" = version ] && echo "git version 2.30.1" && exit\ncase "$*" in *--trailer*) exit 129;; esac\nexec ${real} "$@"\n`
    )
    await chmod(bench.at('bin/git'), 0o755)
    const { run, message, at } = await repository({ env: { ...env, PATH: `${bench.at('bin')}:${process.env.PATH}` } })
    await run('git', { args: 'commit -m first -m body' }, { stamp: 'glm-5' })
    expect(message()).toBe(`first\n\nbody\n\n${trailers}`)
    await writeFile(at('text'), 'from a file\n')
    await run('git', { args: 'commit --allow-empty -F text' }, { stamp: 'glm-5' })
    expect(message()).toBe('from a file')
  })
})

describe('reading a command line', () => {
  test.each([
    [['commit', '-m', 'x'], { globals: [], subcommand: 'commit', rest: ['-m', 'x'] }],
    [['-C', 'commit', 'log'], { globals: ['-C', 'commit'], subcommand: 'log', rest: [] }],
    [
      ['-c', 'a=b', '--no-pager', '--git-dir=x', 'commit'],
      { globals: ['-c', 'a=b', '--no-pager', '--git-dir=x'], subcommand: 'commit', rest: [] }
    ],
    [['--version'], { globals: ['--version'], subcommand: null, rest: [] }],
    [[], { globals: [], subcommand: null, rest: [] }]
  ])('%j', (words, expected) => {
    expect(parseGitCommand(words)).toEqual(expected)
  })

  test.each([
    [['-m', 'x'], { isAmend: false, afterMessage: 2, texts: ['x'] }],
    [['-amx', '--amend'], { isAmend: true, afterMessage: 1, texts: ['x'] }],
    [['--message=x', 'path'], { isAmend: false, afterMessage: 1, texts: ['x'] }],
    [['--author', '--amend', '--', '-m'], { isAmend: false, afterMessage: null, texts: [] }],
    [['-F', '-m', 'x'], { isAmend: false, afterMessage: null, texts: [] }],
    [['--trailer', 'A: b'], { isAmend: false, afterMessage: null, texts: ['A: b'] }]
  ])('commit %j', (rest, expected) => {
    expect(parseCommitOptions(rest)).toEqual(expected)
  })
})
