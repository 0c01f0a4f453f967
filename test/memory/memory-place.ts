import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { systemClock } from '../../src/lib/clock.ts'
import { type Memory, type MemoryOptions, openMemory } from '../../src/memory/memory.ts'
import type { Embedder } from '../../src/memory/ports.ts'
import type { CheckpointDraft } from '../../src/protocol/checkpoint.ts'
import { sessionId } from '../../src/protocol/ids.ts'

/** What is about the same things is close: each word of the list is one direction, everything else a small common one. */
const topics = ['auth', 'database', 'screen', 'deploy']

export function topicEmbedder(): Embedder & { readonly asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    tag: 'topics:test',
    dimensions: topics.length + 1,
    async embed(text) {
      asked.push(text)
      const counts = topics.map((topic) => text.toLowerCase().split(topic).length - 1)
      const vector = [...counts, 0.1]
      const norm = Math.hypot(...vector)
      return Float32Array.from(vector, (value) => value / norm)
    },
    close: async () => undefined
  }
}

/** A memory outside of git in a folder of its own, with everything it tells. */
export async function openPlace(
  options: Partial<MemoryOptions> & { embedder?: Embedder | null; folder?: string } = {}
) {
  const folder = options.folder ?? realpathSync(mkdtempSync(join(tmpdir(), 'ghyll-place-')))
  const root = join(folder, 'project')
  mkdirSync(root, { recursive: true })
  const told: string[] = []
  const logged: string[] = []
  const marks: string[] = []
  const { embedder = topicEmbedder() } = options
  const memory: Memory = await openMemory({
    device: 'laptop',
    author: 'ann',
    root,
    isRepository: false,
    branch: () => 'main',
    databasePath: join(folder, 'home', 'memory.db'),
    keysFolder: join(folder, 'home', 'keys'),
    config: memoryConfig,
    vault: null,
    env: { PATH: process.env.PATH ?? '' },
    clock: systemClock(),
    clean: (text) => text,
    tell: (level, text) => void told.push(`${level}: ${text}`),
    mark: (name, text) => void marks.push(`${name}=${text}`),
    log: (line) => void logged.push(line),
    ...(embedder === null ? {} : { openEmbedder: async () => embedder }),
    ...options
  })
  let closed = false
  const close = async () => {
    if (!closed) await memory.close()
    closed = true
  }
  onTestFinished(async () => {
    await close()
    rmSync(folder, { recursive: true, force: true })
  })
  return { folder, root, memory, told, logged, marks, close }
}

export const memoryConfig: MemoryOptions['config'] = {
  branch: 'ghyll/memory',
  autoSync: true,
  syncIntervalSeconds: 60,
  checkpointIntervalTurns: 5,
  driftCheckIntervalTurns: 5,
  driftThreshold: 0.7,
  embedder: {
    modelUrl: 'https://example.com/model.onnx',
    modelSha256: null,
    modelPath: '/nowhere/gte-small.onnx',
    dimensions: 5,
    tokenizer: 'wordpiece'
  }
}

export function draft(fields: Partial<CheckpointDraft> = {}): CheckpointDraft {
  return {
    session: sessionId('laptop-1'),
    turn: 5,
    model: 'm25',
    planMode: false,
    summary: 'turns 1-5\nFixed the auth race',
    files: ['src/auth.ts'],
    tools: ['bash'],
    injections: [],
    resumedFrom: null,
    ...fields
  }
}
