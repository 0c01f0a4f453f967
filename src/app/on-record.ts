import { Failure } from '../lib/error.ts'
import type { KeptOut } from './kept-out.ts'

/**
 * Runs `work`; kept out by a session of the project in `dir`, it leaves that on record (PERS-701) and throws what it threw. What it takes
 * to write that down is loaded only then.
 */
export async function onRecord<T>(dir: string, who: KeptOut, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (thrown instanceof Failure) (await import('./kept-out.ts')).noteKeptOut(dir, who, thrown)
    throw thrown
  }
}
