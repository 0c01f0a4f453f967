import { describe, expect, test } from 'vitest'
import { layoutOverlay } from '../../../ui/overlays/body.ts'
import { overlaySources } from '../../../ui/overlays/front.ts'
import { entriesOf, markedOf } from '../../../ui/panels/entries.ts'
import { sourcesOf } from '../../../ui/panels/press.ts'
import type { ScreenState } from '../../../ui/store/state.ts'
import { verdict, view } from '../../support/gate-view.ts'
import { keys, wheel } from '../../support/keys.ts'
import { armedBy, gateScreen, told, typing } from '../../support/screen-state.ts'

// The wheel moves what lies under it three lines a notch (TERM-22, TERM-53), and answers nothing (TERM-52).

const down = (column = 1) => wheel('down', column)
const up = () => wheel('up')

function firstShown(state: ScreenState): number {
  const front = state.overlays.at(-1)
  if (front === undefined) throw new Error('no overlay')
  return layoutOverlay(front, overlaySources(state)).scroll
}

describe('over an overlay', () => {
  const help = typing(gateScreen(), keys.f1).state

  test('its body moves and the transcript behind it stays', () => {
    const moved = typing(help, down(), down())
    expect(firstShown(moved.state)).toBe(6)
    expect(moved.effects).toEqual([])
    expect(firstShown(typing(moved.state, up()).state)).toBe(3)
  })

  test('it stops at both ends', () => {
    expect(firstShown(typing(help, up()).state)).toBe(0)
    const front = help.overlays[0]
    if (front === undefined) throw new Error('no overlay')
    const { body, height } = layoutOverlay(front, overlaySources(help))
    expect(firstShown(typing(help, down().repeat(500)).state)).toBe(body.length - height)
  })

  test('one that asks for a verdict is read by it and never answered, unarmed or armed', () => {
    const long = { ...verdict, description: 'word '.repeat(2_000) }
    const unarmed = told(gateScreen(), { kind: 'prompt-opened', prompt: long, place: { at: 1, of: 1 } })
    for (const state of [unarmed, armedBy(unarmed)]) {
      const turned = typing(state, down(), down())
      expect(firstShown(turned.state)).toBe(6)
      expect(turned.effects).toEqual([])
      expect(turned.state.overlays[0]?.content).toBe(state.overlays[0]?.content)
    }
  })
})

describe('over panels (OPUI-710)', () => {
  const wide = told(gateScreen({ columns: 120, rows: 40 }), { kind: 'gate-viewed', view })
  const markedArrow = (state: ScreenState) =>
    markedOf(entriesOf('arrows', sourcesOf(state)), state.panels.panels.arrows.cursor)?.index

  test('the panel under the pointer moves, focused or not; over the transcript it is the transcript', () => {
    const turned = typing(wide, down(110))
    expect(markedArrow(turned.state)).toBe(Math.min(3, view.arrows.length - 1))
    expect(turned.effects).toEqual([])
    expect(turned.state.panels.focus).toBeNull()
    expect(typing(wide, down(10)).effects).toEqual([{ kind: 'scroll', move: { kind: 'lines', by: 3 } }])
  })

  test('a panel that covers the window takes it wherever the pointer is', () => {
    const narrow = told(gateScreen({ columns: 50, rows: 15 }), { kind: 'gate-viewed', view })
    const open = typing(narrow, '\x1bOQ').state
    expect(markedArrow(typing(open, down(1)).state)).toBeGreaterThan(0)
    expect(typing(open, down(1)).effects).toEqual([])
  })
})

test('a burst is one move, and one that goes back and forth is none', () => {
  expect(typing(gateScreen(), up().repeat(4)).effects).toEqual([{ kind: 'scroll', move: { kind: 'lines', by: -12 } }])
  expect(typing(gateScreen(), up() + down()).effects).toEqual([])
})
