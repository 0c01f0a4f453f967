import { afterEach, describe, expect, test } from 'vitest'
import { entryId } from '../../src/protocol/ids.ts'
import { call, tool } from '../support/entries.ts'
import { ctrl, keys, paste } from '../support/keys.ts'
import { openScreen, replied, type ScreenHarness, type ScriptedEvent } from '../support/screen-harness.ts'

// Input nobody would type: very long, very many, in pieces.

let harness: ScreenHarness | null = null
afterEach(async () => {
  await harness?.close()
  harness = null
})

const ready: ScriptedEvent = { kind: 'phase-changed', from: 'init', to: 'ready', reason: '' }

async function open(): Promise<ScreenHarness> {
  harness = openScreen({ columns: 80, rows: 24 })
  harness.emit(ready)
  await harness.until(() => harness?.text().includes('? help') === true)
  return harness
}

function expectNoTrouble(screen: ScreenHarness): void {
  expect(screen.commands.filter(({ kind }) => kind === 'report-screen-error')).toEqual([])
}

/** What one tool call leaves behind. */
function ran(id: string, text: string): ScriptedEvent[] {
  const made = call(id)
  return [
    { kind: 'tool-started', message: entryId('m'), call: made },
    { kind: 'tool-ended', entry: tool(`t${id}`, 'm', made, { text }) }
  ]
}

describe('results of any size (TERM-15)', () => {
  test('one line of 50 MB, as a reply', async () => {
    const screen = await open()
    screen.emit(...replied('a1', `${'word '.repeat(10_000_000)}end`))
    await screen.until(() => screen.text().includes('end'))
    screen.type(keys.pageUp)
    await screen.until(() => screen.text().includes('99%'))
    screen.resize(120, 40)
    await screen.until(() => screen.text().includes('╭ transcript') && screen.text().includes('word word'))
    expectNoTrouble(screen)
  })

  test('one line of 50 MB without a space, as a tool result, unfolded', async () => {
    const screen = await open()
    screen.emit(...ran('c1', 'x'.repeat(50_000_000)), { kind: 'notice', level: 'info', text: 'after it' })
    await screen.until(() => screen.text().includes('after it'))
    screen.type(ctrl('t'))
    await screen.until(() => screen.text().includes('x'.repeat(60)))
    expectNoTrouble(screen)
  })

  test('50,000 lines, unfolded', async () => {
    const screen = await open()
    const lines = Array.from({ length: 50_000 }, (_, index) => `line ${index}`).join('\n')
    screen.emit(...ran('c1', lines))
    await screen.until(() => screen.text().includes('bash'))
    screen.type(ctrl('t'))
    await screen.until(() => screen.text().includes('line 49999'))
    screen.type(keys.ctrlHome)
    await screen.until(() => /\bline 3\b/.test(screen.text()))
    expectNoTrouble(screen)
  })

  test('a paste of 2 MB with escapes in it is one chip, and is sent byte for byte (TERM-43)', async () => {
    const screen = await open()
    const text = 'a \x1b[31mb\n'.repeat(200_000)
    screen.type(paste(text))
    await screen.until(() => /\[pasted 20000\d lines\]/.test(screen.text()))
    screen.type(keys.enter)
    await screen.until(() => screen.commands.some(({ kind }) => kind === 'submit'))
    const sent = screen.commands.find((command) => command.kind === 'submit')
    expect(sent?.kind === 'submit' && sent.text === text).toBe(true)
    expectNoTrouble(screen)
  })
})

describe('windows of any size (TERM-1)', () => {
  test('a storm of resizes ends in the frame of the last size', async () => {
    const screen = await open()
    screen.emit(...replied('a1', 'word 日本 '.repeat(200)))
    await screen.until(() => screen.text().includes('word'))
    const before = screen.text()
    for (let step = 0; step < 300; step++) {
      screen.resize((step * 7919) % 401, (step * 104_729) % 121)
      if (step % 3 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    screen.resize(80, 24)
    await screen.until(() => screen.text() === before)
    expectNoTrouble(screen)
  })
})
