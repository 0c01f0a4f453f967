import { renderToString } from 'ink'
import stripAnsi from 'strip-ansi'
import { describe, expect, test } from 'vitest'
import { cellWidth } from '../../../src/lib/width.ts'
import type { Wizard, WizardChoice, WizardView } from '../../../src/protocol/wizard.ts'
import { createInputDecoder } from '../../../ui/keys/index.ts'
import { lineText } from '../../../ui/parts/lines.ts'
import { layoutWizard } from '../../../ui/wizard/layout.ts'
import { runWizardScreen } from '../../../ui/wizard/mount.tsx'
import { pressWizard } from '../../../ui/wizard/press.ts'
import { openedWizard, type WizardScreen } from '../../../ui/wizard/state.ts'
import { WizardView as View } from '../../../ui/wizard/wizard.tsx'
import { emulateTerminal } from '../../support/emulated-terminal.ts'
import { ctrl, keys } from '../../support/keys.ts'
import { fc, runs } from '../../support/laws.ts'

const choices: readonly WizardChoice[] = [
  { word: 'confirm', takes: null, label: 'record it as proposed' },
  { word: 'modify', takes: 'k=v …', label: 'tighten it' },
  { word: 'skip', takes: '<reason>', label: 'leave it out, visibly' },
  { word: 'extend', takes: 'id=… k=v …', label: 'add a clause' },
  { word: 'back', takes: null, label: 'reopen the clause before' },
  { word: 'quit', takes: null, label: 'leave' }
]

const clause = (at: number): WizardView => ({
  step: 'clause',
  title: `analyst→architect/default  C${at}`,
  lines: [],
  clause: {
    arrow: 'analyst→architect/default',
    id: `C${at}`,
    description: 'the tests pass',
    layers: [3],
    evaluation: 'machine',
    depth: 'depth-sensitive',
    minTier: 2,
    cost: 2,
    concept: 'tests-pass',
    asserts: 'the suite is green and not empty',
    arguments: [
      { name: 'scope', value: 'tests/**', type: 'path-glob', origin: 'contract' },
      { name: 'language', value: null, type: 'language-id', origin: 'missing' }
    ],
    isBase: false
  },
  added: at === 2 ? ['Added to this arrow: E1  a second reader agreed'] : [],
  position: { at, of: 3 },
  prompt: '',
  choices,
  refusal: null
})

/** A dialogue of three clauses that takes everything but an empty skip, and remembers what it was told. */
function scripted(answers: string[], at = 1, refusal: string | null = null): Wizard {
  const ended: WizardView = { ...clause(3), step: 'done', clause: null, choices: [] }
  return {
    view: at > 3 ? ended : { ...clause(at), refusal },
    answer(line) {
      answers.push(line)
      if (line === 'quit') return { view: { ...ended, step: 'quit' }, answer: () => this }
      if (line === 'back') return scripted(answers, Math.max(1, at - 1))
      if (line === 'skip') return scripted(answers, at, 'residue-required-for-skip')
      return scripted(answers, at + 1)
    }
  }
}

const start = (answers: string[] = []) => openedWizard(scripted(answers), { columns: 80, rows: 24, isAscii: false })

function typing(screen: WizardScreen, ...pieces: readonly string[]): WizardScreen {
  const decoder = createInputDecoder()
  let now = (screen.last?.at ?? 0) + 1_000
  let at = screen
  for (const piece of pieces) {
    now += 200
    for (const input of [...decoder.push(piece, now), ...decoder.flush(now)]) at = pressWizard(at, input, now)
  }
  return at
}

const foot = (screen: WizardScreen) => layoutWizard(screen).foot.map(lineText).join('\n')
const body = (screen: WizardScreen) => layoutWizard(screen).body.map(lineText).join('\n')

describe('one clause at a time (INIT-51, INIT-57)', () => {
  test('shows what it asserts and where each argument came from', () => {
    expect(layoutWizard(start()).title).toBe('ghyll init · 1 of 3 · analyst→architect/default  C1')
    expect(body(start())).toMatch(/concept:\s+tests-pass: the suite is green and not empty/)
    expect(body(start())).toContain('tests/**  (contract)')
    expect(body(start())).toContain('missing: a language-id is needed')
    expect(body(start())).not.toContain('Added')
    expect(body(typing(start(), 'c'))).toContain('Added to this arrow: E1  a second reader agreed')
  })

  test('keys answer: confirm, back, and words that take a text through a field', () => {
    const answers: string[] = []
    const end = typing(start(answers), 'c', 'b', 's', 'no budget', keys.enter, 'm', 'go', keys.enter)
    expect(answers).toEqual(['confirm', 'back', 'skip no budget', 'modify language=go'])
    expect(end.wizard.view.position).toEqual({ at: 3, of: 3 })
  })

  test('an answer that is not taken keeps its text and says why', () => {
    const answers: string[] = []
    const refused = typing(start(answers), 's', ' ', keys.enter)
    expect(foot(refused)).toContain('✗ residue-required-for-skip')
    expect(refused.choice?.word).toBe('skip')
    expect(typing(refused, 'because', keys.enter).wizard.view.position?.at).toBe(2)
    // Whatever else is begun has not been refused.
    expect(foot(typing(refused, keys.escape))).not.toContain('✗')
    expect(foot(typing(refused, keys.escape, 'm'))).not.toContain('✗')
  })

  test('Esc leaves the field, then goes to the question before', () => {
    const answers: string[] = []
    const second = typing(start(answers), 'c', 's', 'x', keys.escape)
    expect(second.choice).toBeNull()
    expect(typing(second, keys.escape).wizard.view.position?.at).toBe(1)
  })

  test('leaving asks, for nothing is kept (INIT-25)', () => {
    const answers: string[] = []
    for (const key of ['q', ctrl('c')]) {
      const asked = typing(start(answers), key)
      expect(foot(asked)).toBe('leave without writing anything? [y/n]')
      expect(typing(asked, 'n', 'c').wizard.view.position?.at).toBe(2)
      expect(typing(asked, 'y').wizard.view.step).toBe('quit')
    }
    expect(typing(start(answers), ctrl('c'), ctrl('c')).wizard.view.step).toBe('quit')
  })

  test('a held key is one press, and a burst or a paste none (TERM-52)', () => {
    const answers: string[] = []
    const decoder = createInputDecoder()
    let screen = start(answers)
    const at = (bytes: string, now: number) => {
      for (const input of [...decoder.push(bytes, now), ...decoder.flush(now)]) screen = pressWizard(screen, input, now)
    }
    at('c', 1_000)
    for (let step = 0; step < 40; step += 1) at('c', 1_040 + step * 33)
    at('ccc', 9_000)
    at('\x1b[200~ccc\x1b[201~', 9_500)
    at('\x1b[99;1:2u', 9_900)
    expect(answers).toEqual(['confirm'])
  })

  test('a window too small to show the clause takes no answer', () => {
    const answers: string[] = []
    typing(openedWizard(scripted(answers), { columns: 15, rows: 4, isAscii: false }), 'c', 'c')
    expect(answers).toEqual([])
  })
})

test('fits every window, with the choices in sight (TERM-1, TERM-53)', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 140 }),
      fc.integer({ min: 1, max: 40 }),
      fc.boolean(),
      (columns, rows, isWriting) => {
        const opened = openedWizard(scripted([]), { columns, rows, isAscii: false })
        const screen = isWriting ? { ...opened, choice: choices[2]! } : opened
        const frame = stripAnsi(renderToString(<View screen={screen} />, { columns }))
        const lines = frame.split('\n')
        expect(lines.length).toBeLessThanOrEqual(rows)
        for (const line of lines) expect(cellWidth(line)).toBeLessThanOrEqual(columns)
        if (columns >= 40 && rows >= 10) expect(frame).toContain(isWriting ? 'skip <reason>' : 'c confirm')
      }
    ),
    { numRuns: runs(60) }
  )
})

describe('on a terminal', () => {
  test('leads to the end and gives the terminal back (TERM-5)', async () => {
    const screen = emulateTerminal({ columns: 80, rows: 24, answers: true })
    const answers: string[] = []
    const end = runWizardScreen(scripted(answers), { ...screen, colour: true, ascii: false })
    for (const at of [1, 2, 3]) {
      await screen.until(() => screen.text().includes(`${at} of 3`))
      screen.type('c')
    }
    expect((await end).view.step).toBe('done')
    expect(answers).toEqual(['confirm', 'confirm', 'confirm'])
    await screen.until(() => screen.text().trim() === '')
    expect(screen.modes.left()).toEqual([])
    expect(screen.modes.cursorHidden()).toBe(false)
    expect(screen.terminal.buffer.active.type).toBe('normal')
    expect(screen.raw.isOn).toBe(false)
  })

  test('the end of the input leaves without a trace', async () => {
    const screen = emulateTerminal({ columns: 50, rows: 15, answers: true })
    const answers: string[] = []
    const end = runWizardScreen(scripted(answers), { ...screen, colour: false, ascii: false })
    await screen.until(() => screen.text().includes('1 of 3'))
    screen.hangUp()
    expect((await end).view.step).toBe('quit')
    expect(answers).toEqual(['quit'])
  })
})
