import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { isGroupAlive, signalGroup } from '../../src/platform/process-group.ts'
import { statFields } from '../../src/platform/process-list.ts'

test('a group lives as long as one of its processes, and no longer (TOOL-014)', async () => {
  const leader = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' })
  await once(leader, 'spawn')
  expect(isGroupAlive(leader.pid!)).toBe(true)
  expect(signalGroup(leader.pid!, 'SIGKILL')).toBe(true)
  await once(leader, 'exit')
  expect(isGroupAlive(leader.pid!)).toBe(false)
  expect(signalGroup(leader.pid!, 'SIGTERM')).toBe(false)
})

test.runIf(process.platform === 'linux')('a process that only waits to be reaped is not alive (TERM-45)', async () => {
  // The background job has a group of its own; it ends once its parent has turned into a program that reaps nobody.
  const parent = spawn('bash', ['-c', 'set -m; cat <&3 & echo $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore', 'pipe']
  })
  onTestFinished(() => void parent.kill('SIGKILL'))
  const [line] = (await once(parent.stdout!, 'data')) as [Buffer]
  const job = Number(line.toString())
  await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n')
  ;(parent.stdio[3] as Writable).end()
  await expect.poll(() => statFields(job)[0]).toBe('Z')
  expect(() => process.kill(-job, 0)).not.toThrow()
  expect(isGroupAlive(job)).toBe(false)
})
