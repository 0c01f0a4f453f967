import { readFile, stat, writeFile } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { CommandContext } from '../../src/agent/session/index.ts'
import { exportCommand } from '../../src/app/export.ts'
import type { HistoryEntry } from '../../src/protocol/entry.ts'
import { entryId, stepId } from '../../src/protocol/ids.ts'
import { makePlace } from '../support/place.ts'

const reply = { kind: 'assistant', turn: 1, step: stepId('s'), model: 'm25', family: 'minimax', toolCalls: [] } as const

const history: readonly HistoryEntry[] = [
  { kind: 'user', id: entryId('u'), turn: 1, text: 'list it' },
  { ...reply, id: entryId('a'), text: 'gone', reasoning: '', status: 'superseded' },
  { ...reply, id: entryId('b'), text: '', reasoning: 'First\nlook.', status: 'done' },
  {
    kind: 'tool',
    id: entryId('t'),
    turn: 1,
    message: entryId('b'),
    call: { id: 'c', name: 'bash', arguments: '{"command":"cat README.md"}' },
    text: '```sh\nnpm ci\n```\n',
    status: 'done',
    durationMs: 7,
    meta: {}
  },
  { ...reply, id: entryId('d'), text: 'There it', reasoning: '', status: 'partial' }
]

async function open(entries = history) {
  const place = await makePlace()
  onTestFinished(place.remove)
  const command = exportCommand({
    workdir: place.project,
    home: place.home,
    unnamed: place.at('.ghyll-s1.md'),
    entries: () => entries
  })
  const run = async (args: string) => (await command.run(args, {} as CommandContext))[0]
  return { place, run, command }
}

test('/export writes the conversation as Markdown, fences around fences, without what was superseded (TERM-23)', async () => {
  const { place, run, command } = await open()
  expect(command.when).toBe('always')
  expect(await run('')).toMatchObject({ level: 'success', text: `transcript written to ${place.at('.ghyll-s1.md')}` })
  expect(await place.read('.ghyll-s1.md')).toBe(
    [
      '## You\n\nlist it',
      '## m25\n\n> First\n> look.',
      '### bash: done, 7 ms',
      '```\n{"command":"cat README.md"}\n```',
      '````\n```sh\nnpm ci\n```\n````',
      '## m25 (incomplete)\n\nThere it\n'
    ].join('\n\n')
  )
  expect((await stat(place.at('.ghyll-s1.md'))).mode & 0o777).toBe(0o600)
  expect(await run('')).toMatchObject({ level: 'success' })
})

test('a name that ends in .json gives the entries as they are; ~ is the home', async () => {
  const { place, run } = await open()
  expect(await run('~/all.json')).toMatchObject({ level: 'success' })
  expect(JSON.parse(await readFile(`${place.home}/all.json`, 'utf8'))).toEqual(history)
})

test('nothing is replaced and no success claimed that was none', async () => {
  const { place, run } = await open()
  await writeFile(place.at('mine.md'), 'mine')
  expect(await run('mine.md')).toMatchObject({ level: 'error', text: expect.stringContaining('exists already') })
  expect(await place.read('mine.md')).toBe('mine')
  expect(await run('no/such/folder.md')).toMatchObject({ level: 'error', text: expect.stringContaining('ENOENT') })
  expect(await (await open([])).run('')).toMatchObject({ level: 'info', text: 'nothing to export yet' })
})
