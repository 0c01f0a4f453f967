import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { excludeFromGit } from '../../src/platform/git-exclude.ts'
import { findRepository } from '../../src/platform/repository.ts'

const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' })

let repo = ''
beforeEach(() => {
  repo = realpathSync(mkdtempSync(join(tmpdir(), 'ghyll-exclude-')))
  git(repo, 'init', '-q')
})
const exclude = () => excludeFromGit(findRepository(repo)!)
const excludeFile = () => readFileSync(join(repo, '.git/info/exclude'), 'utf8')

describe('SESS-135', () => {
  test('git shows none of the session files afterwards, and still shows the project ones', () => {
    mkdirSync(join(repo, '.ghyll/state'), { recursive: true })
    for (const name of ['session.db', 'session.db-wal', 'ghyll.log', 'ghyll.log.1', 'state/history', 'instructions.md'])
      writeFileSync(join(repo, '.ghyll', name), '')
    writeFileSync(join(repo, '.ghyll.lock'), '')
    exclude()
    expect(git(repo, 'status', '--porcelain', '-uall').trim()).toBe('?? .ghyll/instructions.md')
  })

  test('a second time adds nothing', () => {
    expect(exclude()).toEqual(['.ghyll.lock', '.ghyll/session.db*', '.ghyll/ghyll.log*', '.ghyll/state/'])
    const before = excludeFile()
    expect(exclude()).toEqual([])
    expect(excludeFile()).toBe(before)
  })

  test('what .gitignore covers is not added, and .gitignore stays as it is', () => {
    writeFileSync(join(repo, '.gitignore'), '.ghyll/\n')
    expect(exclude()).toEqual(['.ghyll.lock'])
    expect(readFileSync(join(repo, '.gitignore'), 'utf8')).toBe('.ghyll/\n')
  })

  test('lines of the operator survive, also an unfinished last one', () => {
    writeFileSync(join(repo, '.git/info/exclude'), '*.tmp\nscratch')
    exclude()
    expect(excludeFile()).toBe('*.tmp\nscratch\n.ghyll.lock\n.ghyll/session.db*\n.ghyll/ghyll.log*\n.ghyll/state/\n')
  })

  test('a repository without an info folder gets one', () => {
    rmSync(join(repo, '.git/info'), { recursive: true, force: true })
    expect(exclude()).toHaveLength(4)
  })
})
