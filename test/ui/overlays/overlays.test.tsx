import { Box, renderToString } from 'ink'
import { describe, expect, test } from 'vitest'
import { cellWidth } from '../../../src/lib/width.ts'
import type { Command } from '../../../src/protocol/command.ts'
import { bindKeys } from '../../../ui/keys/index.ts'
import { layoutOverlay, type OverlayLayout, type OverlaySources } from '../../../ui/overlays/body.ts'
import { decisionOf } from '../../../ui/overlays/decision.ts'
import type { Help } from '../../../ui/overlays/help.ts'
import { Overlay } from '../../../ui/overlays/overlay.tsx'
import { closeFront, pressOverlay } from '../../../ui/overlays/press.ts'
import {
  armed,
  armedFront,
  armingAt,
  closed,
  disturbed,
  type Layer,
  opened,
  type Picker,
  painted
} from '../../../ui/overlays/stack.ts'
import { verdict } from '../../support/gate-view.ts'
import { fc, runs } from '../../support/laws.ts'

const command: Command = { kind: 'submit', text: 'chosen', delivery: 'steer' }
const evidence = Array.from({ length: 40 }, (_, index) => `evidence ${index}`).join('\n')
const question = decisionOf({ ...verdict, evidence }, { at: 1, of: 2 }, {})
const help: Help = { kind: 'help', begins: 'keys', filter: '' }
const picker: Picker = {
  kind: 'picker',
  title: 'sessions',
  items: ['alpha', 'beta', 'gamma'].map((id) => ({ id, label: id, detail: '', command: { ...command, text: id } })),
  filter: '',
  selected: null
}

function front(content: Layer['content']): readonly Layer[] {
  return opened([], { id: 'x', content, by: 'operator', at: 0 })
}

const key = (
  name: string,
  changes: { isRepeat?: boolean; action?: Parameters<typeof pressOverlay>[1]['action'] } = {}
) => ({
  action: changes.action ?? null,
  name,
  text: name.length === 1 ? name : '',
  isRepeat: changes.isRepeat ?? false
})
/** The overlay on an otherwise empty window. */
function drawn(layout: OverlayLayout, columns: number, rows: number): string {
  return renderToString(
    <Box width={columns} height={rows}>
      <Overlay layout={layout} columns={columns} rows={rows} />
    </Box>,
    { columns }
  )
}

const extent = { lines: 40, height: 10 }

describe('the stack (TERM-50)', () => {
  test('only the front one takes keys; closing it gives them to the one behind', () => {
    const two = opened(front(help), { id: 'y', content: picker, by: 'operator', at: 0 })
    expect(armedFront(two)?.id).toBe('y')
    expect(armedFront(closed(two, 'y'))?.id).toBe('x')
  })

  test('what opens by itself queues behind a question that waits', () => {
    const two = opened(front(question), { id: 'y', content: question, by: 'itself', at: 0 })
    expect(two.map(({ id }) => id)).toEqual(['y', 'x'])
  })

  test('opening the same overlay again does not stack it twice', () => {
    expect(opened(front(help), { id: 'x', content: help, by: 'operator', at: 1 })).toHaveLength(1)
  })
})

describe('arming (TERM-51)', () => {
  const asked = opened([], { id: 'q', content: question, by: 'itself', at: 100 })

  test('nothing arms it before it is painted', () => {
    expect(armingAt(asked)).toBeNull()
    expect(armedFront(armed(asked, 10_000))).toBeNull()
  })

  test('painted, it waits for 400 ms without a key', () => {
    const shown = painted(asked, 150)
    expect(armingAt(shown)).toBe(550)
    expect(armedFront(armed(shown, 549))).toBeNull()
    expect(armedFront(armed(shown, 550))?.id).toBe('q')
  })

  test('a held key keeps it unarmed for as long as it is held', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 399 }), { maxLength: 30 }), (gaps) => {
        let layers = painted(asked, 150)
        let now = 150
        for (const gap of gaps) {
          now += gap
          layers = disturbed(armed(layers, now), now)
          expect(armedFront(layers)).toBeNull()
        }
        expect(armedFront(armed(layers, now + 400))).not.toBeNull()
      })
    )
  })
})

test('Esc and Ctrl+C close what only shows something (TERM-45a)', () => {
  expect(closeFront(front(help)).layers).toEqual([])
})

describe('a picker', () => {
  test('typing filters, arrows mark, Enter takes', () => {
    const filtered = pressOverlay(front(picker), key('a'), extent)!
    const marked = pressOverlay(filtered.layers, key('down', { action: 'overlay.down' }), extent)!
    expect(pressOverlay(marked.layers, key('enter', { action: 'picker.choose' }), extent)).toEqual({
      layers: [],
      commands: [{ ...command, text: 'beta' }]
    })
    const none = pressOverlay(
      pressOverlay(front(picker), key('z'), extent)!.layers,
      key('enter', { action: 'picker.choose' }),
      extent
    )
    expect(none).toBeNull()
  })
})

describe('layout (TERM-53)', () => {
  const sources = (columns: number, rows: number): OverlaySources => ({
    bindings: bindKeys({}),
    commands: [{ name: 'status', description: 'the state', source: 'built-in' }],
    columns,
    rows,
    cursor: '▸',
    opId: 'alice@example.com'
  })

  test('fits at every size from 40×10 up, with title and foot in sight', () => {
    const confirming = { ...question, stage: 'confirm' as const, chosen: 'verdict.pass' }
    const contents = [question, confirming, picker, help]
    fc.assert(
      fc.property(
        fc.integer({ min: 40, max: 200 }),
        fc.integer({ min: 10, max: 60 }),
        fc.constantFrom(...contents),
        (columns, rows, content) => {
          const layout = layoutOverlay(front(content)[0]!, sources(columns, rows))
          const lines = drawn(layout, columns, rows).split('\n')
          expect(lines.length).toBeLessThanOrEqual(rows)
          expect(lines.join('\n')).toContain(layout.title)
          expect(layout.foot.length).toBeGreaterThan(0)
          expect(layout.width).toBeLessThanOrEqual(columns)
          for (const line of layout.foot) expect(line.width).toBeLessThanOrEqual(columns)
        }
      ),
      { numRuns: runs(40) }
    )
  })

  test('the whole body can be reached by scrolling, and hidden lines are counted (TERM-31)', () => {
    let layers = front(question)
    const seen = new Set<string>()
    for (let step = 0; step < 60; step++) {
      const layout = layoutOverlay(layers[0]!, sources(80, 24))
      for (const line of layout.body.slice(layout.scroll, layout.scroll + layout.height)) {
        seen.add(line.spans.map(({ text }) => text).join(''))
      }
      const down = pressOverlay(layers, key('down', { action: 'overlay.down' }), {
        lines: layout.body.length,
        height: layout.height
      })
      layers = down?.layers ?? layers
    }
    const { body } = layoutOverlay(front(question)[0]!, sources(80, 24))
    expect(seen.size).toBe(body.length)
    const first = layoutOverlay(front(question)[0]!, sources(80, 24))
    expect(drawn(first, 80, 24)).toContain(`(${first.body.length - first.height} more lines, ↓)`)
  })

  test('text that hides or reorders is visible (TERM-31)', () => {
    const layout = layoutOverlay(front({ kind: 'text', title: 't', body: 'a\u202eb' })[0]!, sources(80, 24))
    expect(layout.body[0]?.spans.map(({ text }) => text).join('')).toBe('a<U+202E>b')
  })

  test('an unarmed overlay says so', () => {
    const [layer] = opened([], { id: 'q', content: question, by: 'itself', at: 0 })
    const foot = layoutOverlay(layer!, sources(80, 24)).foot.map(({ spans }) => spans.map(({ text }) => text).join(''))
    expect(foot).toEqual(['takes keys when you stop typing'])
  })

  test('the help lists every key that is bound, as it is bound now (TERM-48)', () => {
    const layout = layoutOverlay(front(help)[0]!, {
      ...sources(80, 24),
      bindings: bindKeys({ redraw: ['f9'] })
    })
    const text = layout.body.map(({ spans }) => spans.map((span) => span.text).join('')).join('\n')
    expect(text).toContain('F9')
    expect(text).not.toContain('Ctrl+L')
    expect(text).toContain('/status')
    for (const line of layout.body)
      expect(cellWidth(line.spans.map((span) => span.text).join(''))).toBeLessThanOrEqual(76)
  })

  test('the help begins with what was asked for, and typing narrows it to what holds the words', () => {
    const linesOf = (layers: readonly Layer[]) =>
      layoutOverlay(layers.at(-1)!, sources(80, 24)).body.map(({ spans }) => spans.map(({ text }) => text).join(''))
    expect(linesOf(front(help))[0]).toBe('Anywhere')
    const typed = (layers: readonly Layer[], ...names: readonly string[]) =>
      names.reduce((before, name) => pressOverlay(before, key(name), extent)?.layers ?? [], layers)
    const opened = front({ ...help, begins: 'commands' })
    expect(linesOf(opened)[0]).toBe('Commands')
    const narrowed = typed(opened, ...'/sTat')
    expect(linesOf(narrowed)).toEqual(['Commands', expect.stringMatching(/^ {2}\/status /)])
    const none = typed(narrowed, 'x', 'x')
    expect(linesOf(none)).toEqual(['nothing here has that in it'])
    const back = pressOverlay(none, key('backspace', { action: 'picker.erase' }), extent)?.layers ?? []
    expect(layoutOverlay(back[0]!, sources(80, 24)).foot.at(-1)?.spans[0]?.text).toBe(
      '↑↓ scroll   Esc close   filter: /sTatx'
    )
  })
})
