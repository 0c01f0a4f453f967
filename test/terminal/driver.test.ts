import { expect, onTestFinished, test } from 'vitest'
import { keys, paste } from '../support/keys.ts'
import { openTerminal, type TerminalDriver, type TerminalOptions } from '../support/terminal.ts'

// The terminal driver itself, on small programs whose behaviour is known.

function open(program: string, more: Partial<TerminalOptions> = {}): TerminalDriver {
  const path = new URL(`../fixtures/programs/${program}.mjs`, import.meta.url).pathname
  const terminal = openTerminal({ command: process.execPath, args: [path], ...more })
  onTestFinished(() => terminal.close())
  return terminal
}

test('keys arrive as the bytes a terminal sends, and CI is not in the environment', async () => {
  const terminal = open('key-echo', { env: { ...process.env, CI: 'true' } })
  await terminal.untilText('size 80x24')
  expect(terminal.text()).toContain('ci false')
  terminal.write(keys.up)
  await terminal.untilText('key 1b5b41')
  terminal.write(paste('a'))
  await terminal.untilText('key 1b5b3230307e611b5b3230317e')
})

test('a resize reaches the program and the emulator', async () => {
  const terminal = open('key-echo')
  await terminal.untilText('size 80x24')
  terminal.resize(60, 15)
  await terminal.untilText('size 60x15')
  expect(terminal.lines()).toHaveLength(15)
})

test('tells exit codes and signals apart', async () => {
  const leaves = open('key-echo')
  await leaves.untilText('size')
  leaves.write('q')
  expect(await leaves.exited()).toEqual({ code: 3, signal: 0 })

  const handles = open('key-echo')
  await handles.untilText('size')
  handles.kill('SIGTERM')
  expect(await handles.exited()).toEqual({ code: 7, signal: 0 })

  const dies = open('key-echo')
  await dies.untilText('size')
  dies.kill('SIGKILL')
  expect((await dies.exited()).signal).toBe(9)
})

test('reads text, attributes, wide characters and the cursor', async () => {
  const terminal = open('full-screen', { cols: 40, rows: 10 })
  await terminal.until((screen) => screen.cursor().column === 6)
  expect(terminal.lines()[1]).toBe('  red inverse rgb 日')
  expect(terminal.cell(2, 1)).toMatchObject({ text: 'r', foreground: '1', bold: true, inverse: false })
  expect(terminal.cell(6, 1)).toMatchObject({ text: 'i', foreground: 'default', inverse: true })
  expect(terminal.cell(14, 1)).toMatchObject({ text: 'r', foreground: '#010203' })
  expect(terminal.cell(18, 1)).toMatchObject({ text: '日', width: 2 })
  expect(terminal.cursor()).toEqual({ column: 6, row: 4, hidden: true })
})

test('a program that gives the terminal back leaves no mode on and the normal screen as it was', async () => {
  const terminal = open('full-screen')
  await terminal.untilText('red')
  expect(terminal.modesLeftOn()).toEqual([
    'alternate buffer',
    'bracketed paste',
    'hidden cursor',
    'kitty keyboard',
    'mouse clicks',
    'mouse sgr'
  ])
  terminal.write('q')
  await terminal.exited()
  expect(terminal.modesLeftOn()).toEqual([])
  expect(terminal.text()).toBe('before\nafter')
})

test('a program that leaves without giving back is seen', async () => {
  const terminal = open('full-screen')
  await terminal.untilText('red')
  terminal.write('x')
  await terminal.exited()
  expect(terminal.modesLeftOn()).toContain('alternate buffer')
})

test('counts clears, also one that arrives in two pieces', async () => {
  const terminal = open('full-screen')
  await terminal.untilText('red')
  expect(terminal.clears()).toEqual({ screen: 1, scrollback: 1 })
  terminal.write('d')
  await terminal.untilText('drawn')
  expect(terminal.clears()).toEqual({ screen: 2, scrollback: 1 })
  expect(terminal.byteCount()).toBe(terminal.raw().length)
  expect(terminal.raw().toString('latin1')).toContain('\x1b[2J')
})

test('answers queries like a terminal, or stays mute when asked to (TERM-17)', async () => {
  const speaks = open('ask-terminal')
  await speaks.exited()
  expect(speaks.text()).toContain('answered')
  const mute = open('ask-terminal', { answers: false })
  await mute.exited()
  expect(mute.text()).toContain('no answer')
})

test('waiting fails with the screen when the program ends, and when the limit passes', async () => {
  const ends = open('key-echo')
  await ends.untilText('size')
  const never = ends.untilText('never')
  ends.write('q')
  await expect(never).rejects.toThrow(/ended before never.*"code":3.*size 80x24/s)

  const stays = open('key-echo', { limitMs: 400 })
  await expect(stays.untilText('never')).rejects.toThrow('waited in vain for never')
})
