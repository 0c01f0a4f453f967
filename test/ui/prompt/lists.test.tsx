import { stripVTControlCharacters } from 'node:util'
import { renderToString } from 'ink'
import { expect, test } from 'vitest'
import type { InboxRow } from '../../../src/protocol/event.ts'
import { PendingChips } from '../../../ui/prompt/lists.tsx'
import { createTheme, ThemeContext } from '../../../ui/theme/index.ts'

const chip = (seq: number, text: string): InboxRow => ({
  seq,
  kind: 'input',
  delivery: 'queue',
  origin: 'operator',
  text
})

function shown(pending: readonly InboxRow[], width: number): string[] {
  const drawn = renderToString(
    <ThemeContext value={createTheme({ colour: false, ascii: false })}>
      <PendingChips pending={pending} isHeld={false} width={width} />
    </ThemeContext>
  )
  return stripVTControlCharacters(drawn).split('\n')
}

test('of many chips the newest are shown, for ↑ takes the last of them (TERM-46)', () => {
  const many = Array.from({ length: 6 }, (_, index) => chip(index, `message ${index + 1}`))
  expect(shown(many, 60)).toEqual([
    ' ▸ queue: message 4  (3 before it)',
    ' ▸ queue: message 5',
    ' ▸ queue: message 6  ↑ edits'
  ])
  expect(shown(many.slice(0, 1), 60)).toEqual([' ▸ queue: message 1  ↑ edits'])
})

test('in a narrow window the words stay and the key goes (TERM-3)', () => {
  expect(shown([chip(1, 'then the tests')], 20)).toEqual([' ▸ queue: then the …'])
})
