import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type ConfinedRequest, runConfined } from '../../src/platform/confined.ts'
import { gone, program } from '../support/processes.ts'

const line = (command: string, more: Partial<ConfinedRequest> = {}): ConfinedRequest => ({
  file: 'sh',
  args: ['-c', command],
  cwd: process.cwd(),
  timeoutMs: 10_000,
  stdoutBytes: 1024,
  stderrBytes: 64,
  graceMs: 100,
  ...more
})

describe('a confined command (CONC-20)', () => {
  test('ends with its exit code, its output, and what stdin brought', async () => {
    const outcome = await runConfined(line('cat; echo err >&2; exit 3', { input: 'in' }))
    expect(outcome.end).toEqual({ kind: 'exited', code: 3 })
    expect([outcome.stdout.bytes.toString(), outcome.stderr.bytes.toString()]).toEqual(['in', 'err\n'])
  })

  test('that nobody could start is a value', async () => {
    expect((await runConfined(line('', { file: 'no-such-program' }))).end).toMatchObject({ kind: 'not-started' })
    expect((await runConfined(line('true', { cwd: '/no/such/folder' }))).end).toMatchObject({ kind: 'not-started' })
  })

  test('takes along what it left behind in its group, and keeps its own exit code', async () => {
    const outcome = await runConfined({ ...line(''), args: [program('hold-pipe.sh')] })
    expect(outcome.end).toEqual({ kind: 'exited', code: 0 })
    await gone(Number(outcome.stdout.bytes.toString()))
  })

  test.runIf(process.platform === 'linux')('takes along what has a group of its own', async () => {
    const command = 'set -m; sleep 60 & echo $!'
    const outcome = await runConfined({ ...line(''), file: 'bash', args: ['-c', command] })
    expect(outcome.end).toEqual({ kind: 'exited', code: 0 })
    await gone(Number(outcome.stdout.bytes.toString()))
  })

  test('that may leave something running does, and is not waited for', async () => {
    const place = await mkdtemp(join(tmpdir(), 'ghyll-confined-'))
    const command = `sleep 60 & echo $! > ${place}/pid`
    const outcome = await runConfined(line(command, { leavesChildren: true }))
    expect(outcome.end).toEqual({ kind: 'exited', code: 0 })
    // Throws when nobody of this number is there any more.
    process.kill(Number(await readFile(join(place, 'pid'), 'utf8')), 'SIGKILL')
    await rm(place, { recursive: true })
  })

  test('does not wait for somebody outside of the group who holds the pipe', async () => {
    const outcome = await runConfined({ ...line(''), file: process.execPath, args: [program('escape-group.mjs')] })
    expect(outcome.end).toEqual({ kind: 'exited', code: 0 })
    process.kill(Number(outcome.stdout.bytes.toString()))
  })

  test('may take longer than the longest timer of the runtime', async () => {
    const outcome = await runConfined(line('sleep 0.2; echo done', { timeoutMs: 2 ** 31 }))
    expect([outcome.end, outcome.stdout.bytes.toString()]).toEqual([{ kind: 'exited', code: 0 }, 'done\n'])
  })

  test('over time is ended with its children, also when they ignore the polite signal', async () => {
    const outcome = await runConfined({ ...line(''), args: [program('ignore-signals.sh')], timeoutMs: 300 })
    expect(outcome.end).toEqual({ kind: 'timed-out' })
    const parent = await runConfined({ ...line(''), args: [program('wait-with-grandchild.sh')], timeoutMs: 200 })
    expect(parent.end).toEqual({ kind: 'timed-out' })
    await gone(Number(parent.stdout.bytes.toString()))
  })

  test('gets the polite signal first and may tidy up', async () => {
    const command = "trap 'echo tidied; exit 0' TERM; echo ready; while :; do sleep 0.05; done"
    const outcome = await runConfined(line(command, { timeoutMs: 300, graceMs: 5000 }))
    expect(outcome.end).toEqual({ kind: 'timed-out' })
    expect(outcome.stdout.bytes.toString()).toContain('tidied')
  })

  test('that floods is ended at once; what is kept stays within the limit', async () => {
    const outcome = await runConfined(line('yes'))
    expect(outcome.end).toEqual({ kind: 'overflowed' })
    expect(outcome.stdout.bytes).toHaveLength(1024)
  })

  test('may write much to stderr, of which the beginning is kept', async () => {
    const outcome = await runConfined(line('yes | head -c 100000 >&2'))
    expect(outcome.end).toEqual({ kind: 'exited', code: 0 })
    expect(outcome.stderr.bytes).toHaveLength(64)
    expect(outcome.stderr.totalBytes).toBe(100_000)
  })

  test('is cancelled by its signal, before and during the run', async () => {
    const early = await runConfined(line('sleep 60', { signal: AbortSignal.abort() }))
    expect(early.end).toEqual({ kind: 'interrupted' })
    const control = new AbortController()
    const running = runConfined(line('sleep 60', { signal: control.signal }), () => control.abort())
    expect((await running).end).toEqual({ kind: 'interrupted' })
  })

  test('killed by somebody else says by which signal', async () => {
    expect((await runConfined(line('kill -9 $$'))).end).toEqual({ kind: 'signalled', signal: 'SIGKILL' })
  })
})
