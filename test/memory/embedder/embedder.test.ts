import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openEmbedder } from '../../../src/memory/embedder/embedder.ts'
import type { ModelSettings } from '../../../src/memory/embedder/model.ts'
import { pool } from '../../../src/memory/embedder/pool.ts'
import type { EmbedderAnswer, EmbedderAsk } from '../../../src/memory/embedder/worker.ts'
import { type WorkerCalls, WorkerTrouble } from '../../../src/memory/worker-calls.ts'
import { temporaryFolder } from '../../support/temporary.ts'
import { type TinyModelOptions, tinyTable, writeTinyModel } from '../../support/tiny-model.ts'

function settingsFor(path: string, more: Partial<ModelSettings> = {}): ModelSettings {
  return { modelPath: path, modelSha256: null, dimensions: 384, tokenizer: 'wordpiece', ...more }
}

function tinyModel(options: TinyModelOptions = {}) {
  const path = join(temporaryFolder(), 'tiny.onnx')
  writeTinyModel(path, options)
  return { path, sha256: createHash('sha256').update(readFileSync(path)).digest('hex') }
}

async function open(settings: Partial<ModelSettings> = {}) {
  const embedder = await openEmbedder(settingsFor(tinyModel().path, settings))
  onTestFinished(() => embedder.close())
  return embedder
}

const unavailable = (message: string | RegExp) =>
  expect.objectContaining({ code: 'embedder-unavailable', message: expect.stringMatching(message) })

test('a text is embedded by a real model in the worker, pooled and normalised (MEM-110, MEM-111, MEM-116)', async () => {
  const vector = await (await open()).embed('hello world')
  const table = tinyTable(64, 384)
  const rows = [101, 7592, 2088, 102].flatMap((id) => [...table.subarray((id % 64) * 384, (id % 64) * 384 + 384)])
  const expected = pool(Float32Array.from(rows), [1, 1, 1, 1], 384)
  expect(vector).toHaveLength(384)
  expect(Math.hypot(...vector!)).toBeCloseTo(1, 6)
  vector!.forEach((value, at) => {
    expect(value).toBeCloseTo(expected[at]!, 6)
  })
})

test('the tag names the model and the tokeniser (MEM-114)', async () => {
  const { path, sha256 } = tinyModel()
  const embedder = await openEmbedder(settingsFor(path, { tokenizer: 'hash' }))
  onTestFinished(() => embedder.close())
  expect(embedder.tag).toBe(`${sha256.slice(0, 12)}:hash`)
  expect(embedder.dimensions).toBe(384)
})

test('calls made at once are answered each with its own vector (MEM-116)', async () => {
  const embedder = await open()
  const [one, two, again] = await Promise.all(['alpha beta', 'gamma', 'alpha beta'].map(embedder.embed))
  expect(one).toEqual(again)
  expect(one).not.toEqual(two)
})

test('a text beyond 512 tokens is cut, not refused (MEM-112)', async () => {
  expect(await (await open()).embed('hello '.repeat(20_000))).toHaveLength(384)
})

test('the configured digest decides whether the file is loaded', async () => {
  const { path, sha256 } = tinyModel()
  await expect(openEmbedder(settingsFor(path, { modelSha256: 'a'.repeat(64) }))).rejects.toEqual(
    unavailable(`model_sha256 mismatch: expected ${'a'.repeat(64)}, got ${sha256}; not loaded`)
  )
  const embedder = await openEmbedder(settingsFor(path, { modelSha256: sha256 }))
  onTestFinished(() => embedder.close())
  expect(await embedder.embed('x')).toHaveLength(384)
})

describe('unavailable, never fatal (MEM-117)', () => {
  test('other dimensions than configured', async () => {
    await expect(openEmbedder(settingsFor(tinyModel({ dimensions: 8 }).path))).rejects.toEqual(
      unavailable('the model has 8 dimensions, 384 are configured')
    )
  })

  test('another output', async () => {
    await expect(openEmbedder(settingsFor(tinyModel({ output: 'pooled' }).path))).rejects.toEqual(
      unavailable('no output last_hidden_state')
    )
  })

  test('bytes that are no model', async () => {
    const path = join(temporaryFolder(), 'noise.onnx')
    writeFileSync(path, Buffer.alloc(4096, 7))
    await expect(openEmbedder(settingsFor(path))).rejects.toEqual(unavailable(/./))
  })

  test.each([
    ['missing', () => undefined, /^no model at /],
    ['a folder', (path: string) => mkdirSync(path), /is not a regular file/],
    ['empty', (path: string) => writeFileSync(path, ''), /is empty/],
    ['HTML instead of a model', (path: string) => writeFileSync(path, '\n<!DOCTYPE html><p>Sign in'), /is a web page/],
    ['a Git LFS pointer', (path: string) => writeFileSync(path, 'version https://git-lfs.github.com/spec/v1'), /LFS/],
    [
      'more than 1 GiB',
      (path: string) => {
        writeFileSync(path, 'x')
        truncateSync(path, 1024 ** 3 + 1)
      },
      /has 1073741825 bytes, more than 1 GiB/
    ]
  ])('%s is found before anything is loaded', async (_name, make, message) => {
    const path = join(temporaryFolder(), 'model.onnx')
    make(path)
    await expect(openEmbedder(settingsFor(path))).rejects.toEqual(unavailable(message))
  })
})

describe('a worker that does not do its part (MEM-116)', () => {
  /** An embedder on a worker whose embeddings go as `outcomes` says, one after the other. */
  async function scripted(outcomes: readonly ('well' | 'badly')[]) {
    const troubles: string[] = []
    let asked = 0
    const worker: WorkerCalls<EmbedderAsk, EmbedderAnswer> = {
      async call(ask, timeoutMs) {
        if (ask.kind === 'load') return { sha256: 'b'.repeat(64), vector: null }
        asked += 1
        expect(timeoutMs).toBe(5000)
        if (outcomes[asked - 1] === 'badly') throw new WorkerTrouble('timed-out', 'no answer within 5000 ms')
        return { sha256: 'b'.repeat(64), vector: new Float32Array(384) }
      },
      close: async () => undefined
    }
    const embedder = await openEmbedder(settingsFor(tinyModel().path), {
      start: () => worker,
      onTrouble: ({ message }) => troubles.push(message)
    })
    const outcome = async () => ((await embedder.embed('x')) === null ? 'badly' : 'well')
    return { outcome, troubles, asked: () => asked }
  }

  test('three failures in a row switch the embedder off', async () => {
    const { outcome, troubles, asked } = await scripted(['badly', 'badly', 'badly', 'well'])
    for (let call = 0; call < 4; call += 1) expect(await outcome()).toBe('badly')
    expect(asked()).toBe(3)
    const text = 'embedder: no answer within 5000 ms'
    expect(troubles).toEqual([text, text, `${text}; switched off`])
  })

  test('a failure is of that call only, and a success starts the count anew', async () => {
    const script = ['badly', 'badly', 'well', 'badly', 'badly', 'well'] as const
    const { outcome } = await scripted(script)
    for (const expected of script) expect(await outcome()).toBe(expected)
  })
})

test('after close there are no vectors any more, and closing twice is harmless', async () => {
  const embedder = await open()
  await embedder.embed('x')
  await embedder.close()
  await embedder.close()
  expect(await embedder.embed('x')).toBeNull()
})
