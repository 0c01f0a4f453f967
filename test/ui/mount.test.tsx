import { afterEach, describe, expect, test } from 'vitest'
import { cellWidth } from '../../src/lib/width.ts'
import { entryId } from '../../src/protocol/ids.ts'
import { ctrl, keys, paste, wheel } from '../support/keys.ts'
import { openScreen, replied, type ScreenHarness, type ScriptedEvent } from '../support/screen-harness.ts'

let harness: ScreenHarness | null = null

function open(options?: Parameters<typeof openScreen>[0]): ScreenHarness {
  harness = openScreen(options)
  return harness
}

afterEach(async () => {
  await harness?.close()
  harness = null
})

const sizes = [
  [120, 40],
  [80, 24],
  [50, 15],
  [20, 10],
  [2, 1]
] as const

const busy: ScriptedEvent = { kind: 'phase-changed', from: 'ready', to: 'turn', reason: 'input' }
const ready: ScriptedEvent = { kind: 'phase-changed', from: 'turn', to: 'ready', reason: 'done' }

describe('frames (TERM-1…3)', () => {
  test.each(sizes)('at %i×%i the frame fits and says what it must', async (columns, rows) => {
    const screen = open({ columns, rows })
    screen.emit(ready, ...replied('a1', 'The total **includes** tax now.'))
    const isUsable = columns >= 20
    await screen.until(() => (isUsable ? screen.text().includes('includes') : screen.text().trim() !== ''))
    expect(screen.terminal.buffer.active.baseY).toBe(0)
    for (const line of screen.lines()) expect(cellWidth(line)).toBeLessThanOrEqual(columns)
    if (!isUsable) return
    expect(screen.lines()[0]).toMatch(columns < 30 ? /^ m25 fast/ : /^ ghyll/)
    expect(screen.text()).toContain('▸')
    expect(screen.lines().at(-1)).toMatch(/\? help$/)
  })

  test('the header at 120 columns', async () => {
    const screen = open({ columns: 120, rows: 40 })
    screen.emit({
      kind: 'header-changed',
      header: { gridVersion: 1, residue: 12, unevaluated: 5, opId: 'alice@example.com' }
    })
    await screen.until(() => screen.text().includes('alice'))
    expect(screen.lines()[0]).toBe(' ghyll  m25 fast · ~/repos/shop (main) · grid v1  R 12  C 5 · alice@example.com')
    expect(screen.lines()[1]).toMatch(/^╭ transcript ─+╮$/)
    expect(screen.lines().at(-2)?.trimEnd()).toBe(' ghyll [m25] ~/repos/shop ▸')
  })

  test('60→120→60 gives the text it began with (TERM-4)', async () => {
    const screen = open({ columns: 60, rows: 20 })
    screen.emit(ready, ...replied('a1', 'word '.repeat(60)))
    await screen.until(() => screen.text().includes('word'))
    const before = screen.text()
    screen.resize(120, 20)
    await screen.until(() => screen.text().includes('╭ transcript'))
    screen.resize(60, 20)
    await screen.until(() => screen.text() === before)
  })

  test('nothing throws from 0×0 up, and the screen comes back (TERM-1)', async () => {
    const screen = open({ columns: 40, rows: 10 })
    for (const [columns, rows] of [
      [0, 0],
      [1, 1],
      [10, 5],
      [20, 10],
      [300, 3],
      [3, 100]
    ] as const) {
      screen.resize(columns, rows)
      await new Promise((resolve) => setImmediate(resolve))
    }
    screen.resize(40, 10)
    await screen.until(() => screen.text().includes('▸') && (screen.lines().at(-1) ?? '').includes('help'))
    expect(screen.commands.some((command) => command.kind === 'report-screen-error')).toBe(false)
  })

  test('what a killed program left on the alternate screen is gone with the first frame', async () => {
    const screen = open()
    await screen.until(() => screen.text().includes('▸'))
    const [, entered = ''] = screen.written().split('\x1b[?1049h')
    expect(entered.indexOf('\x1b[H\x1b[J')).toBeGreaterThan(-1)
    expect(entered.indexOf('\x1b[H\x1b[J')).toBeLessThan(entered.indexOf('ghyll'))
  })

  test('no full clear while text streams (TERM-10)', async () => {
    const screen = open()
    screen.emit(busy, replied('a1', '')[0] as ScriptedEvent)
    for (let index = 0; index < 30; index++) {
      screen.emit({ kind: 'reply-delta', entry: entryId('a1'), channel: 'text', text: `line ${index}\n\n` })
    }
    await screen.until(() => screen.text().includes('line 29'))
    expect(screen.modes.clears()).toEqual({ screen: 0, scrollback: 0 })
  })
})

describe('the terminal is given back as it was found (TERM-5)', () => {
  test.each<[string, (screen: ScreenHarness) => void, string]>([
    ['unmount', (screen) => screen.screen.unmount(), 'ended'],
    ['the end of the session', (screen) => screen.emit({ kind: 'ended', lines: [], exitCode: 0 }), 'ended'],
    ['the end of the input', (screen) => screen.hangUp(), 'stdin-closed']
  ])('after %s', async (_, leave, reason) => {
    const screen = open()
    await screen.until(() => screen.text().includes('▸'))
    await screen.until(() => screen.modes.left().includes('modified keys'))
    expect(screen.modes.left()).toEqual([
      'alternate buffer',
      'bracketed paste',
      'focus reports',
      'modified keys',
      'mouse clicks',
      'mouse sgr'
    ])
    expect(screen.raw.isOn).toBe(true)
    leave(screen)
    expect((await screen.screen.exited).reason).toBe(reason)
    await screen.until(() => screen.modes.left().length === 0)
    expect(screen.raw.isOn).toBe(false)
    expect(screen.written().lastIndexOf('\x1b[?1049l')).toBeGreaterThan(screen.written().lastIndexOf('\x1b[?2004l'))
  })

  test.each(['uncaughtException', 'unhandledRejection'] as const)(
    'after an %s, which is handed to the caller',
    async (name) => {
      const before = process.listeners(name as 'uncaughtException')
      const screen = open()
      await screen.until(() => screen.text().includes('▸'))
      const added = process.listeners(name as 'uncaughtException').filter((listener) => !before.includes(listener))
      const error = new Error('boom')
      for (const listener of added) listener(error, name)
      expect(await screen.screen.exited).toEqual({ reason: 'crashed', error })
      await screen.until(() => screen.modes.left().length === 0)
      expect(screen.raw.isOn).toBe(false)
      expect(process.listeners(name as 'uncaughtException')).toEqual(before)
    }
  )

  test('a terminal that answers nothing works, and is not waited for (TERM-17)', async () => {
    const screen = open({ answers: false })
    await screen.until(() => screen.text().includes('▸'))
    screen.type('x')
    await screen.until(() => screen.text().includes('▸ x'))
    screen.screen.unmount()
    await screen.screen.exited
    expect(screen.raw.isOn).toBe(false)
  })

  test('while stopped by Ctrl+Z the modes are off; afterwards all is back (TERM-5)', async () => {
    let left: readonly string[] | null = null
    let isRaw = true
    const screen = open({
      stop: () => {
        isRaw = screen.raw.isOn
        left = screen.modes.left()
      }
    })
    await screen.until(() => screen.text().includes('▸'))
    screen.type('draft')
    await screen.until(() => screen.text().includes('▸ draft'))
    screen.type(ctrl('z'))
    await screen.until(() => left !== null)
    expect(left).toEqual([])
    expect(isRaw).toBe(false)
    await screen.until(() => screen.raw.isOn && screen.modes.left().includes('alternate buffer'))
    await screen.until(() => screen.text().includes('▸ draft'))
  })

  test('what a library prints does not tear the frame', async () => {
    const screen = open()
    await screen.until(() => screen.text().includes('▸'))
    console.warn('noise %d', 1)
    await screen.until(() => screen.commands.some((command) => command.kind === 'report-screen-error'))
    expect(screen.commands).toContainEqual({ kind: 'report-screen-error', message: 'console.warn: noise 1' })
    expect(screen.written()).not.toContain('noise')
  })
})

describe('the prompt', () => {
  test('the hardware cursor sits at the caret (TERM-44)', async () => {
    const screen = open()
    screen.emit(ready)
    screen.type('日本')
    await screen.until(() => screen.text().includes('日本'))
    await screen.until(() => screen.cursor().row === 22)
    expect(screen.cursor()).toEqual({ column: ' ghyll [m25] ~/repos/shop ▸ '.length + 4, row: 22 })
    screen.type(keys.left)
    await screen.until(() => screen.cursor().column === ' ghyll [m25] ~/repos/shop ▸ '.length + 2)
  })

  test('it grows to a third of the window and then scrolls (TERM-40)', async () => {
    const screen = open({ columns: 80, rows: 24 })
    screen.type(paste(Array.from({ length: 15 }, (_, index) => `row ${index}`).join('\n')))
    await screen.until(() => screen.text().includes('row 14'))
    expect(screen.lines().filter((line) => line.includes('row '))).toHaveLength(8)
    expect(screen.lines()[0]).toMatch(/^ ghyll/)
  })

  test('Enter sends what was typed and empties the field (SESS-033)', async () => {
    const screen = open()
    screen.emit(ready)
    screen.type('hello')
    await screen.until(() => screen.text().includes('▸ hello'))
    screen.type(keys.enter)
    await screen.until(() => screen.commands.some((command) => command.kind === 'submit'))
    expect(screen.commands).toContainEqual({ kind: 'submit', text: 'hello', delivery: 'steer' })
    await screen.until(() => !screen.text().includes('hello'))
  })

  test('Esc interrupts what runs (TERM-45)', async () => {
    const screen = open()
    screen.emit(busy)
    await screen.until(() => screen.text().includes('Esc stop'))
    screen.type(keys.escape)
    await screen.until(() => screen.commands.some((command) => command.kind === 'interrupt'))
  })

  test('Ctrl+C asks once, and leaves the second time (TERM-45a)', async () => {
    const screen = open()
    screen.emit(ready)
    screen.type(ctrl('c'))
    await screen.until(() => screen.text().includes('press Ctrl+C again to leave'))
    screen.type(ctrl('c'))
    await screen.until(() => screen.commands.some((command) => command.kind === 'leave'))
  })

  test('the editor gets the terminal and gives it back (TERM-47)', async () => {
    const screen = open()
    screen.type('draft')
    await screen.until(() => screen.text().includes('▸ draft'))
    screen.type(ctrl('x') + ctrl('e'))
    await screen.until(() => screen.commands.some((command) => command.kind === 'open-editor'))
    const asked = screen.commands.find((command) => command.kind === 'open-editor')!
    expect(asked).toMatchObject({ text: 'draft' })
    expect(screen.raw.isOn).toBe(false)
    screen.emit({ kind: 'editor-closed', request: asked.request, text: 'edited', error: null })
    await screen.until(() => screen.raw.isOn && screen.text().includes('▸ edited'))
  })
})

describe('the transcript', () => {
  test('scrolled up it stays, counts what is new, and End returns (TERM-21)', async () => {
    const screen = open()
    screen.emit(ready, ...replied('a1', Array.from({ length: 60 }, (_, index) => `- item ${index}`).join('\n')))
    await screen.until(() => screen.text().includes('item 59'))
    screen.type(wheel('up') + wheel('up'))
    await screen.until(() => !screen.text().includes('item 59'))
    const top = screen.lines()[1]
    screen.emit({ kind: 'notice', level: 'info', text: 'something new' })
    await screen.until(() => screen.text().includes('↓ 1 new'))
    expect(screen.lines()[1]).toBe(top)
    screen.type(keys.end)
    await screen.until(() => screen.text().includes('something new'))
  })

  test('pending messages show as chips (TERM-46)', async () => {
    const screen = open()
    const row = { seq: 7, kind: 'input', delivery: 'steer', origin: 'operator', text: 'also the docs' } as const
    screen.emit(busy, { kind: 'input-submitted', row })
    await screen.until(() => screen.text().includes('steer: also the docs'))
    screen.type(keys.up)
    await screen.until(() => screen.commands.some((command) => command.kind === 'take-back'))
    const asked = screen.commands.find((command) => command.kind === 'take-back')!
    screen.emit({ kind: 'input-taken-back', request: asked.request, seq: 7, text: 'also the docs' })
    await screen.until(() => screen.text().includes('▸ also the docs'))
    expect(screen.text()).not.toContain('steer:')
  })
})

describe('overlays', () => {
  test('help opens over the transcript with title and hints always in sight, and closes (TERM-48, TERM-53)', async () => {
    const screen = open()
    screen.type('?')
    await screen.until(() => screen.text().includes('─ help ─'))
    expect(screen.text()).toContain('more lines, ↓')
    expect(screen.text()).toContain('Esc close')
    screen.type(keys.end)
    await screen.until(() => screen.text().includes('!line'))
    screen.type(keys.escape)
    await screen.until(() => !screen.text().includes('─ help ─'))
  })

  test('at 40×10 it takes the whole window (TERM-53)', async () => {
    const screen = open({ columns: 40, rows: 10 })
    screen.type(keys.f1)
    await screen.until(() => screen.text().includes('Esc close'))
    expect(screen.lines()[0]).toMatch(/^help/)
  })
})
