import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Checkpoint } from '../../src/memory/record.ts'
import { openMemoryStore } from '../../src/memory/store.ts'
import { openVectorSearch } from '../../src/memory/vector-search.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { signedRecord, vector1 } from './support.ts'

const repo = vector1.repo
const east = Float32Array.of(1, 0, 0)

function opened(embedder: string | null) {
  const databasePath = join(temporaryFolder(), 'memory.db')
  const store = openMemoryStore(databasePath)
  const search = openVectorSearch({ databasePath, embedder })
  onTestFinished(async () => {
    await search.close()
    store.close()
  })
  const append = (summary: string, emb: readonly number[] | null, fields: Partial<Checkpoint> = {}) =>
    store.append({ device: 'dev-1', repo }, 1n, ({ parent, ts }) =>
      signedRecord({ summary, emb: emb === null ? null : Float32Array.from(emb), parent, ts, ...fields })
    ).hash
  const found = async (limit = 10, query = east, where = repo) =>
    (await search.search(where, query, limit)).map(({ hash }) => store.get(hash)!.summary)
  return { databasePath, store, search, append, found }
}

test('the vectors that came with the checkpoints, of this repository and this size only (MEM-047)', async () => {
  const { append, found, search } = opened(null)
  append('far', [0, 1, 0])
  append('near', [1, 0.1, 0])
  append('none', null)
  append('short', [1, 0])
  append('elsewhere', [1, 0, 0], { repo: 'elsewhere' })
  expect(await found()).toEqual(['near', 'far'])
  expect(await found(1)).toEqual(['near'])
  expect(await found(10, Float32Array.of(1, 0))).toEqual(['short'])
  expect(await found(10, east, 'elsewhere')).toEqual(['elsewhere'])
  expect(await search.search('nowhere', east, 10)).toEqual([])
})

test('what is stored after a search is in the next one, whoever stored it', async () => {
  const { append, found, databasePath } = opened(null)
  append('one', [0, 1, 0])
  expect(await found()).toEqual(['one'])
  const other = openMemoryStore(databasePath)
  other.importAll([{ record: signedRecord({ summary: 'imported', emb: east, device: 'dev-2' }), verified: true }], 0)
  other.close()
  expect(await found()).toEqual(['imported', 'one'])
  append('two', [1, 0.01, 0])
  expect(await found()).toEqual(['imported', 'two', 'one'])
})

test('with an embedder its own vectors count, and no others (MEM-114, MEM-115)', async () => {
  const { append, found, store } = opened('abc:wordpiece')
  const [one, two] = [append('one', [1, 0, 0]), append('two', [0, 1, 0])]
  expect(await found()).toEqual([])
  store.vectors.put(one, 'abc:wordpiece', Float32Array.of(0, 1, 0))
  store.vectors.put(two, 'abc:hash', east)
  expect(await found()).toEqual(['one'])
  store.vectors.put(two, 'abc:wordpiece', east)
  expect(await found()).toEqual(['two', 'one'])
})

test('a ninth repository takes the place of the one unused for longest, and all are still found', async () => {
  const { append, found } = opened(null)
  const repos = Array.from({ length: 10 }, (_, n) => `repo-${n}`)
  for (const name of repos) append(name, [1, 0, 0], { repo: name })
  for (const name of [...repos, ...repos]) expect(await found(10, east, name)).toEqual([name])
})

test('a file that is no database is a failure with its path', async () => {
  const databasePath = join(temporaryFolder(), 'memory.db')
  writeFileSync(databasePath, 'no database at all, but long enough to be looked at')
  const search = openVectorSearch({ databasePath, embedder: null })
  onTestFinished(() => search.close())
  await expect(search.search(repo, east, 1)).rejects.toMatchObject({
    code: 'store-unavailable',
    facts: { path: databasePath, operation: 'search' }
  })
})
