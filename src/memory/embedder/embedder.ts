import { assert } from '../../lib/assert.ts'
import { MemoryFailure } from '../errors.ts'
import { createWorkerCalls, type WorkerCalls, WorkerTrouble } from '../worker-calls.ts'
import type { ModelSettings } from './model.ts'
import { checkModelFile } from './model-file.ts'
import type { EmbedderAnswer, EmbedderAsk } from './worker.ts'

/** Turns texts into vectors that can be compared (section 9 of the memory rules). One serves a whole process. */
export interface Embedder {
  readonly dimensions: number
  /** Loads the model. `<first 12 digits of its sha256>:<tokeniser>`, the tag of its vectors (MEM-114). */
  tag(): Promise<string>
  /** A vector of length 1, or of zeros. Rejects with `MemoryFailure` `embedder-unavailable` (MEM-116). */
  embed(text: string): Promise<Float32Array>
  close(): Promise<void>
}

export type EmbedderLimits = { readonly loadMs: number; readonly callMs: number; readonly failures: number }

const usual: EmbedderLimits = { loadMs: 60_000, callMs: 5000, failures: 3 }

/**
 * Checks the file and returns an embedder that loads it at first use, in a worker thread. Throws `MemoryFailure` `embedder-unavailable`
 * when the file is missing or no model (MEM-117); what shows only when it is loaded rejects the calls.
 */
export function openEmbedder(settings: ModelSettings, limits: EmbedderLimits = usual, start = startWorker): Embedder {
  checkModelFile(settings.modelPath)
  const worker = start(settings)
  let loading: Promise<string> | null = null
  let last: Promise<unknown> = Promise.resolve()
  let failuresInRow = 0

  const load = async () => {
    const { sha256 } = await worker.call({ kind: 'load' }, limits.loadMs)
    return `${sha256.slice(0, 12)}:${settings.tokenizer}`
  }
  const tag = () => {
    loading ??= load().catch((trouble: unknown) => {
      throw unavailable(settings.modelPath, trouble)
    })
    return loading
  }
  const embedNow = async (text: string): Promise<Float32Array> => {
    await tag()
    if (failuresInRow >= limits.failures) throw unavailable(settings.modelPath, 'switched off after repeated failures')
    try {
      const { vector } = await worker.call({ kind: 'embed', text }, limits.callMs)
      assert(vector !== null, 'an embedding was asked for')
      failuresInRow = 0
      return vector
    } catch (trouble) {
      failuresInRow += 1
      throw unavailable(settings.modelPath, trouble)
    }
  }

  return {
    dimensions: settings.dimensions,
    tag,
    embed(text) {
      // One at a time, so that waiting for others does not count as this call's time.
      const mine = last.then(() => embedNow(text))
      last = mine.catch(() => undefined) // told to whoever asked; the next one has its own outcome
      return mine
    },
    close: () => worker.close()
  }
}

function startWorker(settings: ModelSettings): WorkerCalls<EmbedderAsk, EmbedderAnswer> {
  return createWorkerCalls(new URL('./worker.ts', import.meta.url), settings)
}

function unavailable(path: string, trouble: unknown): unknown {
  if (typeof trouble !== 'string' && !(trouble instanceof WorkerTrouble)) return trouble
  const reason = typeof trouble === 'string' ? trouble : trouble.message
  return new MemoryFailure(
    'embedder-unavailable',
    `embedder: ${reason}`,
    { path },
    { cause: typeof trouble === 'string' ? undefined : trouble }
  )
}
