import { describe, expect, test } from 'vitest'
import { entryId } from '../../src/protocol/ids.ts'
import { assistant, call, tool, user } from '../support/entries.ts'
import { verdict, view } from '../support/gate-view.ts'
import { ctrl, keys, paste } from '../support/keys.ts'
import { fc, runs } from '../support/laws.ts'
import { readCell } from '../support/screen.ts'
import { openScreen, type ScreenHarness, type ScriptedEvent } from '../support/screen-harness.ts'
import { foreignText } from '../support/text.ts'

// Laws of whole frames: whatever is shown at whatever size, no frame exceeds the window, borders are straight, nothing throws.

const size = fc.record({
  columns: fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 60, max: 400 })),
  rows: fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 12, max: 120 }))
})

const made = call('c1', 'edit_file', { path: 'a', old_string: 'b', new_string: 'c' })
const told: fc.Arbitrary<ScriptedEvent[]> = foreignText.chain((text) =>
  fc.constantFrom<ScriptedEvent[]>(
    [
      { kind: 'reply-opened', entry: assistant(`a${text.length}`, { text: '', status: 'open' }) },
      { kind: 'reply-delta', entry: entryId(`a${text.length}`), channel: 'text', text }
    ],
    [{ kind: 'input-promoted', seqs: [], entries: [user(`u${text.length}`, text)] }],
    [
      { kind: 'tool-started', message: entryId('m'), call: made },
      { kind: 'tool-ended', entry: tool('t1', 'm', made, { text, meta: { summary: text, diff: text } }) }
    ],
    [{ kind: 'notice', level: 'warning', text, hint: text }],
    [{ kind: 'command-output', command: text, lines: text.split('\n') }],
    [{ kind: 'header-changed', header: { workdir: text, branch: text, model: text } }],
    [{ kind: 'mark-set', mark: 'm', text }],
    [{ kind: 'input-submitted', row: { seq: 1, kind: 'input', delivery: 'queue', origin: 'operator', text } }],
    [{ kind: 'gate-viewed', view }],
    [{ kind: 'prompt-opened', prompt: { ...verdict, item: text }, place: { at: 1, of: 1 } }]
  )
)

const typed = fc.oneof(
  fc.constantFrom<string>(ctrl('g'), ctrl('f'), ctrl('r'), '/', '?', keys.escape, keys.pageUp, keys.tab, keys.ctrlHome),
  foreignText.map(paste),
  fc.string({ unit: 'grapheme', maxLength: 5 }).filter((text) => !/\p{Cc}/u.test(text))
)

const step = fc.oneof(
  size.map((to) => ({ kind: 'resize' as const, to })),
  told.map((events) => ({ kind: 'tell' as const, events })),
  typed.map((bytes) => ({ kind: 'type' as const, bytes }))
)

/** All that was done is on the screen: events are gathered for a frame, and a frame leaves in one piece. */
async function settled(screen: ScreenHarness): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 45))
  await new Promise<void>((resolve) => screen.terminal.write('', resolve))
}

function expectFrame(screen: ScreenHarness, columns: number, rows: number): void {
  const lines = screen.lines()
  expect(lines.length).toBeLessThanOrEqual(Math.max(1, rows))
  if (columns < 110 || rows < 12 || screen.text().includes('window too small')) return
  for (const line of lines) {
    const isSide = /^[│╭╰├]/.test(line) && /[│╮╯┤]$/.test(line)
    if (/^[╭╰├]/.test(line)) expect(isSide, `a straight border: ${line}`).toBe(true)
  }
  const top = lines.findIndex((line) => line.startsWith('╭'))
  const bottom = lines.findLastIndex((line) => line.startsWith('╰'))
  expect(top).toBe(1)
  for (let row = top; row <= bottom; row++) {
    const cell = (column: number) => readCell(screen.terminal, column, row).text
    expect('│╭╰├'.includes(cell(0)) && cell(0) !== '', `left border of row ${row}: ${lines[row]}`).toBe(true)
    expect('│╮╯┤'.includes(cell(columns - 1)) && cell(columns - 1) !== '', `right border: ${lines[row]}`).toBe(true)
  }
}

describe('whole frames (TERM-1, TERM-32)', () => {
  test('at any size, with any texts, after any keys', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), size, async (steps, last) => {
        const screen = openScreen({ columns: 80, rows: 24 })
        try {
          screen.emit({ kind: 'phase-changed', from: 'init', to: 'ready', reason: '' })
          for (const each of steps) {
            if (each.kind === 'resize') screen.resize(each.to.columns, each.to.rows)
            else if (each.kind === 'tell') screen.emit(...each.events)
            else screen.type(each.bytes)
          }
          await settled(screen)
          screen.resize(last.columns, last.rows)
          const { baseY } = screen.terminal.buffer.active
          await settled(screen)
          expect(screen.terminal.buffer.active.baseY, 'no frame scrolls the window').toBe(baseY)
          const isSized = last.columns > 0 && last.rows > 0
          if (isSized && last.columns >= 2) expectFrame(screen, last.columns, last.rows)
          const trouble = screen.commands.filter(({ kind }) => kind === 'report-screen-error')
          expect(trouble).toEqual([])
        } finally {
          await screen.close()
        }
      }),
      { numRuns: runs(40) }
    )
  })
})
