import { describe, expect, test } from 'vitest'
import { queued, view } from '../../support/gate-view.ts'
import { keys } from '../../support/keys.ts'
import { gateScreen, told, typing } from '../../support/screen-state.ts'

const screen = told(gateScreen(), { kind: 'gate-viewed', view })
const offered = (text: string) => typing(screen, text).state.prompt.completion?.items?.map(({ label }) => label) ?? []

describe('ids complete after the commands that take them (TERM-42, OPUI-102)', () => {
  test.each([
    ['/run-arrow ', view.arrows.map(({ id }) => id)],
    ['/invalidate-arrow ana', ['analyst→architect/default', 'init→analyst/default']],
    ['/run-arrow init->', ['init→analyst/default']],
    ['/attest ', [queued.item]],
    ['/abort-pass p', ['p-7']],
    ['/run-arrow x y', []],
    ['/status ', []],
    ['run-arrow ', []]
  ])('%s', (text, ids) => {
    expect(offered(text)).toEqual(ids)
  })

  test('Tab takes the marked one and what follows can be typed; Enter sends what was typed', () => {
    const taken = typing(screen, '/run-arrow init->', keys.tab).state
    expect(taken.prompt.editor.text).toBe('/run-arrow init→analyst/default ')
    const sent = typing(screen, '/run-arrow init->analyst/default', keys.enter)
    expect(sent.commands).toContainEqual({
      kind: 'submit',
      text: '/run-arrow init->analyst/default',
      delivery: 'steer'
    })
  })

  test('before the gate was told of, nothing is offered', () => {
    expect(typing(gateScreen(), '/run-arrow ').state.prompt.completion?.items).toEqual([])
  })
})
