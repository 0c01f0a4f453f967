import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { answerRequest, type RequestSources } from '../../../src/app/requests/answer.ts'
import type { HistoryEntry } from '../../../src/protocol/entry.ts'
import { entryId, requestId } from '../../../src/protocol/ids.ts'
import { gone } from '../../support/processes.ts'
import { temporaryFolder } from '../../support/temporary.ts'

const request = requestId('r1')
const said = (at: number): HistoryEntry => ({ kind: 'user', id: entryId(`u${at}`), turn: at, text: `word ${at}` })

/** Sources whose pager keeps what it is shown in `shown`. */
function sources(changes: Partial<RequestSources> = {}) {
  const folder = temporaryFolder()
  const shown = join(folder, 'shown')
  const logged: string[] = []
  const unasked = () => {
    throw new Error('not asked for here')
  }
  const made: RequestSources = {
    env: { PATH: process.env.PATH, PAGER: `cp -f -- "$1" '${shown}' && true` },
    signal: new AbortController().signal,
    prompts: { load: unasked, remember: unasked, saveDraft: unasked },
    paths: { find: unasked },
    older: () => ({ entries: [], complete: true }),
    keepCopy: async (text) => {
      await writeFile(join(folder, 'copy'), text)
      return join(folder, 'copy')
    },
    log: (text) => logged.push(text),
    ...changes
  }
  return { made, logged, read: () => readFile(shown, 'utf8') }
}

test('the pager gets the whole transcript: what the screen has let go of comes from the store (TERM-15, TERM-24)', async () => {
  const asked: string[] = []
  const { made, read } = sources({
    older(entry) {
      asked.push(entry)
      return { entries: [said(1), said(2)], complete: true }
    }
  })
  const answer = await answerRequest({ kind: 'open-pager', request, text: 'you: word 3\n', before: 'u3' }, made)
  expect(answer).toEqual({ kind: 'pager-closed', request, error: null })
  expect(asked).toEqual(['u3'])
  expect(await read()).toBe('you: word 1\n\nyou: word 2\n\nyou: word 3\n')
})

test('what the screen holds whole is shown as it is', async () => {
  const { made, read } = sources()
  await answerRequest({ kind: 'open-pager', request, text: 'all of it\n', before: null }, made)
  expect(await read()).toBe('all of it\n')
})

test('a request that goes wrong is answered and logged: whoever waits for it goes on', async () => {
  const { made, logged } = sources()
  expect(await answerRequest({ kind: 'complete-path', request, prefix: 'a' }, made)).toEqual({
    kind: 'paths-found',
    request,
    paths: []
  })
  expect(logged).toEqual(['complete-path: not asked for here'])
})

test.each([
  ['one that obeys', ''],
  ['one that ignores the polite signal', 'trap "" TERM; ']
])('the end of ghyll ends the pager with what it runs, %s (TERM-5)', async (_, trap) => {
  const ending = new AbortController()
  const folder = temporaryFolder()
  const PAGER = `sh -c '${trap}echo $$ > "${folder}/pid"; while :; do sleep 0.1; done'`
  const { made } = sources({ env: { PATH: process.env.PATH, PAGER }, signal: ending.signal })
  const asked = answerRequest({ kind: 'open-pager', request, text: '', before: null }, made)
  await expect.poll(() => readFile(join(folder, 'pid'), 'utf8').catch(() => '')).toMatch(/\d\n/)
  ending.abort()
  expect(await asked).toMatchObject({ kind: 'pager-closed', error: expect.stringMatching(/ended with/) })
  await gone(Number(await readFile(join(folder, 'pid'), 'utf8')))
})

test('no editor is started once ghyll is ending: the draft is kept (TERM-47)', async () => {
  const { made } = sources({ env: { EDITOR: 'false' }, signal: AbortSignal.abort() })
  expect(await answerRequest({ kind: 'open-editor', request, text: 'a draft' }, made)).toMatchObject({
    kind: 'editor-closed',
    text: null,
    error: 'false: ghyll is ending'
  })
})
