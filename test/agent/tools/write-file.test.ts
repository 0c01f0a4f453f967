import { chmod, link, lstat, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { toolBench } from '../../support/tool-bench.ts'

const leftovers = async (folder: string) => (await readdir(folder)).filter((name) => name.startsWith('.ghyll-edit-'))

describe('write_file', () => {
  test('creates a file and the folders above it (TOOL-040, TOOL-042)', async () => {
    const { run, at } = await toolBench()
    expect(await run('write_file', { path: 'a/b/c.txt', content: 'häh\n' })).toMatchObject({
      output: 'wrote 5 bytes to a/b/c.txt (created)',
      error: '',
      meta: { summary: '+1 −0', filesWritten: ['a/b/c.txt'] }
    })
    expect(await readFile(at('a/b/c.txt'), 'utf8')).toBe('häh\n')
    expect((await stat(at('a/b/c.txt'))).mode & 0o777).toBe(0o644 & ~process.umask())
    expect(await leftovers(at('a/b'))).toEqual([])
  })

  test('replaces a file, keeps its mode and shows the change (TOOL-042, TOOL-049, TOOL-103)', async () => {
    const { run, at } = await toolBench()
    await writeFile(at('a.sh'), 'one\ntwo\n', { mode: 0o755 })
    await chmod(at('a.sh'), 0o755)
    const result = await run('write_file', { path: 'a.sh', content: 'one\n2\n3\n' })
    expect(result.output).toBe('wrote 8 bytes to a.sh (replaced)')
    expect(result.meta.summary).toBe('+2 −1')
    expect(result.meta.diff).toBe('--- a.sh\n+++ a.sh\n@@ -1,2 +1,3 @@\n one\n-two\n+2\n+3')
    expect((await stat(at('a.sh'))).mode & 0o777).toBe(0o755)
  })

  test('keeps line ending and mark of what was there (TOOL-043, TOOL-101)', async () => {
    const { run, at } = await toolBench()
    await writeFile(at('a.txt'), '\ufeffold\r\ntext\r\n')
    await run('write_file', { path: 'a.txt', content: 'new\nlines\n' })
    expect(await readFile(at('a.txt'), 'utf8')).toBe('\ufeffnew\r\nlines\r\n')
    await run('write_file', { path: 'a.txt', content: 'own\r\nchoice\n' })
    expect(await readFile(at('a.txt'), 'utf8')).toBe('\ufeffown\r\nchoice\n')
  })

  test('a UTF-16 file stays one, without loss (TOOL-102)', async () => {
    const { run, at } = await toolBench()
    await writeFile(at('a.txt'), Buffer.from('\ufeffold\r\n', 'utf16le'))
    await run('write_file', { path: 'a.txt', content: 'neü 😀\n' })
    expect(await readFile(at('a.txt'))).toEqual(Buffer.from('\ufeffneü 😀\r\n', 'utf16le'))
  })

  test('a link stays a link and its target is written, also through several (TOOL-041)', async () => {
    const { run, at } = await toolBench()
    await mkdir(at('real'))
    await writeFile(at('real/a.txt'), 'old')
    await symlink('real/a.txt', at('one'))
    await symlink('one', at('two'))
    await run('write_file', { path: 'two', content: 'new' })
    expect(await readFile(at('real/a.txt'), 'utf8')).toBe('new')
    expect(await readlink(at('two'))).toBe('one')
    expect(await readlink(at('one'))).toBe('real/a.txt')
  })

  test('a dangling link gets its target created (TOOL-041)', async () => {
    const { run, at } = await toolBench()
    await symlink('sub/new.txt', at('link'))
    expect((await run('write_file', { path: 'link', content: 'x' })).output).toBe('wrote 1 bytes to link (created)')
    expect(await readFile(at('sub/new.txt'), 'utf8')).toBe('x')
    expect((await lstat(at('link'))).isSymbolicLink()).toBe(true)
  })

  test('what is no file cannot be written (TOOL-041)', async () => {
    const { run, at } = await toolBench()
    await mkdir(at('dir'))
    await writeFile(at('file'), 'x')
    await symlink('loop', at('loop'))
    expect((await run('write_file', { path: 'dir', content: 'x' })).error).toBe('is a directory: dir')
    expect((await run('write_file', { path: '/dev/null', content: 'x' })).error).toBe('not a regular file: /dev/null')
    expect((await run('write_file', { path: 'file/below', content: 'x' })).error).toMatch(/^not a directory/)
    expect((await run('write_file', { path: 'loop', content: 'x' })).error).toMatch(/^too many symbolic links: /)
    expect((await run('write_file', { path: 'a\0', content: 'x' })).error).toBe('invalid path: contains a NUL byte')
  })

  test('hard links stay joined (TOOL-044)', async () => {
    const { run, at } = await toolBench()
    await writeFile(at('a'), 'a longer text than the next one\n')
    await link(at('a'), at('b'))
    await run('write_file', { path: 'a', content: 'short\n' })
    expect(await readFile(at('b'), 'utf8')).toBe('short\n')
    expect((await stat(at('a'))).ino).toBe((await stat(at('b'))).ino)
    expect(await leftovers(at('.'))).toEqual([])
  })

  test('otherwise the file is replaced by a rename, so that a reader sees the old or the new whole (TOOL-040)', async () => {
    const { run, at } = await toolBench()
    await writeFile(at('a'), 'old')
    const before = (await stat(at('a'))).ino
    await run('write_file', { path: 'a', content: 'new' })
    expect((await stat(at('a'))).ino).not.toBe(before)
  })

  test('an interrupt before the rename leaves the file and no temporary one', async () => {
    const abort = new AbortController()
    const { run, at } = await toolBench({}, { onStaged: async () => abort.abort() })
    await writeFile(at('a'), 'old')
    const result = await run('write_file', { path: 'a', content: 'new' }, { signal: abort.signal })
    expect(result).toMatchObject({ error: 'interrupted by operator', meta: { kind: 'interrupted' } })
    expect(await readFile(at('a'), 'utf8')).toBe('old')
    await run('bash', { command: 'true' })
    expect(await leftovers(at('.'))).toEqual([])
  })

  test('a file system that hangs ends at the limit, and the write does not come later (TOOL-004)', async () => {
    const { promise: hang, resolve: release } = Promise.withResolvers<void>()
    const { run, at } = await toolBench({ fileTimeoutSeconds: 0.2 }, { onStaged: () => hang })
    await writeFile(at('a'), 'old')
    expect(await run('write_file', { path: 'a', content: 'new' })).toMatchObject({
      error: 'file write timed out after 0.2s',
      timedOut: true,
      meta: { kind: 'timeout' }
    })
    release()
    while ((await leftovers(at('.'))).length > 0) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await readFile(at('a'), 'utf8')).toBe('old')
  })

  test('what lies inside .git is marked, also when a link leads there (TOOL-108)', async () => {
    const { run, at } = await toolBench()
    expect((await run('write_file', { path: '.git/hooks/x', content: '' })).meta.touchesGit).toBe(true)
    expect((await run('write_file', { path: '.gitignore', content: '' })).meta.touchesGit).toBeUndefined()
    await symlink('.git/hooks', at('aside'))
    const calls = [
      run('write_file', { path: 'aside/x', content: 'old' }),
      run('edit_file', { path: 'aside/x', old_string: 'old', new_string: 'new' }),
      run('read_file', { path: 'aside/x' })
    ]
    for (const result of await Promise.all(calls)) expect(result.meta.touchesGit).toBe(true)
  })

  test('files outside the repository are not listed as written (CTX-073)', async () => {
    const { run, at } = await toolBench()
    const inner = await toolBench({}, { workdir: at('.'), root: at('repo') })
    expect((await inner.run('write_file', { path: 'repo/x', content: '' })).meta.filesWritten).toEqual(['x'])
    expect((await inner.run('write_file', { path: 'y', content: '' })).meta.filesWritten).toEqual([])
    expect((await run('write_file', { path: 'z', content: '' })).meta.filesWritten).toEqual(['z'])
  })
})
