import { execFileSync } from 'node:child_process'
import { mkdir, open, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { toolBench } from '../../support/tool-bench.ts'

const lines = (count: number, from = 1) => Array.from({ length: count }, (_, i) => `line ${from + i}\n`).join('')

describe('read_file', () => {
  test('returns the text unchanged, control characters included (TOOL-030)', async () => {
    const { run, at } = await toolBench()
    await writeFile(at('a.txt'), 'one\n\x1b[31mred\x1b[0m\ttab\rcr\n')
    expect(await run('read_file', { path: 'a.txt' })).toMatchObject({
      output: 'one\n\x1b[31mred\x1b[0m\ttab\rcr\n',
      error: '',
      meta: { summary: '2 lines', filesRead: ['a.txt'] }
    })
  })

  test.each([
    [{ offset: 3 }, '[lines 3-5 of 5]\nline 3\nline 4\nline 5\n'],
    [{ limit: 2 }, '[lines 1-2 of 5]\nline 1\nline 2\n'],
    [{ offset: 2, limit: 2 }, '[lines 2-3 of 5]\nline 2\nline 3\n'],
    [{ offset: 5, limit: 99 }, '[lines 5-5 of 5]\nline 5\n']
  ])('%j (TOOL-030)', async (part, output) => {
    const { run, at } = await toolBench()
    await writeFile(at('a.txt'), lines(5))
    expect((await run('read_file', { path: 'a.txt', ...part })).output).toBe(output)
  })

  test('an offset beyond the end says how long the file is', async () => {
    const { run, at } = await toolBench()
    await writeFile(at('a.txt'), lines(5))
    expect((await run('read_file', { path: 'a.txt', offset: 6 })).error).toBe(
      'offset 6 is beyond the end of the file (5 lines)'
    )
  })

  test('mark and CR are not shown, UTF-16 is converted (TOOL-034, TOOL-102)', async () => {
    const { run, at } = await toolBench()
    await writeFile(at('a.txt'), '\ufeffa\r\nb\r\n')
    await writeFile(at('b.txt'), Buffer.from('\ufeffwide\r\n', 'utf16le'))
    expect((await run('read_file', { path: 'a.txt' })).output).toBe('a\nb\n')
    expect((await run('read_file', { path: 'b.txt' })).output).toBe('wide\n')
  })

  test('an empty file is empty', async () => {
    const { run, at } = await toolBench()
    await writeFile(at('a.txt'), '')
    expect(await run('read_file', { path: 'a.txt' })).toMatchObject({ output: '', error: '' })
  })

  test('paths: relative to the working directory, absolute, home (TOOL-006)', async () => {
    const { run, at, workdir } = await toolBench()
    await mkdir(at('home'))
    await writeFile(at('home/a.txt'), 'here\n')
    expect((await run('read_file', { path: 'home/../home/a.txt' })).output).toBe('here\n')
    expect((await run('read_file', { path: `${workdir}/home/a.txt` })).output).toBe('here\n')
    const atHome = await toolBench({}, { home: at('home') })
    const result = await atHome.run('read_file', { path: '~/a.txt' })
    expect(result).toMatchObject({ output: 'here\n', meta: { filesRead: [] } })
  })

  test('permission denied (TOOL-031)', async () => {
    const { run, at } = await toolBench()
    await writeFile(at('a.txt'), 'x', { mode: 0o000 })
    // The superuser may read anything, so the call is made as somebody else then.
    const isRoot = process.geteuid?.() === 0
    if (isRoot) process.seteuid?.(65534)
    try {
      expect((await run('read_file', { path: 'a.txt' })).error).toBe('permission denied: a.txt')
    } finally {
      if (isRoot) process.seteuid?.(0)
    }
  })

  test('errors name the path as it was given (TOOL-031)', async () => {
    const { run, at } = await toolBench()
    await mkdir(at('dir'))
    await writeFile(at('file'), '')
    expect(await run('read_file', { path: 'no.txt' })).toMatchObject({
      error: 'file not found: no.txt',
      meta: { kind: 'not-found' }
    })
    expect((await run('read_file', { path: 'dir' })).error).toBe('is a directory: dir')
    expect((await run('read_file', { path: '/dev/null' })).error).toBe('not a regular file: /dev/null')
    expect((await run('read_file', { path: 'file/below' })).error).toMatch(/^not a directory/)
    expect(await run('read_file', { path: 'a\0b' })).toMatchObject({
      error: 'invalid path: contains a NUL byte',
      meta: { kind: 'invalid-args' }
    })
  })

  test('a FIFO is refused in time, a socket too (TOOL-031)', async () => {
    const { run, at } = await toolBench()
    execFileSync('mkfifo', [at('fifo')])
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(at('socket'), resolve))
    const result = await run('read_file', { path: 'fifo' })
    expect(result.error).toBe('not a regular file: fifo')
    expect(result.durationMs).toBeLessThan(1000)
    expect((await run('read_file', { path: 'socket' })).error).toBe('not a regular file: socket')
    server.close()
  })

  test('binary files are named, not shown (TOOL-033)', async () => {
    const { run, at } = await toolBench()
    await writeFile(at('a.png'), Buffer.from('\x89PNG\r\n\x1a\n\0\0\0', 'latin1'))
    expect(await run('read_file', { path: 'a.png' })).toMatchObject({
      output: '',
      error: 'binary file (11 bytes, PNG image); not shown',
      meta: { kind: 'binary' }
    })
  })

  test('more than 10 MiB needs a part, which is found without holding the file (TOOL-032)', async () => {
    const { run, at } = await toolBench()
    const handle = await open(at('big.txt'), 'w')
    const block = lines(100_000)
    for (let i = 0; i < 10; i += 1) await handle.write(block)
    await handle.write('the end')
    const { size } = await handle.stat()
    await handle.close()
    expect((await run('read_file', { path: 'big.txt' })).error).toBe(
      `file too large: ${size} bytes; use offset and limit, or grep`
    )
    expect((await run('read_file', { path: 'big.txt', offset: 900_002, limit: 1 })).output).toBe(
      '[lines 900002-900002 of 1000001]\nline 2\n'
    )
    expect((await run('read_file', { path: 'big.txt', offset: 1_000_001 })).output).toBe(
      '[lines 1000001-1000001 of 1000001]\nthe end\n'.trimEnd()
    )
    await truncate(at('big.txt'), 100)
    expect((await run('read_file', { path: 'big.txt' })).error).toBe('')
  })

  test('a long text keeps its head and names the next offset; the parts join to the whole (TOOL-011)', async () => {
    const { run, at } = await toolBench({ maxResultBytes: 500 })
    const whole = lines(200)
    await writeFile(at('a.txt'), whole)
    let joined = ''
    for (let offset = 1; offset <= 200; ) {
      const { output } = await run('read_file', offset === 1 ? { path: 'a.txt' } : { path: 'a.txt', offset })
      expect(Buffer.byteLength(output)).toBeLessThanOrEqual(500)
      const [, first, body = '', next] =
        /^(?:\[lines (\d+)-\d+ of 200\]\n)?([\s\S]*?)(?:\[… \d+ of \d+ bytes shown, limit tools\.max_result_bytes; continue with offset (\d+) …\])?$/.exec(
          output
        ) ?? []
      expect(first).toBe(offset === 1 ? undefined : String(offset))
      joined += body
      offset = next === undefined ? 201 : Number(next)
    }
    expect(joined).toBe(whole)
  })

  test('the header of a cut part tells what is really shown', async () => {
    const { run, at } = await toolBench({ maxResultBytes: 400 })
    await writeFile(at('a.txt'), lines(200))
    const { output } = await run('read_file', { path: 'a.txt', offset: 10, limit: 150 })
    const last = Number(/^\[lines 10-(\d+) of 200\]/.exec(output)?.[1])
    expect(last).toBeLessThan(159)
    expect(output).toContain(`line ${last}\n[…`)
    expect(output).toContain(`continue with offset ${last + 1} …]`)
  })

  test('inside .git it works and is marked (TOOL-108)', async () => {
    const { run, at } = await toolBench()
    await mkdir(at('.git'))
    await writeFile(at('.git/config'), '[core]\n')
    expect(await run('read_file', { path: '.git/config' })).toMatchObject({
      output: '[core]\n',
      meta: { touchesGit: true }
    })
  })
})
