import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, onTestFinished, test } from 'vitest'
import { gitIn } from '../../../src/memory/branch/git.ts'
import { findProgram } from '../../../src/platform/find-program.ts'

async function repository() {
  const root = mkdtempSync(join(tmpdir(), 'ghyll-git-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  await execa('git', ['init', '--quiet', '--initial-branch=main'], { cwd: root })
  return { root, env: { PATH: process.env.PATH, HOME: root } }
}

/** A folder for PATH with a shell script in place of git. */
function fakeGit(root: string, script: string): string {
  const bin = join(root, 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'git'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(bin, 'git'), 0o755)
  return bin
}

describe('running git (MEM-070)', () => {
  test('answers with output, null, or a failure that tells the complaint', async () => {
    const { root, env } = await repository()
    const git = gitIn(root, { env })
    expect((await git.run(['symbolic-ref', 'HEAD'])).trim()).toBe('refs/heads/main')
    expect((await git.run(['hash-object', '--stdin'], 'abc')).trim()).toBe('f2ba8f84ab5c1bce84a7b441cb1959cfc7093b7f')
    expect(await git.try(['rev-parse', '--verify', '--quiet', 'nope'])).toBeNull()
    await expect(git.run(['rev-parse', '--verify', 'nope'])).rejects.toMatchObject({
      code: 'sync',
      facts: { operation: 'rev-parse' },
      message: 'git rev-parse: fatal: Needed a single revision'
    })
  })

  test('a repository that the environment points to is not the one it works on', async () => {
    const { root, env } = await repository()
    const other = await repository()
    const elsewhere = { GIT_DIR: join(other.root, '.git'), GIT_WORK_TREE: other.root, GIT_INDEX_FILE: '/nowhere/index' }
    const words = { GIT_LITERAL_PATHSPECS: '1', GIT_SHALLOW_FILE: '/nowhere', PAGER: 'false', EDITOR: 'false' }
    const git = gitIn(root, { env: { ...env, ...elsewhere, ...words } })
    expect((await git.run(['rev-parse', '--show-toplevel'])).trim().endsWith(root)).toBe(true)
    writeFileSync(join(root, 'x'), '')
    await git.run(['add', '--', ':(glob)**/x'])
    expect(await git.run(['ls-files'])).toBe('x\n')
  })

  test('too slow, aborted, no folder, no git: each is a failure', async () => {
    const { root, env } = await repository()
    const waits = ['hash-object', '--stdin']
    await expect(gitIn(root, { env, timeLimitMs: 100 }).run(waits)).rejects.toMatchObject({
      code: 'sync',
      message: 'git hash-object: block timeout reached'
    })
    const bin = fakeGit(root, 'echo started > started; exec sleep 60')
    await execa('mkfifo', ['started'], { cwd: root })
    const end = new AbortController()
    const cut = gitIn(root, { env: { ...env, PATH: `${bin}:${env.PATH}` } })
      .until(end.signal)
      .run(waits)
    await readFile(join(root, 'started')) // a pipe that ends when git has written
    end.abort()
    await expect(cut).rejects.toMatchObject({ code: 'sync' })
    await expect(gitIn(join(root, 'nope'), { env }).try(['status'])).rejects.toMatchObject({ code: 'sync' })
    await expect(gitIn(root, { env: { PATH: '/nowhere' } }).try(['status'])).rejects.toMatchObject({ code: 'sync' })
  })

  test('the interrupt of a terminal tears no command of git, which is set apart from it where the system can', async () => {
    const { root, env } = await repository()
    const module = join(import.meta.dirname, '../../../src/memory/open-branch.ts')
    const program = `
      import { gitFor } from ${JSON.stringify(module)}
      process.on('SIGINT', () => undefined)
      const git = await gitFor(${JSON.stringify(root)}, true, process.env)
      console.log((await git.run(['slow'])).trim())`
    const bin = fakeGit(root, 'test -e runs || echo started > started; echo one >> runs; sleep 1; cat runs')
    await execa('mkfifo', ['started'], { cwd: root })
    const child = execa(process.execPath, ['--input-type=module', '-e', program], {
      env: { ...env, PATH: `${bin}:${env.PATH}` },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true
    })
    await readFile(join(root, 'started')) // a pipe that ends when git has written
    process.kill(-(child.pid ?? 0), 'SIGINT')
    const runs = (await findProgram('setsid')) === null ? 'one\none' : 'one'
    expect((await child).stdout).toBe(runs)
  })

  test('what a signal ended without our doing is run once more; a second time it is a failure and no answer', async () => {
    const { root, env } = await repository()
    const bin = fakeGit(root, 'test -e once && echo again && exit; touch once; kill -INT $$')
    const git = gitIn(root, { env: { ...env, PATH: `${bin}:${env.PATH}` } })
    expect(await git.run(['remote', 'get-url', 'origin'])).toBe('again\n')
    fakeGit(root, 'kill -KILL $$')
    await expect(git.try(['remote', 'get-url', 'origin'])).rejects.toMatchObject({
      code: 'sync',
      message: 'git remote: ended by a signal'
    })
  })

  test('a git that does not end when it is told to holds nobody up', async () => {
    const { root, env } = await repository()
    const bin = fakeGit(root, 'trap "" INT; echo $$ > pid; while :; do sleep 0.2; done')
    onTestFinished(() => void process.kill(Number(readFileSync(join(root, 'pid'), 'utf8')), 'SIGKILL'))
    const git = gitIn(root, { env: { ...env, PATH: `${bin}:${env.PATH}` }, timeLimitMs: 500 })
    await expect(git.run(['fetch'])).rejects.toMatchObject({ code: 'sync', message: 'git fetch: does not end' })
  })

  test('a password in a URL does not get into the text of a failure', async () => {
    const { root, env } = await repository()
    const failure = await gitIn(root, { env })
      .run(['ls-remote', 'file://u:secret@/nope'])
      .catch((error: Error) => error)
    expect(String(failure)).not.toContain('secret')
  })
})
