import { cleanup, render } from 'ink-testing-library'
import { afterEach, describe, expect, it } from 'vitest'
import { entryId } from '../../../src/protocol/ids.ts'
import { createTheme, ThemeContext } from '../../../ui/theme/index.ts'
import type { TranscriptState } from '../../../ui/transcript/model.ts'
import { Transcript, useHighlighter } from '../../../ui/transcript/transcript.tsx'
import { TranscriptView } from '../../../ui/transcript/view.ts'
import { assistant, plainPen, reply, said, toolEntry, transcriptOf } from '../../support/transcript.ts'

afterEach(cleanup)

const mono = createTheme({ colour: false, ascii: false })
const session = transcriptOf([
  said('u1', 'make the cart total include tax'),
  { kind: 'reply-opened', entry: assistant('a1', { text: 'I will look at the cart first.', status: 'done' }) },
  { kind: 'tool-ended', entry: toolEntry('read_file', { path: 'src/cart.ts' }, { meta: { summary: '42 lines' } }) },
  {
    kind: 'tool-ended',
    entry: toolEntry(
      'edit_file',
      { path: 'src/cart.ts' },
      { message: entryId('a2'), durationMs: 11, meta: { summary: '+3 −1' } }
    )
  },
  reply('a3', 'Tax is added **after** discounts.'),
  { kind: 'notice', level: 'detail', text: 'pass-opened   pass=p-7 role=analyst context=default' }
])

function frame(state: TranscriptState, cols: number, rows: number, theme = mono): string {
  const view = new TranscriptView({ glyphs: theme.glyphs, highlight: null })
  const { lastFrame, unmount } = render(
    <ThemeContext value={theme}>
      <Transcript view={view} state={state} cols={cols} rows={rows} />
    </ThemeContext>
  )
  const drawn = lastFrame() ?? ''
  unmount()
  return drawn
}

function Coloured({ view, state }: { readonly view: TranscriptView; readonly state: TranscriptState }) {
  useHighlighter(view, true)
  return <Transcript view={view} state={state} cols={60} rows={4} />
}

describe('Transcript', () => {
  it('draws the entries of a session (TERM-20)', () => {
    const plain = frame(session, 60, 7).replace(/\x1b\[[\d;]*m/g, '')
    expect(plain.split('\n').map((line) => line.trimEnd())).toEqual([
      'you      make the cart total include tax',
      'm25      I will look at the cart first.',
      '⏵ read_file src/cart.ts                     42 lines    8 ms',
      '⏵ edit_file src/cart.ts                        +3 −1   11 ms',
      '         Tax is added after discounts.',
      '  · pass-opened   pass=p-7 role=analyst context=default',
      ''
    ])
  })

  it('uses no colour under NO_COLOR, only bold and inverse (TERM-16)', () => {
    const codes = new Set(frame(session, 60, 8).match(/\x1b\[[\d;]*m/g))
    for (const code of codes) expect(code).toMatch(/^\x1b\[(?:0|1|22|7|27)m$/)
    expect(codes.size).toBeGreaterThan(0)
  })

  it('is exactly as high as asked and never wider, at every size (TERM-1)', () => {
    for (const [cols, rows] of [
      [1, 1],
      [5, 3],
      [10, 5],
      [20, 10],
      [40, 2],
      [120, 30]
    ] as const) {
      const lines = frame(session, cols, rows, createTheme({ colour: true, ascii: true }))
        .replace(/\x1b\[[\d;]*m/g, '')
        .split('\n')
      expect(lines.length).toBe(rows)
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(cols)
    }
    expect(frame(session, 0, 0)).toBe('')
  })

  it('is not drawn again by a parent that changed nothing of it (TERM-12)', () => {
    const view = new TranscriptView(plainPen)
    let drawn = 0
    const { lines } = view
    view.lines = function counted(this: TranscriptView) {
      drawn += 1
      return lines.call(this)
    }.bind(view)
    const element = (typed: string) => (
      <ThemeContext value={mono}>
        <Transcript key="transcript" view={view} state={session} cols={40} rows={5} />
        {typed === '' ? null : undefined}
      </ThemeContext>
    )
    const { rerender } = render(element(''))
    rerender(element('a'))
    rerender(element('ab'))
    expect(drawn).toBe(1)
  })

  it('is drawn again when the reader moves', async () => {
    const view = new TranscriptView(plainPen)
    const { lastFrame } = render(<Transcript view={view} state={session} cols={60} rows={2} />)
    expect(lastFrame()).toContain('pass-opened')
    const moved = new Promise<void>((resolve) => view.subscribe(resolve))
    view.toStart()
    await moved
    await expect.poll(() => lastFrame()).toContain('make the cart total')
  })

  it('colours code once the highlighter is there (TERM-70)', async () => {
    const view = new TranscriptView(plainPen)
    const theme = createTheme({ colour: true, ascii: false })
    const state = transcriptOf([reply('a1', '```ts\nconst a = 1\n```')])
    const { lastFrame } = render(
      <ThemeContext value={theme}>
        <Coloured view={view} state={state} />
      </ThemeContext>
    )
    expect(lastFrame()).toContain('const a = 1')
    await expect.poll(() => lastFrame()).toContain('\x1b[36mconst')
  })
})
