import { expect, onTestFinished, test } from 'vitest'
import { createWorkerCalls } from '../../src/memory/worker-calls.ts'

function calls() {
  const entry = new URL('../fixtures/programs/call-worker.ts', import.meta.url)
  const worker = createWorkerCalls<string, string>(entry, null)
  onTestFinished(() => worker.close(0))
  return worker
}

test('answers and refusals find the call they belong to', async () => {
  const worker = calls()
  const ended = await Promise.allSettled(['one', 'refuse', 'two'].map((ask) => worker.call(ask, 10_000)))
  expect(ended).toEqual([
    { status: 'fulfilled', value: 'one' },
    { status: 'rejected', reason: expect.objectContaining({ kind: 'refused', message: 'refused as told' }) },
    { status: 'fulfilled', value: 'two' }
  ])
})

test('silence ends at the time limit, and a worker that is stuck is ended at close', async () => {
  const worker = calls()
  await expect(worker.call('silence', 20)).rejects.toMatchObject({ kind: 'timed-out' })
  await worker.close(0)
  await expect(worker.call('one', 1000)).rejects.toMatchObject({ kind: 'gone' })
})

test('a worker that dies fails the calls under way, and the next call has a new one', async () => {
  const worker = calls()
  const [first, second] = await Promise.allSettled([worker.call('die', 10_000), worker.call('one', 10_000)])
  expect([first, second]).toEqual([
    { status: 'rejected', reason: expect.objectContaining({ kind: 'gone' }) },
    { status: 'rejected', reason: expect.objectContaining({ kind: 'gone' }) }
  ])
  expect(await worker.call('one', 10_000)).toBe('one')
})

test('closing lets the worker answer what it was asked before', async () => {
  const worker = calls()
  const answer = worker.call('late', 10_000)
  await worker.close()
  expect(await answer).toBe('late')
})
