import { PassThrough } from 'node:stream'
import { render, renderToString, Text } from 'ink'
import { Profiler } from 'react'
import { afterEach, describe, expect, test } from 'vitest'
import type { GhyllEvent } from '../../src/protocol/event.ts'
import { entryId, sessionId, stepId } from '../../src/protocol/ids.ts'
import { Area } from '../../ui/area.tsx'
import { divideScreen } from '../../ui/layout.ts'
import { createTurnWatch, notification } from '../../ui/notify.ts'
import { TranscriptPane } from '../../ui/pane.tsx'
import { press } from '../../ui/store/press.ts'
import { reduce } from '../../ui/store/reduce.ts'
import { createScreenStore, StoreContext } from '../../ui/store/store.ts'
import { createTheme } from '../../ui/theme/index.ts'
import { TranscriptView } from '../../ui/transcript/view.ts'
import { fc } from '../support/laws.ts'
import { boot, openScreen, type ScreenHarness } from '../support/screen-harness.ts'

let harness: ScreenHarness | null = null
afterEach(async () => {
  await harness?.close()
  harness = null
})

const told = { session: sessionId('s'), at: 0 }

test('typing renders no transcript row (TERM-12)', async () => {
  const store = createScreenStore(boot, { columns: 80, rows: 24 })
  const view = new TranscriptView({ glyphs: createTheme(boot).glyphs, highlight: null })
  let renders = 0
  const stdout = Object.assign(new PassThrough(), { columns: 80, rows: 24 }) as unknown as NodeJS.WriteStream
  const instance = render(
    <StoreContext value={store}>
      <Profiler id="transcript" onRender={() => void renders++}>
        <TranscriptPane view={view} width={80} height={20} isFramed={false} />
      </Profiler>
    </StoreContext>,
    { stdout, interactive: false, patchConsole: false }
  )
  const event: GhyllEvent = { ...told, kind: 'notice', level: 'info', text: 'hello' }
  const first = renders
  store.setState(reduce(store.getState(), event), true)
  await instance.waitUntilRenderFlush()
  const before = renders
  expect(before).toBeGreaterThan(first)
  for (const letter of 'typing') {
    const key = { kind: 'key', name: letter, text: letter, isRepeat: false, isBurst: false } as const
    store.setState(press(store.getState(), key, 0).state, true)
  }
  await instance.waitUntilRenderFlush()
  expect(store.getState().prompt.editor.text).toBe('typing')
  expect(renders).toBe(before)
  instance.unmount()
})

function Broken(): never {
  throw new Error('boom')
}

test('an error inside a component is shown in its place and reported; the rest lives on (TERM-7)', () => {
  const reports: string[] = []
  const frame = renderToString(
    <>
      <Text>before</Text>
      <Area name="header" width={40} attempt="1" onError={(message) => reports.push(message)}>
        <Broken />
      </Area>
      <Text>after</Text>
    </>
  )
  expect(frame).toBe('before\n ✗ header: boom\nafter')
  expect(reports).toHaveLength(1)
  expect(reports[0]).toMatch(/^header: Error: boom/)
})

test('every division of a window adds up, and header, prompt and status line always have a row (TERM-1, TERM-3)', () => {
  const count = fc.integer({ min: 0, max: 30 })
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 200 }),
      fc.integer({ min: 0, max: 80 }),
      count,
      count,
      count,
      (columns, rows, prompt, chips, list) => {
        const layout = divideScreen({ columns, rows, prompt: Math.max(1, prompt), chips, list })
        if (layout.kind === 'tiny') return
        expect(layout.prompt).toBeGreaterThanOrEqual(1)
        expect(layout.transcript).toBeGreaterThanOrEqual(1)
        expect(2 + layout.prompt + layout.transcript + layout.chips + layout.list).toBe(rows)
      }
    )
  )
})

describe('no frame is larger than its window (TERM-1)', () => {
  test('at every size, with a long draft, chips, a list and an overlay', async () => {
    const screen = openScreen({ columns: 60, rows: 20 })
    harness = screen
    screen.emit(
      { kind: 'phase-changed', from: 'ready', to: 'turn', reason: '' },
      { kind: 'commands-loaded', commands: [{ name: 'status', description: 'x'.repeat(200), source: 'built-in' }] },
      {
        kind: 'input-submitted',
        row: { seq: 1, kind: 'input', delivery: 'steer', origin: 'operator', text: '日本語 '.repeat(80) }
      },
      {
        kind: 'reply-opened',
        entry: {
          kind: 'assistant',
          id: entryId('a'),
          turn: 1,
          step: stepId('s'),
          model: 'm25',
          family: 'minimax',
          text: `| a | b |\n|---|---|\n| 👩‍👩‍👧 | 日本語 |\n\n~~~ts\nconst long = "${'x'.repeat(300)}"\n~~~`,
          reasoning: '',
          toolCalls: [],
          status: 'open'
        }
      }
    )
    screen.type('/')
    await screen.until(() => screen.text().includes('/status'))
    for (const columns of [1, 2, 5, 19, 20, 21, 39, 40, 59, 60, 109, 110, 160]) {
      for (const rows of [1, 2, 5, 6, 7, 11, 12, 30]) {
        screen.resize(columns, rows)
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    screen.type('\x1bOP')
    screen.resize(44, 11)
    await screen.until(() => screen.text().includes('Esc close'))
    expect(screen.terminal.buffer.active.baseY).toBe(0)
    expect(screen.lines()[0]).toMatch(/^help/)
    screen.type('\x1b')
    screen.resize(60, 20)
    await screen.until(() => screen.lines()[0]?.startsWith(' ghyll') === true && screen.text().includes('/status'))
    expect(screen.terminal.buffer.active.baseY).toBe(0)
    expect(screen.commands.filter((command) => command.kind === 'report-screen-error')).toEqual([])
  })
})

describe('while nothing happens', () => {
  test('nothing is written (TERM-13)', async () => {
    const screen = openScreen()
    harness = screen
    screen.emit({ kind: 'phase-changed', from: 'init', to: 'ready', reason: '' })
    await screen.until(() => screen.text().includes('? help') && !screen.text().includes('starting'))
    const before = screen.bytesWritten()
    // That nothing comes can only be waited for: longer than a frame of events and than a timer of a tenth of a second.
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(screen.bytesWritten()).toBe(before)
  })
})

describe('a notification (TERM-63)', () => {
  test('is due when a long turn ends', () => {
    const watch = createTurnWatch()
    const started: GhyllEvent = { session: sessionId('s'), at: 0, kind: 'turn-started', turn: 1 }
    const ended = (at: number): GhyllEvent => ({
      session: sessionId('s'),
      at,
      kind: 'turn-ended',
      turn: 1,
      outcome: 'completed',
      code: null
    })
    watch.attention(started)
    expect(watch.attention(ended(9_999))).toBe(false)
    watch.attention(started)
    expect(watch.attention(ended(10_000))).toBe(true)
  })

  test.each([
    ['bell', '\x07'],
    ['osc9', '\x1b]9;done\x07'],
    ['none', '']
  ] as const)('%s', (how, bytes) => {
    expect(notification(how, 'done')).toBe(bytes)
  })
})
