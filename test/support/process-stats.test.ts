import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { descendantsOf, processesOf } from '../../src/platform/process-list.ts'
import { groupGone } from './process-stats.ts'

test('finds the processes of a group and the descendants of a process', async () => {
  const shell = spawn('bash', ['-c', 'sleep 60 & echo $!; wait'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore']
  })
  onTestFinished(() => void shell.kill('SIGKILL'))
  const [printed] = (await once(shell.stdout!, 'data')) as [Buffer]
  const sleeper = Number(printed.toString())
  expect(processesOf(shell.pid!).sort()).toEqual([shell.pid!, sleeper].sort())
  expect(descendantsOf(process.pid)).toEqual(expect.arrayContaining([shell.pid!, sleeper]))
  expect(descendantsOf(shell.pid!)).toEqual([sleeper])
  process.kill(-shell.pid!, 'SIGKILL')
  await groupGone(shell.pid!)
})
