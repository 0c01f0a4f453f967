import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Embedder } from '../../src/memory/ports.ts'
import { mergeRanks, searchMemory } from '../../src/memory/search.ts'
import { openMemoryStore } from '../../src/memory/store.ts'
import { openVectorSearch } from '../../src/memory/vector-search.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { topicEmbedder } from './memory-place.ts'
import { signedRecord, vector1 } from './support.ts'

const { repo } = vector1

/** A store whose checkpoints no embedder of this machine has seen, as after a first `fetch-embedder`. */
function place(embedder: Embedder = topicEmbedder()) {
  const store = openMemoryStore(join(temporaryFolder(), 'memory.db'))
  const vectors = openVectorSearch({ databasePath: store.path, embedder: embedder.tag })
  onTestFinished(async () => {
    await vectors.close()
    store.close()
  })
  const put = (summary: string, ts: bigint, where = repo) => {
    const record = signedRecord({ v: 2, repo: where, ts, summary })
    store.importAll([{ record, verified: true }], 0)
    return record
  }
  const titles = async (query: string, where: string | null = repo, semantic = true) =>
    (await searchMemory(query, where, store, semantic ? { embedder, vectors } : null)).map(({ title }) => title)
  return { store, put, titles }
}

test('two rankings become one: in both beats first in one', () => {
  expect(
    mergeRanks([
      ['a', 'b', 'c'],
      ['d', 'b']
    ])
  ).toEqual(['b', 'a', 'd', 'c'])
  expect(mergeRanks([[], ['x', 'y']])).toEqual(['x', 'y'])
})

test('by meaning and by words, merged; what came without a vector of ours gets one first (MEM-115)', async () => {
  const { store, put, titles } = place()
  put('database and screen', 1n)
  const auth = put('auth auth', 2n)
  put('the word login alone', 3n)
  put('auth elsewhere', 4n, '/other')
  expect((await titles('auth login'))[0]).toBe('auth auth')
  expect(await titles('auth login')).toContain('the word login alone')
  expect(await titles('auth login')).not.toContain('auth elsewhere')
  expect((await titles('auth', null)).slice(0, 2).sort()).toEqual(['auth auth', 'auth elsewhere'])
  expect(store.vectors.get(auth.hash, topicEmbedder().tag)).not.toBeNull()
})

test('without an embedder, and with one that fails, by words alone', async () => {
  const { put, titles } = place({ ...topicEmbedder(), embed: async () => null })
  put('auth auth', 1n)
  put('database', 2n)
  expect(await titles('auth', repo, false)).toEqual(['auth auth'])
  expect(await titles('auth')).toEqual(['auth auth'])
})

test('the beginning of a hash finds it in every repository, best ten at most', async () => {
  const { put, titles } = place()
  const other = put('elsewhere', 1n, '/other')
  for (let n = 0; n < 12; n++) put(`auth ${n}`, BigInt(n + 2))
  expect(await titles(other.hash.slice(0, 6))).toEqual(['elsewhere'])
  expect(await titles(other.hash)).toEqual(['elsewhere'])
  expect(await titles('auth')).toHaveLength(10)
})
