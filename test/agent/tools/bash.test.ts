import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { findProgram } from '../../../src/platform/find-program.ts'
import { toolFailed, toolResultText } from '../../../src/protocol/tool.ts'
import { gone, program } from '../../support/processes.ts'
import { toolBench } from '../../support/tool-bench.ts'

describe('results of a command', () => {
  test('stdout is the output, with a short outcome', async () => {
    const { run } = await toolBench()
    const result = await run('bash', { command: 'printf "a\\nb\\n"' })
    expect(result).toMatchObject({
      output: 'a\nb\n',
      error: '',
      timedOut: false,
      meta: { exitCode: 0, summary: '2 lines' }
    })
    expect(toolFailed(result)).toBe(false)
  })

  test('runs in the working directory, and no state survives (TOOL-020, TOOL-022)', async () => {
    const { run, workdir } = await toolBench()
    await run('bash', { command: 'cd /; X=1' })
    expect((await run('bash', { command: 'echo "$PWD$X"' })).output).toBe(`${workdir}\n`)
  })

  test('stderr of a success is told and is no failure (TOOL-002)', async () => {
    const { run } = await toolBench()
    const result = await run('bash', { command: 'echo out; echo warning >&2' })
    expect(toolResultText('bash', result)).toBe('out\n[error] warning')
    expect(toolFailed(result)).toBe(false)
  })

  test.each([
    ['echo out; echo bad >&2; exit 3', 'out\n', '(exit 3) bad', 3],
    ['exit 7', '', '(exit 7) exit status 7', 7]
  ])('%s states its exit code (TOOL-019)', async (command, output, error, exitCode) => {
    const { run } = await toolBench()
    expect(await run('bash', { command })).toMatchObject({
      output,
      error,
      meta: { kind: 'exit', exitCode, summary: `exit ${exitCode}` }
    })
  })

  test('death by a signal (TOOL-019)', async () => {
    const { run } = await toolBench()
    expect(await run('bash', { command: 'kill -TERM $$' })).toMatchObject({
      error: 'killed by SIGTERM',
      meta: { kind: 'exit' }
    })
  })

  test('a silent success says so (TOOL-002)', async () => {
    const { run } = await toolBench()
    expect(toolResultText('bash', await run('bash', { command: 'true' }))).toBe('(no output)')
  })

  test('environment: inherited, and nothing that waits or paints (TOOL-016)', async () => {
    const { run } = await toolBench({}, { env: { ...process.env, INHERITED: 'yes', TERM: 'xterm' } })
    const command = 'echo $INHERITED $TERM $NO_COLOR $PAGER $GIT_PAGER $GIT_TERMINAL_PROMPT'
    expect((await run('bash', { command })).output).toBe('yes dumb 1 cat cat 0\n')
  })

  test('sh serves where bash is missing, noted once (TOOL-020)', async () => {
    const bench = await toolBench()
    await mkdir(bench.at('bin'))
    await symlink((await findProgram('sh'))!, bench.at('bin/sh'))
    const { run } = await toolBench({}, { env: { PATH: bench.at('bin') } })
    expect((await run('bash', { command: 'echo one' })).output).toBe('[bash not found, sh is used instead]\none\n')
    expect((await run('bash', { command: 'echo two' })).output).toBe('two\n')
  })

  test('a command longer than the system takes says what to do instead (TOOL-001)', async () => {
    const { run } = await toolBench()
    expect(await run('bash', { command: `echo ${'x'.repeat(3_000_000)}` })).toMatchObject({
      error: 'not started: the command is longer than this system takes; put its text into a file',
      meta: { kind: 'failed' }
    })
  })

  test('a NUL byte in a command is told in plain words (TOOL-001)', async () => {
    const { run } = await toolBench()
    expect((await run('bash', { command: 'echo a\0b' })).error).toBe('not started: the command contains a NUL byte')
  })

  test('a working directory that is gone is told', async () => {
    const { run } = await toolBench({}, { workdir: '/no/such/place' })
    expect(await run('bash', { command: 'ls' })).toMatchObject({ output: '', meta: { kind: 'not-found' } })
  })
})

describe('text for the model (TOOL-017, TOOL-122)', () => {
  test('no escape sequence gets through, OSC 52 included', async () => {
    const { run } = await toolBench()
    const { output } = await run('bash', { command: `printf 'a\\033]52;c;ZXZpbA==\\007b\\033[31mred\\033[0m\\n'` })
    expect(output).toBe('abred\n')
  })

  test('overwritten progress is folded', async () => {
    const { run } = await toolBench()
    expect((await run('bash', { command: `printf '10%%\\r50%%\\r100%%\\n'` })).output).toBe('100%\n')
  })

  test('binary output is not shown', async () => {
    const { run } = await toolBench()
    expect((await run('bash', { command: 'head -c 100 /dev/zero' })).output).toBe(
      '[binary output, 100 bytes; not shown]'
    )
  })

  test('invalid UTF-8 is replaced', async () => {
    const { run } = await toolBench()
    expect((await run('bash', { command: `printf 'a\\377b'` })).output).toBe('a\ufffdb')
  })

  test('secrets the process knows are taken out of result, progress and file (MODEL-066)', async () => {
    const { run } = await toolBench(
      { maxResultBytes: 400 },
      { redact: (text) => text.replaceAll('s3cret', '[redacted]') }
    )
    const tails: string[] = []
    const result = await run(
      'bash',
      { command: 'for i in $(seq 200); do echo "key s3cret"; done; echo s3cret >&2; exit 1' },
      { onProgress: ({ tail }) => tails.push(tail) }
    )
    expect(result.output + result.error + tails.join('')).not.toContain('s3cret')
    expect(tails.join('')).toContain('[redacted]')
    expect(await readFile(result.meta.outputFile!, 'utf8')).not.toContain('s3cret')
  })
})

describe('limits', () => {
  test('the time limit ends the whole group, names itself and keeps the output so far (TOOL-004, TOOL-021)', async () => {
    const { run } = await toolBench({ bashTimeoutSeconds: 1 })
    const result = await run('bash', { command: 'sleep 60 & echo $!; sleep 60' })
    expect(result).toMatchObject({ error: 'command timed out after 1s', timedOut: true, meta: { kind: 'timeout' } })
    expect(result.durationMs).toBeLessThan(2000)
    await gone(Number(result.output))
  })

  test('a command that ignores SIGTERM ends at the operator’s interrupt, output kept (TOOL-010)', async () => {
    const { run } = await toolBench()
    const abort = new AbortController()
    const result = await run(
      'bash',
      { command: `exec sh ${program('ignore-signals.sh')}` },
      { signal: abort.signal, onProgress: () => abort.abort() }
    )
    expect(result).toMatchObject({ output: 'ready\n', error: 'interrupted by operator', meta: { kind: 'interrupted' } })
  })

  test('interrupted beforehand: nothing runs', async () => {
    const { run, at } = await toolBench()
    const result = await run('bash', { command: 'touch ran' }, { signal: AbortSignal.abort() })
    expect(result).toMatchObject({ output: '', error: 'interrupted by operator', meta: { kind: 'interrupted' } })
    await expect(stat(at('ran'))).rejects.toThrow()
  })

  test('a flood costs bounded memory and yields a bounded result (TOOL-011)', async () => {
    const { run } = await toolBench({ bashTimeoutSeconds: 1 })
    const before = process.memoryUsage().rss
    const result = await run('bash', { command: 'yes' })
    expect(process.memoryUsage().rss - before).toBeLessThan(250 * 1024 * 1024)
    expect(Buffer.byteLength(toolResultText('bash', result))).toBeLessThan(8192 + 20)
    expect(result.error).toBe('command timed out after 1s')
  })

  test('a flood is cleaned in pieces, which changes nothing about it (TOOL-122, TOOL-125)', async () => {
    const { run, at } = await toolBench({ maxResultBytes: -1 })
    await writeFile(at('flood'), '\u001b[1mé\u001b[0mü\told\rn\u00e9w\u0007\r\n'.repeat(80_000))
    const { output } = await run('bash', { command: 'cat flood' })
    expect(output).toBe('n\u00e9w\ufffd\n'.repeat(80_000))
  })

  test('a reader of stdin ends at once (TOOL-013)', async () => {
    const { run } = await toolBench()
    expect(await run('bash', { command: 'cat' })).toMatchObject({ output: '', error: '', meta: { exitCode: 0 } })
  })

  test('live output is told while the command runs (TOOL-009)', async () => {
    const { run } = await toolBench()
    const told: string[] = []
    const abort = new AbortController()
    await run(
      'bash',
      { command: 'echo begun; sleep 60' },
      {
        signal: abort.signal,
        onProgress({ tail, elapsedMs }) {
          expect(elapsedMs).toBeGreaterThanOrEqual(0)
          told.push(tail)
          abort.abort()
        }
      }
    )
    expect(told[0]).toBe('begun\n')
  })
})

describe('the whole output of a cut result (TOOL-012)', () => {
  const numbers = (last: number) => Array.from({ length: last }, (_, i) => `${i + 1}\n`).join('')

  test('is kept in a private file that the marker names', async () => {
    const { run, stateDir } = await toolBench()
    const result = await run('bash', { command: 'seq 10000; echo late >&2' }, { id: 'call_7' })
    expect(result.output).toContain('limit tools.max_result_bytes, whole output in .ghyll/state/out/call_7.txt …]')
    expect(result.output.startsWith('1\n2\n')).toBe(true)
    expect(result.output.endsWith('9999\n10000\n')).toBe(true)
    expect(result.error).toBe('late')
    expect(result.meta.outputFile).toBe(`${stateDir}/out/call_7.txt`)
    expect(await readFile(result.meta.outputFile!, 'utf8')).toBe(`${numbers(10_000)}[error] late`)
    expect((await stat(result.meta.outputFile!)).mode & 0o777).toBe(0o600)
    expect((await stat(`${stateDir}/out`)).mode & 0o777).toBe(0o700)
  })

  test('a call id cannot name a place of its own, and repeats do not overwrite', async () => {
    const { run, stateDir } = await toolBench({ maxResultBytes: 200 })
    await run('bash', { command: 'seq 100' }, { id: '../../x y' })
    await run('bash', { command: 'seq 100' }, { id: '../../x y' })
    expect((await readdir(`${stateDir}/out`)).toSorted()).toEqual(['______x_y-2.txt', '______x_y.txt'])
  })

  test('the last 50 are kept', async () => {
    const { run, stateDir } = await toolBench({ maxResultBytes: 200 })
    for (let i = 0; i < 53; i += 1) await run('bash', { command: 'seq 100' }, { id: `call_${i}` })
    const names = await readdir(`${stateDir}/out`)
    expect(names).toHaveLength(50)
    expect(names).toContain('call_52.txt')
    expect(names).not.toContain('call_0.txt')
  })

  test('nothing is cut with -1', async () => {
    const { run } = await toolBench({ maxResultBytes: -1 })
    const result = await run('bash', { command: 'seq 10000' })
    expect(result.output).toBe(numbers(10_000))
    expect(result.meta.outputFile).toBeUndefined()
  })

  test('where it cannot be kept the result is cut all the same', async () => {
    const { run } = await toolBench({ maxResultBytes: 300 }, { stateDir: '/dev/null/state' })
    const result = await run('bash', { command: 'seq 1000' })
    expect(result.output).toMatch(/\[… \d+ of \d+ bytes shown, limit tools.max_result_bytes …\]/)
  })

  test('a flood of stderr leaves room for stdout', async () => {
    const { run } = await toolBench({ maxResultBytes: 1000 })
    const result = await run('bash', { command: 'seq 10000; seq 20000 30000 >&2; exit 2' })
    expect(result.error).toMatch(/^\(exit 2\) 20000\n/)
    expect(result.output.startsWith('1\n2\n')).toBe(true)
    expect(Buffer.byteLength(result.output) + Buffer.byteLength(result.error)).toBeLessThanOrEqual(1000)
  })
})
