import { Terminal } from '@xterm/headless'
import { describe, expect, test } from 'vitest'
import { type Frame, Painter } from '../../../../ui/terminal/paint/painter.ts'
import { fc, runs } from '../../../support/laws.ts'
import { type Cell, readCell, readLines } from '../../../support/screen.ts'

const size = { columns: 30, rows: 10 }

type Emulated = { readonly terminal: Terminal; draw(bytes: string): Promise<void> }

function emulated({ columns, rows } = size): Emulated {
  const terminal = new Terminal({ cols: columns, rows, convertEol: true, allowProposedApi: true })
  terminal.write('\x1b[?1049h\x1b[H')
  return { terminal, draw: (bytes) => new Promise((resolve) => terminal.write(bytes, resolve)) }
}

/** The text of every cell with what is on in it, a row per line, and where the cursor is. */
function screenOf(terminal: Terminal): string {
  const rows = Array.from({ length: terminal.rows }, (_, row) =>
    Array.from({ length: terminal.cols }, (_, column) => lookOf(readCell(terminal, column, row))).join('')
  )
  const { cursorX, cursorY } = terminal.buffer.active
  return [...rows, `${cursorX},${cursorY}`].join('\n')
}

function lookOf({ text, width, foreground, background, bold, inverse }: Cell): string {
  const style = `${foreground}/${background}/${bold ? 'b' : ''}${inverse ? 'i' : ''}`.replace('default/default/', '')
  return (width === 0 ? '' : text || ' ') + (style === '' ? '' : `{${style}}`)
}

function frame(lines: readonly string[], caret: Frame['caret'] = { row: 0, column: 0 }): Frame {
  return { lines, caret }
}

const piece = fc.constantFrom(
  'word ',
  'a',
  '日本',
  '│',
  '  ',
  '\x1b[1mbold\x1b[22m',
  '\x1b[36mcyan \x1b[1mboth\x1b[22m\x1b[39m',
  '\x1b[7m inverse \x1b[27m',
  '\x1b[38;5;200mdeep\x1b[39m',
  '\x1b[48;2;1;2;3mback\x1b[49m',
  'é'
)
const line = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''))
/** Frames as they follow each other: a screen that scrolls, a line that grows, something new. */
const change = fc.oneof(
  fc.record({ kind: fc.constant('scroll' as const), by: fc.integer({ min: -4, max: 4 }), line }),
  fc.record({ kind: fc.constant('line' as const), at: fc.nat(9), line }),
  fc.record({ kind: fc.constant('grow' as const), at: fc.nat(9), line }),
  fc.record({ kind: fc.constant('new' as const), lines: fc.array(line, { minLength: 10, maxLength: 10 }) })
)

function applied(lines: readonly string[], step: typeof change extends fc.Arbitrary<infer T> ? T : never): string[] {
  if (step.kind === 'new') return step.lines
  if (step.kind === 'line') return lines.with(step.at, step.line)
  if (step.kind === 'grow') return lines.with(step.at, `${lines[step.at]}${step.line}`)
  const { by } = step
  const body = lines.slice(1, 9)
  const rows = by >= 0 ? [...body.slice(by), ...Array(by).fill(step.line)] : [...Array(-by).fill(step.line), ...body]
  return [lines[0] ?? '', ...rows.slice(0, 8), lines[9] ?? '']
}

describe('the painter (TERM-11)', () => {
  test('whatever frames follow each other, the screen is that of the last one drawn alone', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 12 }),
        fc.boolean(),
        fc.nat(9),
        async (steps, isSteady, row) => {
          const one = emulated()
          const painter = new Painter()
          let lines = Array.from({ length: 10 }, (_, index) => `${index} first line of the screen`)
          await one.draw(painter.paint(frame(lines), size, isSteady))
          for (const step of steps) {
            lines = applied(lines, step)
            await one.draw(painter.paint(frame(lines, { row, column: 3 }), size, isSteady))
          }
          const other = emulated()
          await other.draw(new Painter().paint(frame(lines, { row, column: 3 }), size, isSteady))
          expect(screenOf(one.terminal)).toBe(screenOf(other.terminal))
          one.terminal.dispose()
          other.terminal.dispose()
        }
      ),
      { numRuns: runs(150) }
    )
  })

  test('the same frame again costs nothing, another caret a move', () => {
    const painter = new Painter()
    painter.paint(frame(['a', 'b']), size, true)
    expect(painter.paint(frame(['a', 'b']), size, true)).toBe('')
    expect(painter.paint(frame(['a', 'b'], { row: 1, column: 4 }), size, true)).toBe('\x1b[2;5H')
    expect(painter.place(null)).toBe('\x1b[?25l')
    expect(painter.place({ row: 0, column: 0 })).toBe('\x1b[1;1H\x1b[?25h')
  })

  test('a line appended to a full screen costs that line', () => {
    const text = (index: number) => String(index).repeat(24)
    const painter = new Painter()
    painter.paint(frame(['head', ...Array.from({ length: 8 }, (_, index) => text(index)), 'foot']), size, true)
    const next = frame(['head', ...Array.from({ length: 8 }, (_, index) => text(index + 1)), 'foot'])
    expect(painter.paint(next, size, true)).toBe(`\x1b[2;9r\x1b[2H\x1b[1M\x1b[r\x1b[9H${text(8)}\x1b[1;1H`)
  })

  test('what stands beside lines that move is put right', async () => {
    const { terminal, draw } = emulated({ columns: 60, rows: 10 })
    const painter = new Painter()
    const at = (from: number) =>
      Array.from({ length: 10 }, (_, row) =>
        [`line ${from + row} of a long text`.padEnd(40), `│ panel ${row}`].join('')
      )
    await draw(painter.paint(frame(at(100)), { columns: 60, rows: 10 }, true))
    await draw(painter.paint(frame(at(103)), { columns: 60, rows: 10 }, true))
    expect(readLines(terminal, 'visible')).toEqual(at(103))
  })

  test('of a line only what changed is written', () => {
    const painter = new Painter()
    painter.paint(frame(['model 4s · 120 tokens · Esc stop']), size, true)
    expect(painter.paint(frame(['model 5s · 120 tokens · Esc stop']), size, true)).toBe('\x1b[1;7H5\x1b[1;1H')
    expect(painter.paint(frame(['model 5s']), size, true)).toBe('\x1b[1;9H\x1b[K\x1b[1;1H')
  })

  test('no line leaves the window, whatever it holds, and a wide character is not cut in half (TERM-1, TERM-32)', async () => {
    const { terminal, draw } = emulated({ columns: 5, rows: 3 })
    await draw(new Painter().paint(frame(['日本語', '123456789', '1234日', 'a', 'b']), { columns: 5, rows: 3 }, false))
    expect(readLines(terminal, 'visible')).toEqual(['日本', '12345', '1234'])
  })

  test('text behind a character of disputed width stands in its own column (TERM-32)', async () => {
    const { terminal, draw } = emulated()
    const painter = new Painter()
    await draw(painter.paint(frame(['xxxxxxxxx│']), size, true))
    await draw(painter.paint(frame(['a👩‍👩‍👧 b 🇩🇪│']), size, true))
    // This emulator takes the family for six cells wide; the border is where it belongs all the same.
    expect(readCell(terminal, 8, 0).text).toBe('│')
  })

  test('another size draws everything anew, without a clear', () => {
    const painter = new Painter()
    painter.paint(frame(['a']), size, true)
    const bytes = painter.paint(frame(['a']), { columns: 40, rows: 3 }, true)
    expect(bytes).toContain('a')
    expect(bytes).not.toContain('\x1b[2J')
  })
})
