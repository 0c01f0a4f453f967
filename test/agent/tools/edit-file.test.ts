import { chmod, link, mkdir, readdir, readFile, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { toolBench } from '../../support/tool-bench.ts'

const leftovers = async (folder: string) => (await readdir(folder)).filter((name) => name.startsWith('.ghyll-edit-'))
const edit = (old_string: string, new_string: string, path = 'a.txt') => ({ path, old_string, new_string })

describe('edit_file', () => {
  test('replaces one occurrence, tells the line and shows the change (TOOL-045, TOOL-049)', async () => {
    const { run, at } = await toolBench()
    await writeFile(at('a.txt'), 'one\ntwo\nthree\n')
    await chmod(at('a.txt'), 0o751)
    expect(await run('edit_file', edit('two', '2'))).toMatchObject({
      output: 'edited a.txt: replaced 1 occurrence (line 2)',
      error: '',
      meta: {
        summary: '+1 −1',
        diff: '--- a.txt\n+++ a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three',
        filesRead: ['a.txt'],
        filesWritten: ['a.txt']
      }
    })
    expect(await readFile(at('a.txt'), 'utf8')).toBe('one\n2\nthree\n')
    expect((await stat(at('a.txt'))).mode & 0o777).toBe(0o751)
    expect(await leftovers(at('.'))).toEqual([])
  })

  test('CRLF and mark: bytes outside the match are identical (TOOL-046, TOOL-101)', async () => {
    const { run, at } = await toolBench()
    await writeFile(at('a.txt'), '\ufeffone\r\ntwo\r\nthree\r\n')
    await run('edit_file', edit('one\ntwo', 'a\nb\nc'))
    expect(await readFile(at('a.txt'), 'utf8')).toBe('\ufeffa\r\nb\r\nc\r\nthree\r\n')
  })

  test.each([
    ['no match', edit('zwei', 'x'), /^old_string not found in file\nfile unchanged$/, 'not-found'],
    [
      'nearly a match',
      edit('two\nthree', 'x'),
      /^old_string not found in file\nfile unchanged; it would match if blanks at line ends were ignored$/,
      'not-found'
    ],
    [
      'several',
      edit('o', 'x'),
      /^old_string matches 2 locations, must be exactly 1\nat lines 1, 2; file unchanged$/,
      'ambiguous'
    ],
    [
      'many',
      edit('\n', 'x', 'b.txt'),
      /^old_string matches 9 locations, must be exactly 1\nfirst at lines 1, 2, 3, 4, 5; /,
      'ambiguous'
    ],
    ['missing', edit('a', 'b', 'no.txt'), /^file not found: no.txt$/, 'not-found'],
    ['empty', edit('', 'b'), /^old_string must not be empty$/, 'invalid-args'],
    ['directory', edit('a', 'b', '.'), /^is a directory: \.$/, 'failed'],
    ['UTF-16', edit('a', 'b', 'wide.txt'), /^unsupported encoding: utf-16\n/, 'failed'],
    ['binary', edit('a', 'b', 'bin'), /^binary file: bin\nfile unchanged$/, 'binary']
  ])('%s', async (_, args, error, kind) => {
    const { run, at } = await toolBench()
    await writeFile(at('a.txt'), 'one\ntwo  \nthree\n')
    await writeFile(at('b.txt'), '\n'.repeat(9))
    await writeFile(at('wide.txt'), Buffer.from('\ufeffabc', 'utf16le'))
    await writeFile(at('bin'), 'a\0')
    const result = await run('edit_file', args)
    expect(result.error).toMatch(error)
    expect(result.meta.kind).toBe(kind)
    expect(await readFile(at('a.txt'), 'utf8')).toBe('one\ntwo  \nthree\n')
  })

  test('old = new succeeds and does not touch the file', async () => {
    const { run, at } = await toolBench()
    await writeFile(at('a.txt'), 'one\n')
    const before = await stat(at('a.txt'))
    expect(await run('edit_file', edit('one', 'one'))).toMatchObject({ output: 'no change needed in a.txt', error: '' })
    expect((await stat(at('a.txt'))).ino).toBe(before.ino)
  })

  test('a change between read and rename is noticed (TOOL-045)', async () => {
    const { run, at } = await toolBench({}, { onStaged: (path) => writeFile(path, 'somebody else\n') })
    await writeFile(at('a.txt'), 'one\n')
    const result = await run('edit_file', edit('one', 'two'))
    expect(result.error.split('\n')[0]).toBe('file modified during edit')
    expect(result.meta.kind).toBe('changed')
    expect(await readFile(at('a.txt'), 'utf8')).toBe('somebody else\n')
    expect(await leftovers(at('.'))).toEqual([])
  })

  test('aborted before the rename: edit cancelled, file unchanged', async () => {
    const abort = new AbortController()
    const { run, at } = await toolBench({}, { onStaged: async () => abort.abort() })
    await writeFile(at('a.txt'), 'one\n')
    const result = await run('edit_file', edit('one', 'two'), { signal: abort.signal })
    expect(result.error.split('\n')[0]).toBe('edit cancelled')
    expect(result.meta.kind).toBe('interrupted')
    expect(await readFile(at('a.txt'), 'utf8')).toBe('one\n')
  })

  test('the temporary file lies in the same folder and is private while it waits (TOOL-045, TOOL-107)', async () => {
    const seen: string[] = []
    const bench = await toolBench({}, { onStaged: async () => void seen.push(...(await leftovers(bench.at('sub')))) })
    await mkdir(bench.at('sub'))
    await writeFile(bench.at('sub/a.txt'), 'one\n')
    await bench.run('edit_file', edit('one', 'two', 'sub/a.txt'))
    await bench.run('edit_file', edit('two', 'three', 'sub/a.txt'))
    expect(seen).toHaveLength(2)
    expect(seen[0]).not.toBe(seen[1])
  })

  test('links stay links, hard links stay joined (TOOL-041, TOOL-044)', async () => {
    const { run, at } = await toolBench()
    await writeFile(at('a.txt'), 'one and more\n')
    await symlink('a.txt', at('soft'))
    await link(at('a.txt'), at('hard'))
    await run('edit_file', edit('one and', '1', 'soft'))
    expect(await readFile(at('hard'), 'utf8')).toBe('1 more\n')
    expect((await stat(at('hard'))).nlink).toBe(2)
  })

  test('two edits at once both take place, one after the other (TOOL-106)', async () => {
    const { run, at } = await toolBench()
    await writeFile(at('a.txt'), 'one\ntwo\n')
    const results = await Promise.all([run('edit_file', edit('one', '1')), run('edit_file', edit('two', '2'))])
    expect(results.map(({ error }) => error)).toEqual(['', ''])
    expect(await readFile(at('a.txt'), 'utf8')).toBe('1\n2\n')
  })

  test('temporary files older than a day are removed at start, younger ones and others are not (TOOL-107)', async () => {
    const { at } = await toolBench()
    const dayAgo = Date.now() / 1000 - 25 * 3600
    for (const name of ['.ghyll-edit-old', '.ghyll-edit-new', 'other']) await writeFile(at(name), '')
    await utimes(at('.ghyll-edit-old'), dayAgo, dayAgo)
    await utimes(at('other'), dayAgo, dayAgo)
    const { run } = await toolBench({}, { workdir: at('.') })
    await run('read_file', { path: 'other' })
    expect((await readdir(at('.'))).toSorted()).toEqual(['.ghyll-edit-new', 'other'])
  })

  test('a file too large to search in time is refused at once and untouched (TOOL-004)', async () => {
    const { run, at } = await toolBench()
    await writeFile(at('a.txt'), 'one\n')
    await truncate(at('a.txt'), 64 * 1024 * 1024 + 1)
    const result = await run('edit_file', edit('one', 'two'))
    expect(result.error).toBe('file too large to edit: 67108865 bytes; use bash, e.g. sed\nfile unchanged')
    expect((await stat(at('a.txt'))).size).toBe(64 * 1024 * 1024 + 1)
  })
})
