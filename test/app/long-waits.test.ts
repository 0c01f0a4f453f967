import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLongWaits } from '../../src/app/long-waits.ts'
import type { GhyllEvent, Waiting } from '../../src/protocol/event.ts'
import { sessionId } from '../../src/protocol/ids.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function listening() {
  const said: string[] = []
  const { take, stop } = createLongWaits((line) => said.push(line))
  const tell = (waiting: Waiting | null) =>
    take({ kind: 'waiting-changed', waiting, session: sessionId('s'), at: 0 } as GhyllEvent)
  return { said, tell, stop }
}

const model: Waiting = { what: 'model', label: 'm25', since: 1, count: null }
const tool: Waiting = { what: 'tool', label: 'bash', since: 2, count: null }

test('a pause is told once it is longer than 300 ms, and once only (TERM-25, TERM-62)', () => {
  const { said, tell } = listening()
  tell(model)
  vi.advanceTimersByTime(299)
  expect(said).toEqual([])
  vi.advanceTimersByTime(1)
  tell({ ...model, count: 40 })
  vi.advanceTimersByTime(5_000)
  expect(said).toEqual(['· waiting for m25'])
})

test('what is over sooner is not told, and each pause is told for itself', () => {
  const { said, tell } = listening()
  tell(model)
  tell(null)
  tell(tool)
  vi.advanceTimersByTime(300)
  tell(null)
  tell({ ...tool, since: 3, label: 'bash\x1b[2J' })
  vi.advanceTimersByTime(300)
  expect(said).toEqual(['· bash is running', '· bash is running'])
})

test('a wait before another attempt has a line of its own (SESS-047), and nothing is told after the end', () => {
  const { said, tell, stop } = listening()
  tell({ ...model, what: 'retry' })
  vi.advanceTimersByTime(300)
  tell(model)
  stop()
  vi.advanceTimersByTime(300)
  expect(said).toEqual([])
})
