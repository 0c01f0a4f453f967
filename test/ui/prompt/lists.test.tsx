import { stripVTControlCharacters } from 'node:util'
import { renderToString } from 'ink'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import type { InboxRow } from '../../../src/protocol/event.ts'
import { CompletionList, PendingChips } from '../../../ui/prompt/lists.tsx'
import { createTheme, ThemeContext } from '../../../ui/theme/index.ts'

const chip = (seq: number, text: string): InboxRow => ({
  seq,
  kind: 'input',
  delivery: 'queue',
  origin: 'operator',
  text
})

function shown(pending: readonly InboxRow[], width: number): string[] {
  return drawn(<PendingChips pending={pending} isHeld={false} width={width} />)
}

function drawn(element: ReactNode): string[] {
  const text = renderToString(
    <ThemeContext value={createTheme({ colour: false, ascii: false })}>{element}</ThemeContext>
  )
  return stripVTControlCharacters(text).split('\n')
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

test('in the completion list every name keeps its distance from what is said about it (TERM-42)', () => {
  const items = ['short', 'longer than its column'].map((label) => ({ label, detail: 'not started', insert: label }))
  const target = { kind: 'id', prefix: '', from: 0, to: 0 } as const
  const completion = { target, items, selected: 0, isChosen: false, request: null }
  expect(drawn(<CompletionList completion={completion} height={2} width={30} />)).toEqual([
    ' ▸ short          not started',
    '   longer than its column  no…'
  ])
})

test('the list says how many are below the last it shows (TERM-42)', () => {
  const items = Array.from({ length: 9 }, (_, at) => ({ label: `/c${at}`, detail: 'what it does', insert: '' }))
  const target = { kind: 'command', prefix: '', from: 0, to: 0 } as const
  const listed = (selected: number) => {
    const completion = { target, items, selected, isChosen: true, request: null }
    return drawn(<CompletionList completion={completion} height={2} width={30} />)
  }
  expect(listed(0)).toEqual([' ▸ /c0  what it does', '   /c1  what it does  … 7 more'])
  expect(listed(8)).toEqual(['   /c7  what it does', ' ▸ /c8  what it does'])
})
