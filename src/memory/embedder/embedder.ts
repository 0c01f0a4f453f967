import { assert } from '../../lib/assert.ts'
import { MemoryFailure } from '../errors.ts'
import type { Embedder } from '../ports.ts'
import { createWorkerCalls, type WorkerCalls, WorkerTrouble } from '../worker-calls.ts'
import type { ModelSettings } from './model.ts'
import { checkModelFile } from './model-file.ts'
import type { EmbedderAnswer, EmbedderAsk } from './worker.ts'

export type EmbedderOptions = {
  /** Told of every failed embedding, and that there will be no more (MEM-116). */
  readonly onTrouble?: (failure: MemoryFailure) => void
  /** Starts the thread. */
  readonly start?: (settings: ModelSettings) => WorkerCalls<EmbedderAsk, EmbedderAnswer>
}

const loadMs = 60_000
const callMs = 5000
const failuresAllowed = 3

/**
 * Loads the model into a worker thread; one embedder serves a whole process. Rejects with `MemoryFailure` `embedder-unavailable` when the
 * file is missing or no model, has another digest or other dimensions than configured, or the runtime does not load (MEM-117).
 */
export async function openEmbedder(settings: ModelSettings, options: EmbedderOptions = {}): Promise<Embedder> {
  const { onTrouble = () => undefined, start = startWorker } = options
  const { modelPath: path, dimensions, tokenizer } = settings
  checkModelFile(path)
  const worker = start(settings)
  const { sha256 } = await worker.call({ kind: 'load' }, loadMs).catch(async (trouble: unknown) => {
    await worker.close()
    throw unavailable(path, trouble)
  })
  let last: Promise<unknown> = Promise.resolve()
  let failuresInRow = 0

  const embedNow = async (text: string): Promise<Float32Array | null> => {
    if (failuresInRow >= failuresAllowed) return null
    try {
      const { vector } = await worker.call({ kind: 'embed', text }, callMs)
      assert(vector !== null, 'an embedding was asked for')
      failuresInRow = 0
      return vector
    } catch (trouble) {
      failuresInRow += 1
      onTrouble(unavailable(path, trouble, failuresInRow === failuresAllowed ? '; switched off' : ''))
      return null
    }
  }

  return {
    tag: `${sha256.slice(0, 12)}:${tokenizer}`,
    dimensions,
    embed(text) {
      // One at a time, so that waiting for others does not count as this call's time.
      const mine = last.then(() => embedNow(text))
      last = mine.catch(() => undefined) // a bug of this call is told to its caller
      return mine
    },
    close: () => worker.close()
  }
}

function startWorker(settings: ModelSettings): WorkerCalls<EmbedderAsk, EmbedderAnswer> {
  return createWorkerCalls(new URL('./worker.ts', import.meta.url), settings)
}

function unavailable(path: string, trouble: unknown, addition = ''): MemoryFailure {
  if (!(trouble instanceof WorkerTrouble)) throw trouble
  const { message } = trouble
  return new MemoryFailure('embedder-unavailable', `embedder: ${message}${addition}`, { path }, { cause: trouble })
}
