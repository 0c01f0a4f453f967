import { workerData } from 'node:worker_threads'
import { serveCalls } from '../worker-calls.ts'
import { loadModel, type Model, type ModelSettings } from './model.ts'

// The thread in which the model lives (MEM-116). It loads at the first question and keeps a failure to load: the file will not get
// better by itself.

export type EmbedderAsk = { readonly kind: 'load' } | { readonly kind: 'embed'; readonly text: string }
export type EmbedderAnswer = { readonly sha256: string; readonly vector: Float32Array | null }

let model: Promise<Model> | null = null

serveCalls<EmbedderAsk, EmbedderAnswer>(
  async (ask) => {
    model ??= loadModel(workerData as ModelSettings)
    const { sha256, embed } = await model
    return { sha256, vector: ask.kind === 'embed' ? await embed(ask.text) : null }
  },
  async () => {
    const loaded = await model?.catch(() => null) // a model that did not load was told to whoever asked for it
    await loaded?.close()
  }
)
