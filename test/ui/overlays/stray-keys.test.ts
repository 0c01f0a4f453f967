import { describe, expect, test } from 'vitest'
import type { Command } from '../../../src/protocol/command.ts'
import type { GatePrompt } from '../../../src/protocol/gate-prompt.ts'
import { createInputDecoder } from '../../../ui/keys/index.ts'
import { armed, armedFront, painted } from '../../../ui/overlays/stack.ts'
import { press } from '../../../ui/store/press.ts'
import type { ScreenState } from '../../../ui/store/state.ts'
import { escalation, verdict } from '../../support/gate-view.ts'
import { keys } from '../../support/keys.ts'
import { fc } from '../../support/laws.ts'
import { gateScreen, told } from '../../support/screen-state.ts'

// What happens around the moment at which a verdict overlay opens, on a clock of its own: bytes arrive, the overlay opens, a frame is
// painted, time passes (TERM-50…52, OPUI-741).

type Moment =
  | { readonly at: number; readonly bytes: string }
  | { readonly at: number; readonly opens: GatePrompt }
  | { readonly at: number; readonly paints: true }

const recording = new Set(['attest', 'answer-escalation', 'answer-risk', 'declare-arrow', 'settle-amendment', 'bind'])

/** Plays the moments in the order of their time. */
function played(moments: readonly Moment[], from: ScreenState = gateScreen()) {
  const decoder = createInputDecoder()
  const commands: Command[] = []
  let state = from
  const take = (inputs: ReturnType<typeof decoder.push>, now: number) => {
    for (const input of inputs) {
      const outcome = press(state, input, now)
      state = outcome.state
      for (const effect of outcome.effects) if (effect.kind === 'dispatch') commands.push(effect.command)
    }
  }
  for (const moment of [...moments].sort((a, b) => a.at - b.at)) {
    const due = decoder.deadline()
    if (due !== null && due <= moment.at) take(decoder.flush(due), due)
    state = { ...state, overlays: armed(state.overlays, moment.at) }
    if ('bytes' in moment) take(decoder.push(moment.bytes, moment.at), moment.at)
    else if ('opens' in moment)
      state = told(state, { kind: 'prompt-opened', prompt: moment.opens, place: { at: 1, of: 1 } })
    else state = { ...state, overlays: painted(state.overlays, moment.at) }
  }
  const end = Math.max(...moments.map(({ at }) => at)) + 1_000
  if (decoder.deadline() !== null) take(decoder.flush(end), end)
  return { state, recorded: commands.filter(({ kind }) => recording.has(kind)), commands }
}

const typed = (text: string, from: number, gapMs: number): Moment[] =>
  [...text].map((char, index) => ({ at: from + index * gapMs, bytes: char }))

const opening = (at: number, paintedAfter = 16, prompt: GatePrompt = verdict): Moment[] => [
  { at, opens: prompt },
  { at: at + paintedAfter, paints: true }
]

test('a person typing eight keys a second records nothing, and every character is in the draft', () => {
  const letters = fc
    .array(fc.constantFrom(...'pyfise12nPY xq'), { minLength: 1, maxLength: 40 })
    .map((all) => all.join(''))
  fc.assert(
    fc.property(
      letters,
      fc.integer({ min: 0, max: 5_000 }),
      fc.integer({ min: 0, max: 250 }),
      fc.integer({ min: 40, max: 399 }),
      fc.constantFrom<GatePrompt>(verdict, escalation),
      (text, openAt, paintedAfter, gapMs, prompt) => {
        // It opens while the person is at it: before the last key at the latest.
        const at = Math.min(openAt, (text.length - 1) * gapMs)
        const { state, recorded } = played([...typed(text, 0, gapMs), ...opening(at, paintedAfter, prompt)])
        expect(recorded).toEqual([])
        // Only what follows a pause of 400 ms can be meant for the overlay, and there is none.
        expect(state.prompt.editor.text).toBe(text)
      }
    )
  )
})

test('Enter sent 10 ms before it opens sends the message and answers nothing', () => {
  const { state, recorded, commands } = played([
    ...typed('please', 0, 125),
    { at: 990, bytes: keys.enter },
    ...opening(1_000),
    { at: 1_100, bytes: keys.enter }
  ])
  expect(recorded).toEqual([])
  expect(commands).toContainEqual({ kind: 'submit', text: 'please', delivery: 'steer' })
  expect(state.overlays).toHaveLength(1)
})

describe('a paste across its opening', () => {
  const text = 'pyy\npass\ny\n'.repeat(3)

  test.each([
    ['quickly', 1_050],
    ['after it would have been armed', 2_500]
  ])('whose end arrives %s is in the draft, whole', (_, endAt) => {
    // A slow line: a piece now and then, never so late that the end mark would be given up.
    const pieces = [text.slice(0, 10), text.slice(10, 20), text.slice(20)]
    const { state, recorded } = played([
      { at: 900, bytes: '\x1b[200~' },
      ...opening(1_000),
      ...pieces.map((bytes, index) => ({ at: 900 + ((endAt - 900) / pieces.length) * (index + 1), bytes })),
      { at: endAt + 1, bytes: '\x1b[201~' }
    ])
    expect(recorded).toEqual([])
    expect(state.prompt.editor.text).toBe(text)
  })

  test('without brackets, in chunks, it is in the draft too', () => {
    const chunks = text.match(/[\s\S]{1,3}/g) ?? []
    for (const openAt of [0, 7, 15, 400]) {
      const { state, recorded } = played([
        ...chunks.map((chunk, index) => ({ at: index * 5, bytes: chunk.replaceAll('\n', '\r') })),
        ...opening(openAt)
      ])
      expect(recorded).toEqual([])
      expect(state.prompt.editor.text).toBe(text)
    }
  })

  test('a burst into an overlay that is armed answers nothing and goes to the draft', () => {
    const { state, recorded } = played([
      ...opening(0),
      { at: 2_000, bytes: 'p' },
      { at: 2_002, bytes: 'y' },
      { at: 2_004, bytes: '\r' },
      { at: 2_006, bytes: 'y' },
      { at: 2_008, bytes: 'n' },
      { at: 2_010, bytes: 'p' }
    ])
    expect(recorded).toEqual([])
    expect(armedFront(state.overlays)).not.toBeNull()
    expect(state.prompt.editor.text).toBe('y\nynp')
  })
})

describe('a held key', () => {
  test.each([
    ['as plain characters', 'p'],
    ['as y', 'y']
  ])('%s keeps it unarmed for as long as it is held', (_, char) => {
    const { state, recorded } = played([...typed(char.repeat(80), 0, 33), ...opening(600)])
    expect(recorded).toEqual([])
    expect(state.prompt.editor.text).toBe(char.repeat(80))
    expect(armedFront(state.overlays)).toBeNull()
  })

  test('told as repeats (kitty) it answers nothing either, even once armed', () => {
    const repeat = (code: number) => `\x1b[${code};1:2u`
    const { recorded } = played([
      ...opening(0),
      { at: 1_000, bytes: 'p' },
      ...Array.from({ length: 20 }, (_, index) => ({ at: 1_500 + index * 33, bytes: repeat(112) })),
      ...Array.from({ length: 20 }, (_, index) => ({ at: 3_000 + index * 33, bytes: repeat(121) }))
    ])
    expect(recorded).toEqual([])
  })

  test('the key that opened a field does not fill it while it is held', () => {
    const { state } = played([
      ...opening(0),
      { at: 1_000, bytes: 'f' },
      ...Array.from({ length: 20 }, (_, index) => ({ at: 1_500 + index * 33, bytes: '\x1b[102;1:2u' })),
      { at: 3_000, bytes: 'a' }
    ])
    const content = state.overlays.at(-1)?.content
    expect(content?.kind === 'decision' ? content.texts['verdict.fail']?.text : null).toBe('a')
  })
})

test('a frame that comes 200 ms late starts the quiet time late', () => {
  const keysAt = (at: number): Moment[] => [
    { at, bytes: 'p' },
    { at: at + 60, bytes: 'y' }
  ]
  expect(played([...opening(1_000, 200), ...keysAt(1_590)]).state.prompt.editor.text).toBe('py')
  expect(played([...opening(1_000, 200), ...keysAt(1_601)]).recorded).toHaveLength(1)
  // Never painted, never armed.
  expect(played([{ at: 1_000, opens: verdict }, ...keysAt(9_000)]).recorded).toEqual([])
})

test('a window that gets the focus by a click answers nothing and types nothing', () => {
  const { state, recorded } = played([
    { at: 0, bytes: '\x1b[O' },
    ...opening(100),
    { at: 5_000, bytes: '\x1b[I\x1b[<0;40;12M' },
    { at: 5_040, bytes: '\x1b[<0;40;12m' }
  ])
  expect(recorded).toEqual([])
  expect(state.prompt.editor.text).toBe('')
})

test('no script without a deliberate y at the confirmation records (TERM-52)', () => {
  const names = fc.constantFrom(
    ...[
      keys.enter,
      ' ',
      keys.escape,
      keys.backspace,
      keys.tab,
      keys.up,
      keys.down,
      '\x1b[200~y\x1b[201~',
      'n',
      'p',
      'f',
      'i'
    ]
  )
  fc.assert(
    fc.property(fc.array(names, { maxLength: 25 }), (script) => {
      const moments = script.map((bytes, index): Moment => ({ at: 1_000 + index * 100, bytes }))
      expect(played([...opening(0), ...moments]).recorded).toEqual([])
    })
  )
})
