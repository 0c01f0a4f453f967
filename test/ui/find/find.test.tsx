import { afterEach, describe, expect, test } from 'vitest'
import { cellWidth } from '../../../src/lib/width.ts'
import { findLine } from '../../../ui/find/find.ts'
import { lineText } from '../../../ui/parts/lines.ts'
import { ctrl, keys, paste } from '../../support/keys.ts'
import { openScreen, replied, type ScreenHarness } from '../../support/screen-harness.ts'

let harness: ScreenHarness | null = null
afterEach(async () => {
  await harness?.close()
  harness = null
})

async function open(columns = 80, rows = 24): Promise<ScreenHarness> {
  const screen = openScreen({ columns, rows })
  harness = screen
  const lines = Array.from({ length: 100 }, (_, index) => `- line ${index}${index % 10 === 0 ? ' with Tax in it' : ''}`)
  screen.emit({ kind: 'phase-changed', from: 'init', to: 'ready', reason: '' }, ...replied('a1', lines.join('\n')))
  await screen.until(() => screen.text().includes('line 99'))
  return screen
}

const last = (screen: ScreenHarness) => screen.lines().at(-1) ?? ''
const row = (screen: ScreenHarness, text: string) => screen.lines().findIndex((line) => line.includes(text))

describe('Ctrl+F searches the transcript (TERM-22)', () => {
  test('as it is typed the last match shows, marked, with the count; case does not matter', async () => {
    const screen = await open()
    screen.type(ctrl('f'))
    screen.type('tax')
    await screen.until(() => last(screen).startsWith(' find: tax  10 of 10'), 'the count')
    expect(screen.text()).toContain('line 90 with Tax')
    const at = row(screen, 'line 90 with Tax')
    const column = (screen.lines()[at] ?? '').indexOf('Tax')
    expect(screen.terminal.buffer.active.getLine(at)?.getCell(column)?.isInverse()).toBeTruthy()
    expect(screen.cursor()).toEqual({ column: ' find: tax'.length, row: 23 })
  })

  test('Enter keeps it, then n and N walk around the ends; Esc ends it and leaves the reader there', async () => {
    const screen = await open()
    screen.type(ctrl('f'))
    screen.type('tax')
    screen.type(keys.enter)
    screen.type('n')
    await screen.until(() => last(screen).startsWith(' find: tax  1 of 10'))
    expect(screen.text()).toContain('line 0 with Tax')
    screen.type('N')
    await screen.until(() => last(screen).startsWith(' find: tax  10 of 10'))
    screen.type('N')
    await screen.until(() => last(screen).startsWith(' find: tax  9 of 10'))
    screen.type(keys.escape)
    await screen.until(() => last(screen).includes('? help'))
    expect(screen.text()).toContain('line 80 with Tax')
    const at = row(screen, 'line 80 with Tax')
    const column = (screen.lines()[at] ?? '').indexOf('Tax')
    expect(screen.terminal.buffer.active.getLine(at)?.getCell(column)?.isInverse()).toBeFalsy()
    expect(screen.commands.some(({ kind }) => kind === 'interrupt')).toBe(false)
  })

  test('the draft is untouched, and a key that means nothing in a kept search ends it and goes to the draft', async () => {
    const screen = await open()
    screen.type('draft')
    screen.type(ctrl('f'))
    screen.type('tax')
    screen.type(keys.enter)
    await screen.until(() => last(screen).includes('n next'))
    expect(screen.text()).toContain('▸ draft')
    screen.type('x')
    await screen.until(() => screen.text().includes('▸ draftx'))
    expect(last(screen)).not.toContain('find:')
  })

  test('a paste goes into the query on one line; what is nowhere says so; an empty search ends with Enter', async () => {
    const screen = await open()
    screen.type(ctrl('f'))
    screen.type(paste('no such\nthing'))
    await screen.until(() => last(screen).startsWith(' find: no such thing  no match'))
    screen.type(ctrl('u'))
    screen.type(keys.enter)
    await screen.until(() => last(screen).includes('? help'))
  })

  test('the page keys still scroll while it is typed', async () => {
    const screen = await open()
    screen.type(ctrl('f'))
    screen.type(keys.pageUp)
    await screen.until(() => !screen.text().includes('line 99'))
    expect(last(screen)).toContain('find:')
  })
})

test.each([120, 80, 50, 20, 3, 1])('at %i columns the line fits, with the end of a long query', (width) => {
  const { line, caret } = findLine({ query: `${'x'.repeat(300)}日本`, isTyping: true }, null, width)
  expect(cellWidth(lineText(line))).toBeLessThanOrEqual(width)
  expect(caret).toBeLessThan(width)
  if (width >= 50) expect(lineText(line)).toContain('日本')
})

test('the count says when there is more on disk than was searched (TERM-15, TERM-22)', () => {
  const counted = (current: number, total: number) =>
    lineText(findLine({ query: 'cart', isTyping: true }, { query: 'cart', current, total, isPartial: true }, 80).line)
  expect(counted(2, 3)).toContain('find: cart  2 of 3+  ')
  expect(counted(0, 0)).toContain('find: cart  no match yet  ')
})
