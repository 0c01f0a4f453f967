import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { currentBranch, findRepository, lockPathOf } from '../../src/platform/repository.ts'

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd, encoding: 'utf8' })

let folder = ''
let repo = ''
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'ghyll-repo-')))
  repo = join(folder, 'shop')
  mkdirSync(repo)
  git(repo, 'init', '-q', '-b', 'trunk')
  git(repo, 'commit', '-q', '--allow-empty', '-m', 'first')
})

describe('findRepository', () => {
  test('is found from any folder below, also through a symbolic link', () => {
    const below = join(repo, 'a', 'b')
    mkdirSync(below, { recursive: true })
    const link = join(folder, 'link')
    symlinkSync(below, link)
    const expected = { root: repo, gitDir: join(repo, '.git'), commonDir: join(repo, '.git'), mainRoot: repo }
    expect(findRepository(below)).toEqual(expected)
    expect(findRepository(link)).toEqual(expected)
  })

  test('agrees with git about a linked work tree', () => {
    const linked = join(folder, 'linked')
    git(repo, 'worktree', 'add', '-q', '-b', 'feature/x', linked)
    const found = findRepository(linked)!
    expect(found.root).toBe(git(linked, 'rev-parse', '--show-toplevel').trim())
    expect(found.gitDir).toBe(git(linked, 'rev-parse', '--absolute-git-dir').trim())
    expect(found.commonDir).toBe(join(repo, '.git'))
    expect(found.mainRoot).toBe(repo)
    expect(currentBranch(found)).toBe('feature/x')
  })

  test('a submodule is a repository of its own', () => {
    git(repo, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', repo, 'inner')
    const found = findRepository(join(repo, 'inner'))!
    expect(found.root).toBe(join(repo, 'inner'))
    expect(found.mainRoot).toBe(join(repo, 'inner'))
  })

  test('a work tree of a bare repository has the bare folder as its main place', () => {
    const bare = join(folder, 'bare.git')
    git(folder, 'clone', '-q', '--bare', repo, bare)
    const linked = join(folder, 'of-bare')
    git(bare, 'worktree', 'add', '-q', linked, 'trunk')
    expect(findRepository(linked)?.mainRoot).toBe(bare)
  })

  test('no repository: null, and a `.git` that is no git folder is passed over', () => {
    const plain = join(folder, 'plain')
    mkdirSync(join(plain, '.git'), { recursive: true })
    expect(findRepository(plain)).toBeNull()
    const odd = join(folder, 'odd')
    mkdirSync(odd)
    writeFileSync(join(odd, '.git'), 'nonsense')
    expect(findRepository(odd)).toBeNull()
  })
})

describe('currentBranch', () => {
  test('is the branch, also before its first commit, and null when detached', () => {
    expect(currentBranch(findRepository(repo)!)).toBe('trunk')
    git(repo, 'checkout', '-q', '--detach')
    expect(currentBranch(findRepository(repo)!)).toBeNull()
    git(repo, 'checkout', '-q', '--orphan', 'fresh')
    expect(currentBranch(findRepository(repo)!)).toBe('fresh')
  })
})

describe('SESS-130', () => {
  test('the lock lies at the top level, in the main work tree for linked ones, else in the folder itself', () => {
    const below = join(repo, 'a')
    mkdirSync(below)
    const linked = join(folder, 'linked')
    git(repo, 'worktree', 'add', '-q', linked)
    expect(lockPathOf(below)).toBe(join(repo, '.ghyll.lock'))
    expect(lockPathOf(linked)).toBe(join(repo, '.ghyll.lock'))
    expect(lockPathOf(folder)).toBe(join(folder, '.ghyll.lock'))
  })
})
