import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, onTestFinished, test } from 'vitest'
import { gitIn } from '../../src/memory/branch/git.ts'
import { authorOf, repositoryIdentity, withoutPassword } from '../../src/memory/repo.ts'

test.each([
  ['https://example.com/team/app.git', 'https://example.com/team/app.git'],
  ['https://user:secret@example.com/app', 'https://example.com/app'],
  ['https://user:se@cret@example.com/app', 'https://example.com/app'],
  ['ssh://git:pw@host:22/x', 'ssh://host:22/x'],
  ['https://user@example.com/app', 'https://user@example.com/app'],
  ['git@example.com:team/app.git', 'git@example.com:team/app.git'],
  ['https://example.com:8443/a@b:c', 'https://example.com:8443/a@b:c'],
  ['/srv/a:b@c', '/srv/a:b@c']
])('MEM-011: %s is told as %s', (url, told) => {
  expect(withoutPassword(url)).toBe(told)
})

test('MEM-011: the URL of origin, else the real path; outside of git the path alone', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'ghyll-repo-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const git = gitIn(root, { env: { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1', HOME: root } })
  expect(await repositoryIdentity(root, null)).toBe(root)
  await execa('git', ['init', '--quiet'], { cwd: root })
  expect(await repositoryIdentity(root, git)).toBe(root)
  await execa('git', ['remote', 'add', 'origin', 'https://u:p@example.com/app.git'], { cwd: root })
  expect(await repositoryIdentity(root, git)).toBe('https://example.com/app.git')
})

test('MEM-014: the author is the device unless the environment says otherwise', () => {
  expect(authorOf({}, 'laptop')).toBe('laptop')
  expect(authorOf({ GHYLL_AUTHOR: ' ann ' }, 'laptop')).toBe('ann')
})
