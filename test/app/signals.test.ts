import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { watchSignals } from '../../src/app/signals.ts'

function watched(interrupts: readonly boolean[]) {
  const host = new EventEmitter()
  const told: string[] = []
  const answers = [...interrupts]
  const stop = watchSignals(host as unknown as NodeJS.Process, {
    interrupt() {
      told.push('interrupt')
      return answers.shift() ?? false
    },
    leave: (signal) => void told.push(`leave ${signal}`),
    hurry: () => void told.push('hurry'),
    abandon: (code) => void told.push(`abandon ${code}`)
  })
  return { told, stop, send: (signal: NodeJS.Signals) => void host.emit(signal, signal), host }
}

test('SIGTERM leaves, a second signal hurries, a third gives up with its code (SESS-142)', () => {
  const { told, send } = watched([])
  send('SIGTERM')
  send('SIGTERM')
  send('SIGHUP')
  expect(told).toEqual(['leave SIGTERM', 'hurry', 'abandon 129'])
})

test('SIGINT counts as Ctrl+C: it leaves only when it interrupts and asks nothing (TERM-45a)', () => {
  const { told, send } = watched([true, false])
  send('SIGINT')
  send('SIGINT')
  send('SIGINT')
  expect(told).toEqual(['interrupt', 'interrupt', 'leave SIGINT', 'hurry'])
})

test('after the watch ended no signal is handled', () => {
  const { told, stop, send, host } = watched([])
  stop()
  send('SIGTERM')
  expect(told).toEqual([])
  expect(host.listenerCount('SIGTERM')).toBe(0)
})
