import { describe, expect, it } from 'vitest'
import { cellWidth } from '../../../src/lib/width.ts'
import { entryId } from '../../../src/protocol/ids.ts'
import { lineText } from '../../../ui/parts/lines.ts'
import { asciiGlyphs } from '../../../ui/theme/glyphs.ts'
import { toggleRows } from '../../../ui/transcript/fold.ts'
import { loadHighlighter } from '../../../ui/transcript/highlight.ts'
import { markdownLines } from '../../../ui/transcript/markdown.ts'
import type { Row, TranscriptState } from '../../../ui/transcript/model.ts'
import { rowPieces } from '../../../ui/transcript/pieces.ts'
import { fc, runs } from '../../support/laws.ts'
import { foreignText } from '../../support/text.ts'
import { assistant, plainPen, reply, said, toolEntry, transcriptOf } from '../../support/transcript.ts'

const markdown = (text: string, width: number) =>
  markdownLines(text, width, plainPen).map((line) => lineText(line).trimEnd())

function drawn(row: Row, width: number, pen = plainPen): string[] {
  const { head, closed, open } = rowPieces(row, null)
  return [...head, ...closed, ...open].flatMap((piece) =>
    piece.draw(width, pen).map((line) => lineText(line).trimEnd())
  )
}

const first = (state: TranscriptState) => state.rows[0]!

describe('Markdown', () => {
  it.each([
    ['emphasis loses its marks', 'a *b* **c** `d` \\*e', 40, ['a b c d *e']],
    ['links show their address (TOOL-127)', '[text](http://x) <http://y>', 40, ['text (http://x) http://y']],
    ['line ends stay', 'one\ntwo', 40, ['one', 'two']],
    ['list items hang', '- one two\n- three', 8, ['• one', '  two', '• three']],
    ['numbers stay as written', '3. a\n5. b', 20, ['3. a', '5. b']],
    ['nested lists', '- a\n  - b', 20, ['• a', '  • b']],
    ['tasks', '- [x] done\n- [ ] open', 20, ['• [x] done', '• [ ] open']],
    ['tasks of a loose list', '- [x] done\n\n- [ ] open', 20, ['• [x] done', '• [ ] open']],
    ['quotes', '> a b\n> c', 20, ['│ a b', '│ c']],
    ['rules', '---', 5, ['─────']],
    ['html as it is', '<div>\nx\n</div>', 20, ['<div>', 'x', '</div>']],
    ['entities as they are', 'a &amp; b', 20, ['a &amp; b']]
  ])('%s', (_what, text, width, lines) => {
    expect(markdown(text, width)).toEqual(lines)
  })

  const table = '| name | count |\n|---|--:|\n| cart total | 12 |\n| x | 3 |'

  it('aligns tables, narrows and finally stacks them (TERM-20)', () => {
    expect(markdown(table, 40)).toEqual([
      'name        count',
      '──────────  ─────',
      'cart total     12',
      'x               3'
    ])
    expect(markdown(table, 14)).toEqual([
      'name     count',
      '───────  ─────',
      'cart        12',
      'total',
      'x            3'
    ])
    expect(markdown(table, 10)).toEqual(['name: cart', 'total', 'count: 12', '', 'name: x', 'count: 3'])
  })

  it('counts cells, not characters, in tables (TERM-32)', () => {
    expect(markdown('| a | b |\n|---|---|\n| 日本 | x |\n| 👨‍👩‍👧 | y |', 40)).toEqual([
      'a     b',
      '────  ─',
      '日本  x',
      '👨‍👩‍👧    y'
    ])
  })
})

describe('code', () => {
  it('is coloured without a change of its text, and plain in unknown languages', async () => {
    const highlight = await loadHighlighter()
    const code = 'const a = "<b> & \'c\'" // 日本\nreturn `x`'
    const spans = highlight(code, 'ts')!
    expect(spans.map((span) => span.text).join('')).toBe(code)
    expect(spans.find((span) => span.text === 'const')!.style.tone).toBe('accent')
    expect(spans.find((span) => span.text.startsWith('//'))!.style.tone).toBe('dim')
    expect(highlight(code, 'klingon')).toBeNull()
  })

  it('never changes text, in any language, for any text', async () => {
    const highlight = await loadHighlighter()
    fc.assert(
      fc.property(
        foreignText,
        fc.constantFrom('ts', 'python', 'bash', 'xml', 'json', 'diff', 'markdown', 'css'),
        (text, language) => {
          expect(
            highlight(text, language)!
              .map((span) => span.text)
              .join('')
          ).toBe(text)
        }
      )
    )
  })

  it('keeps its spaces and breaks at the edge', () => {
    const row = first(transcriptOf([reply('a1', '```\n    if x:  y\n```')]))
    expect(drawn(row, 30)).toEqual(['m25', '      if x:  y'])
  })
})

describe('tool calls (TERM-20)', () => {
  const row = (...args: Parameters<typeof toolEntry>) =>
    first(transcriptOf([{ kind: 'tool-ended', entry: toolEntry(...args) }]))

  it('take one line: name, main argument, outcome, time', () => {
    expect(drawn(row('read_file', { path: 'src/cart.ts' }, { meta: { summary: '42 lines' } }), 50)).toEqual([
      '⏵ read_file src/cart.ts           42 lines    8 ms'
    ])
    expect(drawn(row('bash', { command: 'a\nb' }), 30, { glyphs: asciiGlyphs, highlight: null })).toEqual([
      '> bash a b                8 ms'
    ])
  })

  it('take a second line where outcome and time would leave nothing of the argument (TERM-3)', () => {
    const read = row('read_file', { path: 'src/cart.ts' }, { meta: { summary: '42 lines' } })
    expect(drawn(read, 20)).toEqual(['⏵ read_file src/car…', '    42 lines    8 ms'])
    expect(drawn(row('bash', { command: 'ls' }), 20)).toEqual(['⏵ bash ls       8 ms'])
  })

  it.each([
    [{ status: 'failed', meta: { kind: 'exit', exitCode: 2 } }, 'exit 2'],
    [{ status: 'failed', meta: { kind: 'timeout' } }, '⚠ timed out'],
    [{ status: 'failed', meta: { kind: 'not-found' } }, 'not-found'],
    [{ status: 'interrupted', meta: {} }, 'interrupted']
  ] as const)('say how they failed: %j', (facts, outcome) => {
    expect(drawn(row('bash', { command: 'x' }, facts), 60)[0]).toContain(`  ${outcome}  `)
  })

  it('show five lines of an error and count the others (TOOL-124)', () => {
    const text = ['1', '2', '3', '4', '5', '6', '7'].join('\n')
    expect(drawn(row('bash', { command: 'x' }, { status: 'failed', text }), 40).slice(1)).toEqual([
      '  1',
      '  2',
      '  3',
      '  4',
      '  5',
      '  ... (2 more lines)'
    ])
  })

  it('preview no argument above 80 characters (TOOL-124)', () => {
    const [line] = drawn(row('bash', { command: 'x'.repeat(500) }), 200)
    expect(line!.match(/x+/)![0].length).toBe(79)
  })

  it('mark what touches .git (TOOL-108)', () => {
    expect(drawn(row('edit_file', { path: '.git/config' }, { meta: { touchesGit: true } }), 60)[0]).toContain('⚠ .git')
  })

  it('of an edit show what it changed, ten lines at most while folded (TOOL-049, TOOL-124)', () => {
    const changes = Array.from({ length: 14 }, (_, n) => `+line ${n}`)
    const meta = { summary: '+14 −0', diff: ['--- a/x.ts', '+++ b/x.ts', '@@ -0,0 +1,14 @@', ...changes].join('\n') }
    const lines = drawn(row('edit_file', { path: 'x.ts' }, { meta }), 60)
    expect(lines.slice(1, 4)).toEqual(['  @@ -0,0 +1,14 @@', '  +line 0', '  +line 1'])
    expect(lines).toHaveLength(12)
    expect(lines.at(-1)).toBe('  ... (5 more lines)')
  })

  it('unfold to arguments, diff and output', () => {
    const meta = { diff: '@@ -1 +1 @@\n-old\t1\n+new\u202e' }
    const state = toggleRows(
      transcriptOf([
        { kind: 'tool-ended', entry: toolEntry('edit_file', { path: 'a.ts', n: 1 }, { text: 'ok', meta }) }
      ]),
      'tool'
    )
    expect(drawn(first(state), 40).slice(1)).toEqual([
      '│ path: a.ts',
      '│ n: 1',
      '  @@ -1 +1 @@',
      '  -old⇥   1',
      '  +new<U+202E>',
      '│ ok'
    ])
  })

  it('show the last line of output while they run (TERM-25)', () => {
    const state = transcriptOf([
      {
        kind: 'tool-started',
        message: entryId('a1'),
        call: { id: 'c1', name: 'bash', arguments: '{"command":"make"}' }
      },
      { kind: 'tool-progressed', call: 'c1', progress: { tail: 'one\ntwo\n', elapsedMs: 2500 } }
    ])
    expect(drawn(first(state), 30)).toEqual(['⏵ bash make              2.5 s', '  two'])
  })

  it('show arguments that are no JSON as they came', () => {
    const entry = toolEntry('bash', {})
    const broken = { ...entry, call: { ...entry.call, arguments: '{"comm' } }
    expect(drawn(first(transcriptOf([{ kind: 'tool-ended', entry: broken }])), 40)[0]).toContain('bash {"comm')
  })

  it('nest and fold what a sub-agent told', () => {
    const state = transcriptOf([
      { kind: 'tool-started', message: entryId('a1'), call: { id: 'c1', name: 'agent', arguments: '{"task":"look"}' } },
      { kind: 'sub-agent-told', call: 'c1', text: 'read' },
      { kind: 'sub-agent-told', call: 'c1', text: 'ing\n' },
      { kind: 'sub-agent-told', call: 'c1', text: 'done\x1b[2J' }
    ])
    expect(drawn(first(state), 40)).toEqual(['⏵ agent look', '  2 lines: done'])
    expect(drawn(first(toggleRows(state, 'tool')), 40)).toEqual(['⏵ agent look', '│ reading', '│ done', '│ task: look'])
  })
})

describe('other rows', () => {
  it('notices carry the glyph of their level, event lines two spaces and a dot (OPUI-300)', () => {
    const levels = ['info', 'warning', 'error', 'success', 'switch', 'detail'] as const
    const state = transcriptOf(levels.map((level) => ({ kind: 'notice', level, text: 'x' })))
    expect(state.rows.flatMap((row) => drawn(row, 20))).toEqual(['ℹ x', '⚠ x', '✗ x', '✓ x', '⟳ x', '  · x'])
    const hinted = transcriptOf([{ kind: 'notice', level: 'error', text: 'failed to do it', hint: 'try again' }])
    expect(drawn(first(hinted), 12)).toEqual(['✗ failed to', '  do it', '  try again'])
  })

  it('speakers stand in a column where there is room, else above', () => {
    const state = transcriptOf([said('u1', 'make it\nwork'), said('u2', 'now')])
    expect(drawn(first(state), 40)).toEqual(['you      make it', '         work'])
    expect(drawn(first(state), 20)).toEqual(['you', 'make it', 'work'])
    expect(drawn(state.rows[1]!, 40)).toEqual(['', 'you      now'])
  })

  it('reasoning is folded to one line until it is asked for', () => {
    const state = transcriptOf([
      { kind: 'reply-opened', entry: assistant('a1', { text: 'answer', reasoning: 'let me see' }) }
    ])
    expect(drawn(first(state), 60)).toEqual(['m25      ▸ reasoning, 10 characters', '         answer'])
    expect(drawn(first(toggleRows(state, 'reply')), 60)).toEqual([
      'm25      ▾ reasoning, 10 characters',
      '         let me see',
      '         answer'
    ])
  })

  it('summaries fold behind checkpoint, anchor and note', () => {
    const state = transcriptOf([{ kind: 'checkpoint-created', hash: 'abc', index: 3, turn: 9, summary: 'did things' }])
    expect(drawn(first(state), 40)).toEqual(['▸ checkpoint 3, turn 9, abc'])
    expect(drawn(first(toggleRows(state, 'checkpoint')), 40)).toEqual(['▾ checkpoint 3, turn 9, abc', '│ did things'])
  })
})

it('no line is wider than asked or lies about its width, no control survives, nothing throws (TERM-1, TERM-30)', () => {
  const rowOf = fc.tuple(foreignText, fc.nat(7)).map(([text, kind]): Row => {
    switch (kind) {
      case 0:
        return first(transcriptOf([said('u1', text)]))
      case 1:
        return first(transcriptOf([{ kind: 'notice', level: 'warning', text, hint: text }]))
      case 2:
        return first(transcriptOf([{ kind: 'command-output', command: 'x', lines: text.split('\n') }]))
      case 3:
        return first(
          toggleRows(
            transcriptOf([{ kind: 'checkpoint-created', hash: text, index: 0, turn: 1, summary: text }]),
            'checkpoint'
          )
        )
      case 4:
        return first(
          transcriptOf([{ kind: 'tool-ended', entry: toolEntry(text, { a: text }, { text, status: 'failed' }) }])
        )
      case 5:
        return first(
          toggleRows(
            transcriptOf([
              {
                kind: 'tool-ended',
                entry: toolEntry(
                  'bash',
                  { [text]: text },
                  { text, meta: { diff: text, summary: text, outputFile: text } }
                )
              }
            ]),
            'tool'
          )
        )
      default:
        return {
          ...first(
            transcriptOf([{ kind: 'reply-opened', entry: assistant('a1', { model: text, text, reasoning: text }) }])
          ),
          unfolded: kind === 6
        } as Row
    }
  })
  fc.assert(
    fc.property(rowOf, fc.integer({ min: 1, max: 60 }), (row, width) => {
      const { head, closed, open } = rowPieces(row, null)
      for (const piece of [...head, ...closed, ...open]) {
        expect(piece.guess(width)).toBeGreaterThanOrEqual(1)
        for (const line of piece.draw(width, plainPen)) {
          const text = lineText(line)
          expect(cellWidth(text)).toBeLessThanOrEqual(width)
          expect(line.width).toBe(cellWidth(text))
          expect(text).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/)
        }
      }
    }),
    { numRuns: runs(400) }
  )
})

describe('lines of a command', () => {
  const listed = (text: string, width: number) =>
    drawn(first(transcriptOf([{ kind: 'command-output', command: 'list-arrows', lines: [text] }])), width)

  it('hang below where they began when they do not fit (OPUI-310)', () => {
    expect(listed('  implementer→integrator/default stratum=L2 clauses=14', 40)).toEqual([
      '  implementer→integrator/default',
      '      stratum=L2 clauses=14'
    ])
  })

  it('keep a word whole rather than their indent', () => {
    const word = 'x'.repeat(36)
    expect(listed(`  · pass-closed ${word}`, 40)).toEqual(['  · pass-closed', word])
  })

  it('stand as they are when they fit, and use the whole width of a narrow window', () => {
    expect(listed('  a b', 40)).toEqual(['  a b'])
    expect(listed('abc def ghi', 6)).toEqual(['abc', 'def', 'ghi'])
  })
})
