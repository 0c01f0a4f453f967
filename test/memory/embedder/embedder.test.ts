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

function open(options: { model?: TinyModelOptions; settings?: Partial<ModelSettings> } = {}) {
  const path = join(temporaryFolder(), 'tiny.onnx')
  writeTinyModel(path, options.model)
  const embedder = openEmbedder(settingsFor(path, options.settings))
  onTestFinished(() => embedder.close())
  return { embedder, path, sha256: createHash('sha256').update(readFileSync(path)).digest('hex') }
}

const unavailable = (message: string | RegExp) =>
  expect.objectContaining({ code: 'embedder-unavailable', message: expect.stringMatching(message) })

test('a text is embedded by a real model in the worker, pooled and normalised (MEM-110, MEM-111, MEM-116)', async () => {
  const { embedder } = open()
  const vector = await embedder.embed('hello world')
  const table = tinyTable(64, 384)
  const rows = [101, 7592, 2088, 102].flatMap((id) => [...table.subarray((id % 64) * 384, (id % 64) * 384 + 384)])
  const expected = pool(Float32Array.from(rows), [1, 1, 1, 1], 384)
  expect(vector).toHaveLength(384)
  expect(Math.hypot(...vector)).toBeCloseTo(1, 6)
  vector.forEach((value, at) => {
    expect(value).toBeCloseTo(expected[at]!, 6)
  })
})

test('the tag names the model and the tokeniser (MEM-114)', async () => {
  const { embedder, sha256 } = open({ settings: { tokenizer: 'hash' } })
  expect(await embedder.tag()).toBe(`${sha256.slice(0, 12)}:hash`)
})

test('calls made at once are answered each with its own vector (MEM-116)', async () => {
  const { embedder } = open()
  const [one, two, again] = await Promise.all(['alpha beta', 'gamma', 'alpha beta'].map(embedder.embed))
  expect(one).toEqual(again)
  expect(one).not.toEqual(two)
})

test('a text beyond 512 tokens is cut, not refused (MEM-112)', async () => {
  const { embedder } = open()
  expect(await embedder.embed('hello '.repeat(20_000))).toHaveLength(384)
})

test('the configured digest decides whether the file is loaded', async () => {
  const wrong = open({ settings: { modelSha256: 'a'.repeat(64) } })
  await expect(wrong.embedder.embed('x')).rejects.toEqual(
    unavailable(`model_sha256 mismatch: expected ${'a'.repeat(64)}, got ${wrong.sha256}; not loaded`)
  )
  const path = join(temporaryFolder(), 'right.onnx')
  writeTinyModel(path)
  const right = openEmbedder(settingsFor(path, { modelSha256: wrong.sha256 }))
  onTestFinished(() => right.close())
  expect(await right.embed('x')).toHaveLength(384)
})

describe('unavailable, never fatal (MEM-117)', () => {
  test('other dimensions than configured', async () => {
    const { embedder } = open({ model: { dimensions: 8 } })
    await expect(embedder.tag()).rejects.toEqual(unavailable('the model has 8 dimensions, 384 are configured'))
    await expect(embedder.embed('x')).rejects.toEqual(unavailable('8 dimensions'))
  })

  test('another output', async () => {
    const { embedder } = open({ model: { output: 'pooled' } })
    await expect(embedder.embed('x')).rejects.toEqual(unavailable('no output last_hidden_state'))
  })

  test('bytes that are no model', async () => {
    const path = join(temporaryFolder(), 'noise.onnx')
    writeFileSync(path, Buffer.alloc(4096, 7))
    const embedder = openEmbedder(settingsFor(path))
    onTestFinished(() => embedder.close())
    await expect(embedder.embed('x')).rejects.toEqual(unavailable(/./))
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
  ])('%s is found before anything is loaded', (_name, make, message) => {
    const path = join(temporaryFolder(), 'model.onnx')
    make(path)
    expect(() => openEmbedder(settingsFor(path))).toThrow(unavailable(message))
  })
})

describe('a worker that does not do its part (MEM-116)', () => {
  /** An embedder on a worker whose embeddings go as `outcomes` says, one after the other. */
  function scripted(outcomes: readonly ('well' | 'badly')[]) {
    const path = join(temporaryFolder(), 'tiny.onnx')
    writeTinyModel(path)
    const asked: string[] = []
    const worker: WorkerCalls<EmbedderAsk, EmbedderAnswer> = {
      async call(ask, timeoutMs) {
        if (ask.kind === 'load') return { sha256: 'b'.repeat(64), vector: null }
        asked.push(ask.text)
        expect(timeoutMs).toBe(5000)
        if (outcomes[asked.length - 1] === 'badly') throw new WorkerTrouble('timed-out', 'no answer within 5000 ms')
        return { sha256: 'b'.repeat(64), vector: new Float32Array(384) }
      },
      close: async () => undefined
    }
    return { embedder: openEmbedder(settingsFor(path), undefined, () => worker), asked }
  }

  test('three failures in a row switch the embedder off', async () => {
    const { embedder, asked } = scripted(['badly', 'badly', 'badly', 'well'])
    for (let call = 0; call < 3; call += 1)
      await expect(embedder.embed('x')).rejects.toEqual(unavailable('no answer within 5000 ms'))
    await expect(embedder.embed('x')).rejects.toEqual(unavailable('switched off'))
    expect(asked).toHaveLength(3)
  })

  test('a failure is of that call only, and a success starts the count anew', async () => {
    const { embedder } = scripted(['badly', 'badly', 'well', 'badly', 'badly', 'well'])
    const outcomes = []
    for (let call = 0; call < 6; call += 1)
      outcomes.push(
        await embedder.embed('x').then(
          () => 'well',
          () => 'badly'
        )
      )
    expect(outcomes).toEqual(['badly', 'badly', 'well', 'badly', 'badly', 'well'])
  })
})

test('after close every call is refused, and closing twice is harmless', async () => {
  const { embedder } = open()
  await embedder.embed('x')
  await embedder.close()
  await embedder.close()
  await expect(embedder.embed('x')).rejects.toEqual(unavailable('has ended'))
})
