import { chmodSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { builtInGuidelines } from '../../../src/config/home-files.ts'
import { explicitLanguages, type Guidelines, traitLanguages, writeTraits } from '../../../src/gate/bootstrap/traits.ts'
import { addFiles, makeProject } from '../../support/project.ts'
import { unprivileged } from '../../support/unprivileged.ts'

const texts: Record<string, string> = {
  engineering: '# Engineering bias\n\n- think\n',
  go: '# Go bias\n',
  python: '# Python bias\n',
  ci: '# Ci bias\n'
}
const guidelines: Guidelines = { names: () => Object.keys(texts), text: (name) => texts[name] ?? null }
const block = '<!-- ghyll-traits-begin -->\n# Engineering bias\n\n- think\n\n# Go bias\n<!-- ghyll-traits-end -->'
const path = (project: string) => join(project, '.ghyll', 'instructions.md')

describe('INIT-90…92: which languages', () => {
  test.each([
    ['auto', ['typescript', 'python', 'go'], ['go', 'python']],
    ['auto', [], null],
    ['auto', ['typescript'], null],
    ['none', ['go'], null],
    [' Python , GO,python', ['rust'], ['python', 'go']],
    ['cpp', [], ['cpp']]
  ])('%j with %j detected: %j', (flag, detected, languages) => {
    expect(traitLanguages(flag, detected, guidelines)).toEqual(languages)
  })

  test.each([
    ['go,auto', 'auto'],
    ['none,go', 'none'],
    ['java', 'java'],
    ['', ''],
    ['engineering', 'engineering'],
    ['ci', 'ci'],
    ['go,', '']
  ])('%j is refused', (flag, word) => {
    expect(() => traitLanguages(flag, [], guidelines)).toThrow(
      `unsupported trait language: "${word}" (supported: go, python, cpp, rust, or auto/none)`
    )
  })

  test('a refused one comes with what the option is for (INIT-91)', () => {
    const refused = expect(() => traitLanguages('java', [], guidelines))
    refused.toThrow(expect.objectContaining({ hint: expect.stringContaining('~/.ghyll/guidelines/<language>.md') }))
  })

  test('INIT-91: a file of the operator makes a language', () => {
    const own: Guidelines = { names: () => ['zig', 'ci'], text: () => 'x' }
    expect(traitLanguages('zig', [], own)).toEqual(['zig'])
    expect(() => traitLanguages('ci', [], own)).toThrow('(supported: go, python, cpp, rust, zig, or auto/none)')
  })

  test('INIT-92: only a list adds to the languages of clauses', () => {
    expect([explicitLanguages('auto'), explicitLanguages('none'), explicitLanguages('Go, rust')]).toEqual([
      [],
      [],
      ['go', 'rust']
    ])
  })
})

describe('INIT-93, INIT-94: the block', () => {
  test('a file is made around it, private whatever the umask', async () => {
    const project = makeProject()
    expect(await writeTraits(project, ['go'], guidelines, false)).toBe(true)
    expect(readFileSync(path(project), 'utf8')).toBe(
      `<!-- Made by ghyll init. Say here what every session in this project should know. -->\n# Project instructions\n\n${block}\n`
    )
    expect(statSync(path(project)).mode & 0o777).toBe(0o600)
  })

  test.each([
    ['text\n', `text\n\n${block}\n`],
    ['text', `text\n\n${block}\n`],
    ['', `\n${block}\n`]
  ])('is appended to %j', async (before, after) => {
    const project = makeProject({ '.ghyll/instructions.md': before })
    expect(await writeTraits(project, ['go'], guidelines, false)).toBe(true)
    expect(readFileSync(path(project), 'utf8')).toBe(after)
  })

  test('an existing one stays, also for other languages; force replaces exactly it, to the byte', async () => {
    const project = makeProject({ '.ghyll/x': '' })
    const around = (inner: string) =>
      Buffer.concat([Buffer.from([0xff, 0x80, 0x0a]), Buffer.from(inner), Buffer.from('\r\nmine \u00e9\n\n')])
    writeFileSync(path(project), around('<!-- ghyll-traits-begin -->old<!-- ghyll-traits-end -->'))
    expect(await writeTraits(project, ['go'], guidelines, false)).toBe(false)
    expect(await writeTraits(project, ['go'], guidelines, true)).toBe(true)
    expect(readFileSync(path(project))).toEqual(around(block))
    expect(await writeTraits(project, ['go'], guidelines, true)).toBe(true)
    expect(readFileSync(path(project))).toEqual(around(block))
  })

  test.each([
    ['<!-- ghyll-traits-begin -->'],
    ['<!-- ghyll-traits-end -->'],
    ['<!-- ghyll-traits-end --><!-- ghyll-traits-begin -->'],
    [`${block}\n${block}`]
  ])('%j is malformed, forced or not', async (before) => {
    const project = makeProject({ '.ghyll/instructions.md': before })
    for (const force of [false, true]) {
      await expect(writeTraits(project, ['go'], guidelines, force)).rejects.toThrow(/^trait-block-malformed: /)
      expect(readFileSync(path(project), 'utf8')).toBe(before)
    }
  })

  test('never through a link, never into a closed folder', async () => {
    const project = makeProject({ '.ghyll/x': '', 'elsewhere.md': 'mine\n' })
    symlinkSync(join(project, 'elsewhere.md'), path(project))
    await expect(writeTraits(project, ['go'], guidelines, true)).rejects.toThrow(/is a symlink \(refused\)$/)
    expect(readFileSync(join(project, 'elsewhere.md'), 'utf8')).toBe('mine\n')
    const closed = makeProject({ '.ghyll/x': '' })
    chmodSync(closed, 0o755)
    chmodSync(join(closed, '.ghyll'), 0o555)
    await unprivileged(() => expect(writeTraits(closed, ['go'], guidelines, false)).rejects.toThrow(/^cannot write /))
    chmodSync(join(closed, '.ghyll'), 0o755)
    expect(existsSync(path(closed))).toBe(false)
  })

  test('a guideline that holds a marker would break the next run and is refused', async () => {
    const project = makeProject()
    addFiles(project, { '.ghyll/x': '' })
    const bad: Guidelines = { names: () => [], text: () => 'a <!-- ghyll-traits-end --> b' }
    await expect(writeTraits(project, ['go'], bad, false)).rejects.toThrow(/^trait-block-malformed: the guideline/)
  })
})

test('INIT-97: each shipped guideline has its heading behind one comment and fits its budget', () => {
  expect(Object.keys(builtInGuidelines).toSorted()).toEqual(['ci', 'cpp', 'engineering', 'go', 'python', 'rust'])
  for (const [name, text] of Object.entries(builtInGuidelines)) {
    const heading = `# ${name[0]?.toUpperCase()}${name.slice(1)} bias`
    expect(text).toMatch(new RegExp(`^<!-- .*edit or delete.* -->\\n${heading}\\n`))
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1536)
  }
})
