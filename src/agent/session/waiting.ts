import type { Waiting } from '../../protocol/event.ts'
import type { Machine } from './loop.ts'

/** Tells what is waited for while `work` runs (TERM-25). */
export async function showing<T>(
  waiting: Waiting,
  machine: Pick<Machine, 'record'>,
  work: () => Promise<T>
): Promise<T> {
  machine.record([{ kind: 'waiting-changed', waiting }])
  try {
    return await work()
  } finally {
    machine.record([{ kind: 'waiting-changed', waiting: null }])
  }
}
