import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { createChildren } from '../../src/platform/children.ts'
import { gone, program } from '../support/processes.ts'

const request = (name: string) => ({ file: 'sh', args: [program(name)], cwd: process.cwd(), timeoutMs: 30_000 })

describe('the registry of children (TOOL-018)', () => {
  test('killAll ends what runs, and the call settles', async () => {
    const children = createChildren()
    const outcome = await children.run({ ...request('ignore-signals.sh'), onTail: () => children.killAll() })
    expect(outcome.end).toEqual({ kind: 'signalled', signal: 'SIGKILL' })
  })

  test('killAll ends a background child of a call that is long over', async () => {
    const children = createChildren()
    const outcome = await children.run(request('release-pipe.sh'))
    await children.run({ ...request(''), args: ['-c', 'true'] })
    children.killAll()
    await gone(Number(outcome.stdout.bytes.toString()))
  })

  test.runIf(process.platform === 'linux')(
    'killAll ends a background child with a group of its own after its call',
    async () => {
      const children = createChildren()
      const command = 'set -m; sleep 60 >/dev/null 2>&1 & echo $!'
      const outcome = await children.run({ ...request(''), file: 'bash', args: ['-c', command] })
      expect(outcome.end).toEqual({ kind: 'exited', code: 0 })
      children.killAll()
      await gone(Number(outcome.stdout.bytes.toString()))
    }
  )

  test('killOnExit acts on exit until it is taken back', async () => {
    const children = createChildren()
    const host = new EventEmitter()
    const release = children.killOnExit(host as never)
    expect(host.listenerCount('exit')).toBe(1)
    release()
    expect(host.listenerCount('exit')).toBe(0)
  })

  test('an uncaught exception takes the children along', async () => {
    const crashing = spawn(process.execPath, [program('crash-with-children.ts')], {
      stdio: ['ignore', 'pipe', 'ignore']
    })
    let out = ''
    crashing.stdout.on('data', (chunk) => {
      out += chunk
    })
    const [code] = await once(crashing, 'close')
    expect(code).not.toBe(0)
    expect(Number(out)).toBeGreaterThan(1)
    await gone(-Number(out))
  })
})
