import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, onTestFinished, test } from 'vitest'
import { gitIn } from '../../../src/memory/branch/git.ts'

async function repository() {
  const root = mkdtempSync(join(tmpdir(), 'ghyll-git-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  await execa('git', ['init', '--quiet', '--initial-branch=main'], { cwd: root })
  return { root, env: { PATH: process.env.PATH, HOME: root } }
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
    const git = gitIn(root, { env: { ...env, ...elsewhere, PAGER: 'false', EDITOR: 'false' } })
    expect((await git.run(['rev-parse', '--show-toplevel'])).trim().endsWith(root)).toBe(true)
  })

  test('too slow, aborted, no folder, no git: each is a failure', async () => {
    const { root, env } = await repository()
    const waits = ['hash-object', '--stdin']
    await expect(gitIn(root, { env, timeLimitMs: 100 }).run(waits)).rejects.toMatchObject({ code: 'sync' })
    const end = new AbortController()
    const cut = gitIn(root, { env }).until(end.signal).run(waits)
    setTimeout(() => end.abort(), 50)
    await expect(cut).rejects.toMatchObject({ code: 'sync' })
    await expect(gitIn(join(root, 'nope'), { env }).try(['status'])).rejects.toMatchObject({ code: 'sync' })
    await expect(gitIn(root, { env: { PATH: '/nowhere' } }).try(['status'])).rejects.toMatchObject({ code: 'sync' })
  })

  test('a password in a URL does not get into the text of a failure', async () => {
    const { root, env } = await repository()
    const failure = await gitIn(root, { env })
      .run(['ls-remote', 'file://u:secret@/nope'])
      .catch((error: Error) => error)
    expect(String(failure)).not.toContain('secret')
  })
})
