import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { declaredContexts, proposedContexts } from '../../../src/gate/bootstrap/contexts.ts'
import { languageOf } from '../../../src/gate/bootstrap/languages.ts'
import { profileProject } from '../../../src/gate/bootstrap/profile.ts'
import { goModule, makeProject, monorepo, pythonService } from '../../support/project.ts'

describe('INIT-31: languages by extension', () => {
  test.each([
    ['a.go', 'go'],
    ['a.PY', 'python'],
    ['a.rs', 'rust'],
    ['a.tsx', 'typescript'],
    ['a.MTS', 'typescript'],
    ['a.cjs', 'javascript'],
    ['A.java', 'java'],
    ['a.kt', 'kotlin'],
    ['a.rb', 'ruby'],
    ['a.cs', 'csharp'],
    ['a.h', 'cpp'],
    ['x/a.cxx', 'cpp'],
    ['a.md', null],
    ['a.feature', null],
    ['a.yaml', null],
    ['a.sh', null],
    ['go', null],
    ['.py', null],
    ['a.d/file', null]
  ])('%s is %s', (path, language) => expect(languageOf(path)).toBe(language))
})

describe('real projects of different kinds', () => {
  test('a TypeScript monorepo with three contexts', async () => {
    const { mode, languages, detected, sourceCount } = await profileProject(makeProject(monorepo))
    expect({ mode, languages, detected, sourceCount }).toEqual({
      mode: 'brownfield',
      languages: ['typescript'],
      detected: { root: 'packages', ids: ['billing', 'catalog', 'checkout'], leftOut: ['packages/shared'] },
      sourceCount: 5
    })
  })

  test('a Python service without specs', async () => {
    const { mode, languages, detected } = await profileProject(makeProject(pythonService))
    expect({ mode, languages, detected }).toEqual({
      mode: 'brownfield',
      languages: ['python'],
      detected: { root: 'src', ids: ['rates'], leftOut: ['src/utils'] }
    })
  })

  test('a Go module in the root has one default context', async () => {
    const { mode, languages, mainLanguage, detected } = await profileProject(makeProject(goModule))
    expect({ mode, languages, mainLanguage }).toEqual({ mode: 'brownfield', languages: ['go'], mainLanguage: 'go' })
    expect(proposedContexts(detected)).toEqual([
      { id: 'default', description: 'auto-declared by ghyll init (no bounded contexts detected)' }
    ])
  })

  test('INIT-33: documents alone are greenfield, and so is source in folders that are never entered (INIT-32)', async () => {
    const files = Object.fromEntries(
      [
        'docs/a.md',
        'x.feature',
        'specs/p/a.ts',
        'a/b/node_modules/c.js',
        'test/a.go',
        'deep/tests/a.go',
        'dist/a.js',
        'architecture/a.ts',
        'integration/a.py',
        'implementation/a.rs',
        '.ghyll/a.py'
      ].map((path) => [path, 'x'])
    )
    expect(await profileProject(makeProject(files))).toMatchObject({
      mode: 'greenfield',
      languages: [],
      detected: { ids: [] }
    })
    expect(await profileProject(makeProject({ 'src/architecture/a.ts': 'x' }))).toMatchObject({ mode: 'brownfield' })
  })
})

describe('INIT-35: what is proposed as a context', () => {
  test('names with source that are no technical ones and valid ids; links are not followed', async () => {
    const project = makeProject({
      'src/pay/deep/a.go': 'x',
      'src/lib/a.go': 'x',
      'src/2fa/a.go': 'x',
      'src/.hidden/a.go': 'x',
      'src/words/a.md': 'x',
      'src/a.go': 'x',
      'services/other/a.go': 'x'
    })
    mkdirSync(join(project, 'outside'))
    writeFileSync(join(project, 'outside', 'b.go'), 'x')
    symlinkSync(join(project, 'outside'), join(project, 'src', 'linked'))
    expect((await profileProject(project)).detected).toEqual({
      root: 'src',
      ids: ['pay'],
      leftOut: ['src/2fa', 'src/lib']
    })
  })

  test('a fallback only where `src` gives none', async () => {
    const project = makeProject({ 'src/util/a.py': 'x', 'apps/shop/a.py': 'x', 'services/pay/a.py': 'x' })
    expect((await profileProject(project)).detected).toEqual({ root: 'services', ids: ['pay'], leftOut: ['src/util'] })
  })
})

describe('INIT-30, INIT-34: what is no project', () => {
  test.each([
    ['missing', /^stat project dir "missing": /],
    ['file.txt', /^project dir "file.txt" is not a directory$/],
    ['link', /^"link" is a symlink \(refused\)$/],
    ['link/', /^"link\/" is a symlink \(refused\)$/]
  ])('%s', async (name, message) => {
    const project = makeProject({ 'file.txt': '', 'real/a.go': '' })
    symlinkSync(join(project, 'real'), join(project, 'link'))
    await expect(profileProject(`${project}/${name}`, name)).rejects.toThrow(message)
  })

  test('too many entries', async () => {
    const project = makeProject(Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`d${n % 5}/${n}.md`, ''])))
    await expect(profileProject(project, '.', 34)).rejects.toThrow('profile-walk-budget-exceeded: visited 35 (cap 34)')
    expect((await profileProject(project, '.', 35)).mode).toBe('greenfield')
  })
})

describe('INIT-36: declared contexts', () => {
  test('ids with and without description', () => {
    expect(declaredContexts(['pay=Takes the money = all of it', 'ship'])).toEqual([
      { id: 'pay', description: 'Takes the money = all of it' },
      { id: 'ship', description: null }
    ])
  })

  test.each([
    [[''], 'profile-context-id-empty'],
    [['=x'], 'profile-context-id-empty'],
    [[' pay'], 'profile-context-id-invalid: " pay"'],
    [['1pay'], 'profile-context-id-invalid: "1pay"'],
    [['a/b'], 'profile-context-id-invalid: "a/b"'],
    [['pay', 'pay=x'], 'profile-context-id-duplicate: "pay"'],
    [Array.from({ length: 257 }, (_, n) => `c${n}`), 'profile-too-many-bounded-contexts: 257 (cap 256)']
  ])('%j', (declarations, message) => {
    expect(() => declaredContexts(declarations)).toThrow(message)
  })
})
