import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openPromptStore } from '../../../src/app/requests/prompt-store.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ghyll-test-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('prompts and the draft come back in the next process, private to the operator (TERM-41)', async () => {
  const store = openPromptStore(join(folder, 'state'))
  await store.remember('first\nwith two lines')
  await store.remember('second')
  await store.saveDraft('half a thought')
  const again = openPromptStore(join(folder, 'state'))
  expect(await again.load()).toEqual({ prompts: ['first\nwith two lines', 'second'], draft: 'half a thought' })
  for (const name of ['history', 'draft']) {
    expect((await stat(join(folder, 'state', name))).mode & 0o777).toBe(0o600)
  }
})

test('the same prompt twice in a row is remembered once', async () => {
  const store = openPromptStore(folder)
  for (const text of ['a', 'a', 'b', 'a']) await store.remember(text)
  expect((await store.load()).prompts).toEqual(['a', 'b', 'a'])
})

test('the last 1,000 prompts are kept (TERM-41)', async () => {
  await writeFile(
    join(folder, 'history'),
    Array.from({ length: 1000 }, (_, n) => `${JSON.stringify(`p${n}`)}\n`).join('')
  )
  const store = openPromptStore(folder)
  await store.remember('newest')
  const lines = (await readFile(join(folder, 'history'), 'utf8')).trimEnd().split('\n')
  expect(lines).toHaveLength(1000)
  expect(lines[0]).toBe('"p1"')
  expect(lines.at(-1)).toBe('"newest"')
})

test('pasted files push out older prompts instead of making the file grow without end; the newest stays', async () => {
  const store = openPromptStore(folder)
  const pasted = (letter: string) => letter.repeat(1_500_000)
  for (const text of ['old', pasted('a'), pasted('b'), 'short', pasted('c')]) await store.remember(text)
  expect((await store.load()).prompts).toEqual([pasted('b'), 'short', pasted('c')])
  await store.remember('x'.repeat(5_000_000))
  expect((await openPromptStore(folder).load()).prompts.map(({ length }) => length)).toEqual([5_000_000])
})

test('a torn line costs that line alone', async () => {
  await writeFile(join(folder, 'history'), '"whole"\n{"foreign":1}\n"torn')
  expect(await openPromptStore(folder).load()).toEqual({ prompts: ['whole'], draft: '' })
})

test('drafts saved in a hurry end with the last one', async () => {
  const store = openPromptStore(folder)
  await Promise.all(['h', 'he', 'hel', 'hell', 'hello'].map((text) => store.saveDraft(text)))
  expect((await store.load()).draft).toBe('hello')
})
