import { MemoryFailure } from './errors.ts'
import type { VectorSearch } from './ports.ts'
import type { VectorAnswer, VectorAsk, VectorSource } from './vector-worker.ts'
import { createWorkerCalls, WorkerTrouble } from './worker-calls.ts'

/** Reading 100,000 vectors from a cold disk takes seconds, searching them well below one. */
const patienceMs = 60_000

/** Search in a thread of its own, which starts and opens the database at the first search (MEM-047). */
export function openVectorSearch(source: VectorSource): VectorSearch {
  const worker = createWorkerCalls<VectorAsk, VectorAnswer>(new URL('./vector-worker.ts', import.meta.url), source)
  return {
    async search(repo, query, limit) {
      try {
        return await worker.call({ repo, query, limit }, patienceMs)
      } catch (trouble) {
        if (!(trouble instanceof WorkerTrouble)) throw trouble
        const facts = { path: source.databasePath, operation: 'search' }
        throw new MemoryFailure('store-unavailable', `search by vector: ${trouble.message}`, facts, { cause: trouble })
      }
    },
    close: () => worker.close()
  }
}
