import { afterEach, describe, expect, test } from 'vitest'
import { cellWidth } from '../../src/lib/width.ts'
import { entryId } from '../../src/protocol/ids.ts'
import { assistant, call, tool, user } from '../support/entries.ts'
import { alt, ctrl, keys, paste } from '../support/keys.ts'
import { openScreen, replied, type ScreenHarness, type ScriptedEvent } from '../support/screen-harness.ts'

// What an operator sees of a session, as whole frames kept in test/terminal/frames: wide, ordinary, narrow and cramped.

let harness: ScreenHarness | null = null
afterEach(async () => {
  await harness?.close()
  harness = null
})

const answer = `I added the tax **after** discounts, in \`src/cart.ts\`:

\`\`\`ts
export function total(items: Item[]): number {
  return round(sum(items) * (1 + TAX)) // 19 %
}
\`\`\`

| item  | net   | tax  |
|-------|------:|-----:|
| apple | 1.00  | 0.19 |
| 梨    | 20.00 | 3.80 |

1. Discounts come first.
2. Rounding is *half up*, as [the law](https://example.com) wants it.

> Nothing else changed.`

const diff = `@@ -1,3 +1,3 @@
 export function total(items: Item[]): number {
-  return sum(items)
+  return round(sum(items) * (1 + TAX)) // 19 %
 }`

const read = call('c1', 'read_file', { path: 'src/cart.ts' })
const edit = call('c2', 'edit_file', { path: 'src/cart.ts', old_string: 'a', new_string: 'b' })
const ready: ScriptedEvent = { kind: 'phase-changed', from: 'init', to: 'ready', reason: '' }

const conversation: readonly ScriptedEvent[] = [
  ready,
  { kind: 'turn-started', turn: 3 },
  { kind: 'input-promoted', seqs: [], entries: [user('u1', 'make the cart total include tax')] },
  ...replied('a1', 'I will look at the cart first.'),
  { kind: 'tool-started', message: entryId('a1'), call: read },
  {
    kind: 'tool-ended',
    entry: tool('t1', 'a1', read, { text: 'export …', meta: { summary: '42 lines' } })
  },
  { kind: 'tool-started', message: entryId('a1'), call: edit },
  {
    kind: 'tool-ended',
    entry: tool('t2', 'a1', edit, { text: 'edited src/cart.ts', meta: { summary: '+1 −1', diff } })
  },
  ...replied('a2', answer),
  { kind: 'notice', level: 'detail', text: 'pass-opened   pass=p-7 role=analyst context=default' },
  { kind: 'notice', level: 'warning', text: 'sandbox check bypassed (sandbox = off)', hint: 'see ghyll help sandbox' },
  { kind: 'context-measured', tokens: 4_200, limit: 200_000, threshold: 32_000, toolDepth: 2 },
  {
    kind: 'usage-counted',
    model: 'm25',
    purpose: 'turn',
    usage: { prompt: 1_200, completion: 340, total: 1_540 },
    estimated: false
  }
]

const sizes = [
  [120, 40],
  [80, 24],
  [50, 15],
  [20, 10]
] as const

describe.each(sizes)('at %d×%d', (columns, rows) => {
  async function open(...events: readonly ScriptedEvent[]): Promise<ScreenHarness> {
    const screen = openScreen({ columns, rows })
    harness = screen
    screen.emit(...events)
    await screen.until(() => screen.text().includes('▸'))
    return screen
  }

  /** The frame once `holds`, kept under `name`; every line in the window, and borders straight. */
  async function frame(screen: ScreenHarness, name: string, holds: (text: string) => boolean): Promise<void> {
    await screen.until(() => holds(screen.text()), name)
    expect(screen.terminal.buffer.active.baseY).toBe(0)
    for (const line of screen.lines()) {
      expect(cellWidth(line)).toBeLessThanOrEqual(columns)
      if (columns >= 110 && line.startsWith('│'))
        expect(line.endsWith('│') && cellWidth(line) === columns, line).toBe(true)
    }
    await expect(`${screen.lines().join('\n')}\n`).toMatchFileSnapshot(
      `../terminal/frames/${name}-${columns}x${rows}.txt`
    )
  }

  test('the first frame, and the session behind it', async () => {
    const screen = await open()
    await frame(screen, 'start', (text) => text.includes('starting'))
    screen.emit(ready)
    await frame(screen, 'ready', (text) => !text.includes('starting'))
  })

  test('a conversation, its end and its beginning; tools unfolded (TERM-20, TERM-22)', async () => {
    const screen = await open(...conversation)
    await frame(screen, 'conversation', (text) => text.includes('sandbox'))
    screen.type(alt('t'))
    screen.type(keys.ctrlHome)
    // Unfolded, which in the smallest window only the reader's place tells.
    await frame(screen, 'conversation-top', (text) => text.includes('make the cart') && /path:|14%/.test(text))
  })

  test('a reply as it streams, with what waits for after it (TERM-25, TERM-46)', async () => {
    const entry = assistant('a1', { text: '', status: 'open' })
    const screen = await open(
      ready,
      { kind: 'phase-changed', from: 'ready', to: 'turn', reason: '' },
      { kind: 'turn-started', turn: 1 },
      { kind: 'reply-opened', entry },
      { kind: 'reply-delta', entry: entry.id, channel: 'text', text: 'The total is computed in' },
      {
        kind: 'input-submitted',
        row: { seq: 1, kind: 'input', delivery: 'steer', origin: 'operator', text: 'and keep the tests green' }
      },
      {
        kind: 'input-submitted',
        row: {
          seq: 2,
          kind: 'input',
          delivery: 'queue',
          origin: 'operator',
          text: 'then write a changelog entry for it'
        }
      }
    )
    await frame(screen, 'streaming', (text) => text.includes('computed') && text.includes('queue'))
  })

  test('completions, history search and transcript search (TERM-41, 42, 22)', async () => {
    const screen = await open()
    const asked = screen.commands.find((each) => each.kind === 'load-prompt-history')!
    screen.emit(
      { kind: 'prompt-history-loaded', request: asked.request, prompts: ['run the tests'], draft: '' },
      {
        kind: 'commands-loaded',
        commands: [
          { name: 'compact', description: 'replace the conversation by a summary', source: 'built-in' },
          { name: 'copy', description: 'the last answer to the clipboard', source: 'built-in' },
          { name: 'checkpoint', description: 'remember where the work stands', source: 'built-in' }
        ]
      },
      ...conversation
    )
    await screen.until(() => screen.text().includes('sandbox'))
    screen.type('/c')
    await frame(screen, 'completions', (text) => text.includes('/copy'))
    screen.type(keys.escape)
    await screen.until(() => !screen.text().includes('/copy'))
    screen.type(ctrl('u'))
    screen.type(ctrl('r'))
    screen.type('tests')
    await frame(screen, 'history-search', (text) => text.includes('run the tests'))
    screen.type(keys.escape)
    await screen.until(() => !screen.text().includes('run the tests'))
    screen.type(ctrl('f'))
    screen.type('tax')
    await frame(screen, 'transcript-search', (text) => / of \d|tax…|find: tax/.test(text))
  })

  test('help (TERM-48)', async () => {
    const screen = await open(...conversation)
    screen.type('?')
    await frame(screen, 'help', (text) => text.includes('scroll'))
  })

  test('a draft of several lines with a paste in it (TERM-40, TERM-43)', async () => {
    const screen = await open(...conversation)
    screen.type('Please look at this: ')
    screen.type(paste('x\n'.repeat(432)))
    screen.type(keys.altEnter)
    screen.type('second line 日本')
    await frame(screen, 'draft', (text) => text.includes('second'))
  })

  test('away from the end, with what is new counted (TERM-21)', async () => {
    const lines = Array.from({ length: 200 }, (_, index) => `- point ${index + 1}`).join('\n')
    const screen = await open(ready, ...replied('a1', lines))
    await screen.until(() => screen.text().includes('point 200'))
    screen.type(keys.pageUp)
    await screen.until(() => !screen.text().includes('point 200'))
    screen.emit({ kind: 'notice', level: 'info', text: 'one' }, { kind: 'notice', level: 'info', text: 'two' })
    await frame(screen, 'away', (text) => text.includes('2 new'))
  })

  test('asked about leaving (TERM-45a)', async () => {
    const screen = await open(...conversation)
    screen.type(ctrl('c'))
    await frame(screen, 'leaving', (text) => text.includes('press Ctrl+C'))
  })
})

test.each([
  [12, 3],
  [5, 2],
  [2, 1]
])('below a usable size one line says so: %d×%d (TERM-1)', async (columns, rows) => {
  const screen = openScreen({ columns, rows })
  harness = screen
  await screen.until(() => screen.text().trim() !== '')
  expect(screen.lines().filter((line) => line !== '')).toHaveLength(1)
})
