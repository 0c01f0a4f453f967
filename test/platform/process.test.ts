import { describe, expect, test } from 'vitest'
import { type ProcessRequest, runProcess } from '../../src/platform/process.ts'
import { gone, program } from '../support/processes.ts'

const cwd = process.cwd()
const sh = (name: string, more: Partial<ProcessRequest> = {}): ProcessRequest => ({
  file: 'sh',
  args: [program(name)],
  cwd,
  timeoutMs: 10_000,
  ...more
})
const line = (command: string, more: Partial<ProcessRequest> = {}) => sh('', { args: ['-c', command], ...more })

describe('ends of a program', () => {
  test('exit code and both streams, captured apart (TOOL-017, TOOL-019)', async () => {
    const outcome = await runProcess(line('echo out; echo err >&2; exit 3'))
    expect(outcome.end).toEqual({ kind: 'exited', code: 3 })
    expect(outcome.stdout.bytes.toString()).toBe('out\n')
    expect(outcome.stderr.bytes.toString()).toBe('err\n')
  })

  test('death by a signal names it', async () => {
    expect((await runProcess(line('kill -SEGV $$'))).end).toEqual({ kind: 'signalled', signal: 'SIGSEGV' })
  })

  test('a program that does not exist is a value, not an exception', async () => {
    const outcome = await runProcess(line('', { file: 'no-such-program-here' }))
    expect(outcome.end).toMatchObject({ kind: 'not-started', code: 'ENOENT' })
  })

  test('an argument with NUL is a value too', async () => {
    const outcome = await runProcess(line('', { args: ['-c', 'a\0b'] }))
    expect(outcome.end.kind).toBe('not-started')
  })

  test('may take longer than the longest timer of the runtime', async () => {
    const outcome = await runProcess(line('sleep 0.2; echo done', { timeoutMs: 2 ** 31 }))
    expect([outcome.end, outcome.stdout.bytes.toString()]).toEqual([{ kind: 'exited', code: 0 }, 'done\n'])
  })
})

describe('stdin', () => {
  test('is closed, so that a reader ends at once (TOOL-013)', async () => {
    const outcome = await runProcess(sh('read-stdin.sh'))
    expect(outcome.stdout.bytes.toString()).toBe('end of input\n')
  })

  test('carries the input when there is one', async () => {
    const outcome = await runProcess(sh('read-stdin.sh', { input: 'hello\n' }))
    expect(outcome.stdout.bytes.toString()).toBe('hello\nend of input\n')
  })

  test('a program that ends without reading much input does no harm', async () => {
    const outcome = await runProcess(line('exit 0', { input: 'x'.repeat(1_000_000) }))
    expect(outcome.end).toEqual({ kind: 'exited', code: 0 })
  })
})

describe('process group', () => {
  test('the program leads its own group (TOOL-013)', async () => {
    const outcome = await runProcess(line('echo $$; ps -o pgid= -p $$'))
    const [pid, group] = outcome.stdout.bytes.toString().split('\n')
    expect(group?.trim()).toBe(pid)
  })

  test('the time limit kills leader and grandchild at once and keeps the output so far (TOOL-014)', async () => {
    const outcome = await runProcess(sh('wait-with-grandchild.sh', { timeoutMs: 300 }))
    expect(outcome.end).toEqual({ kind: 'timed-out' })
    expect(outcome.durationMs).toBeLessThan(1500)
    await gone(Number(outcome.stdout.bytes.toString()))
  })

  test('an interrupt ends a program that ignores SIGTERM, within a second (TOOL-014, TERM-45)', async () => {
    const abort = new AbortController()
    let interruptedAt = 0
    const outcome = await runProcess(
      sh('ignore-signals.sh', {
        signal: abort.signal,
        onTail() {
          interruptedAt = performance.now()
          abort.abort()
        }
      })
    )
    expect(outcome.end).toEqual({ kind: 'interrupted' })
    expect(performance.now() - interruptedAt).toBeLessThan(1000)
    expect(performance.now() - interruptedAt).toBeGreaterThan(450)
  })

  test('a program that obeys SIGTERM is interrupted without waiting for the grace', async () => {
    const abort = new AbortController()
    let interruptedAt = 0
    const onTail = () => {
      interruptedAt = performance.now()
      abort.abort()
    }
    const outcome = await runProcess(line('echo ready; exec sleep 60', { signal: abort.signal, onTail }))
    expect(outcome.end).toEqual({ kind: 'interrupted' })
    expect(performance.now() - interruptedAt).toBeLessThan(450)
  })

  test('an interrupt also ends a grandchild that had let go of the pipes', async () => {
    const abort = new AbortController()
    const command = 'sh -c "trap \'\' TERM; while :; do sleep 1; done" >/dev/null 2>&1 & echo $!; exec sleep 60'
    const outcome = await runProcess(line(command, { signal: abort.signal, onTail: () => abort.abort() }))
    expect(outcome.end).toEqual({ kind: 'interrupted' })
    await gone(Number(outcome.stdout.bytes.toString()))
  })

  // What these programs start gets a group of its own.
  const ownGroups = [
    ['timeout in a pipe', 'timeout 60 sh -c "echo \\$\\$ >&2; exec sleep 60" | cat'],
    ['a shell with job control', 'set -m; sh -c "echo \\$\\$ >&2; exec sleep 60" & wait'],
    ['a session of its own', 'setsid sh -c "echo \\$\\$ >&2; exec sleep 60" & wait']
  ] as const

  test.runIf(process.platform === 'linux').each(ownGroups)(
    'an interrupt reaches %s, which its group does not (TERM-45)',
    async (_, command) => {
      const abort = new AbortController()
      const outcome = await runProcess(
        line('', { file: 'bash', args: ['-c', command], signal: abort.signal, onTail: () => abort.abort() })
      )
      expect(outcome.end).toEqual({ kind: 'interrupted' })
      await gone(Number(outcome.stderr.bytes.toString()))
    }
  )

  test.runIf(process.platform === 'linux').each(ownGroups)(
    'the time limit reaches %s (TOOL-014)',
    async (_, command) => {
      const outcome = await runProcess(line('', { file: 'bash', args: ['-c', command], timeoutMs: 500 }))
      expect(outcome.end).toEqual({ kind: 'timed-out' })
      await gone(Number(outcome.stderr.bytes.toString()))
    }
  )

  test('aborted beforehand: nothing is started', async () => {
    const outcome = await runProcess(line('echo started', { signal: AbortSignal.abort() }))
    expect(outcome.end).toEqual({ kind: 'interrupted' })
    expect(outcome.stdout.totalBytes).toBe(0)
  })
})

describe('background children (TOOL-015)', () => {
  test('one that let go of the pipes runs on after the call', async () => {
    const outcome = await runProcess(sh('release-pipe.sh'))
    expect(outcome.end).toEqual({ kind: 'exited', code: 0 })
    const pid = Number(outcome.stdout.bytes.toString())
    expect(process.kill(pid, 'SIGKILL')).toBe(true)
  })

  test('one that holds a pipe keeps the call waiting until the limit, which kills it', async () => {
    const outcome = await runProcess(sh('hold-pipe.sh', { timeoutMs: 300 }))
    expect(outcome.end).toEqual({ kind: 'timed-out' })
    await gone(Number(outcome.stdout.bytes.toString()))
  })

  test('one outside the group that holds a pipe cannot block: the pipes are closed 250 ms after the kill (TOOL-014)', async () => {
    const request = sh('', { file: process.execPath, args: [program('escape-group.mjs')], timeoutMs: 700 })
    const outcome = await runProcess(request)
    expect(outcome.end).toEqual({ kind: 'timed-out' })
    expect(outcome.durationMs).toBeGreaterThanOrEqual(940)
    expect(outcome.durationMs).toBeLessThan(2000)
    process.kill(Number(outcome.stdout.bytes.toString()), 'SIGKILL')
  })
})

describe('capture', () => {
  test('a flood is kept up to the cap and counted beyond it, while the program goes on', async () => {
    const outcome = await runProcess(sh('flood.sh', { timeoutMs: 500, captureBytes: 1000 }))
    expect(outcome.stdout.bytes.length).toBe(1000)
    expect(outcome.stdout.totalBytes).toBeGreaterThan(100_000)
    expect(outcome.end).toEqual({ kind: 'timed-out' })
  })

  test('the cap changes nothing about the end of the program', async () => {
    const outcome = await runProcess(line('head -c 300000 /dev/zero; exit 4', { captureBytes: 10 }))
    expect(outcome.end).toEqual({ kind: 'exited', code: 4 })
    expect(outcome.stdout.totalBytes).toBe(300_000)
  })
})
