import { actionFor, type KeyFocus, type TerminalInput } from '../keys/index.ts'
import { isTiny } from '../layout.ts'
import { editedField, fieldText } from '../overlays/field.ts'
import { innerWidth } from '../overlays/frame.ts'
import { layoutWizard } from './layout.ts'
import { actionOf, answeredWizard, type WizardScreen, writing } from './state.ts'

/** A key that comes again this soon is held: one press (TERM-52). */
const HELD_MS = 100

/** What the terminal told, applied to the wizard (INIT-57, TERM-52). Pure. */
export function pressWizard(screen: WizardScreen, input: TerminalInput, now: number): WizardScreen {
  if (input.kind === 'paste' || input.kind === 'text') return typed(screen, input.text)
  if (input.kind !== 'key') return screen
  const isHeld = input.isRepeat || (screen.last?.name === input.name && now - screen.last.at < HELD_MS)
  return pressKey({ ...screen, last: { name: input.name, at: now } }, input, isHeld)
}

function pressKey(screen: WizardScreen, key: Extract<TerminalInput, { kind: 'key' }>, isHeld: boolean): WizardScreen {
  const found = actionFor(screen.bindings, focusesOf(screen), key.name, null)
  const action = found === 'chord' ? null : found
  if (action === 'interrupt') {
    if (screen.isLeaving) return answeredWizard(screen, 'quit')
    return { ...screen, isLeaving: true }
  }
  // What cannot be seen is not answered.
  if (isTiny(screen)) return screen
  if (action === 'escape') return escaped(screen, isHeld)
  if (screen.isLeaving) {
    if (action === 'confirm.no') return { ...screen, isLeaving: false }
    return action === 'confirm.yes' && !isHeld && !key.isBurst ? answeredWizard(screen, 'quit') : screen
  }
  if (screen.choice !== null) {
    if (action === 'field.done') {
      const text = fieldText(screen.editor)
      return key.isBurst ? screen : answeredWizard(screen, `${screen.choice.word} ${text}`.trim())
    }
    const width = innerWidth(screen)
    const editor = editedField(screen.editor, { action, text: key.text }, { width, isSingleLine: true })
    return editor === null ? scrolled(screen, action) : { ...screen, editor }
  }
  const choice = screen.wizard.view.choices.find((each) => actionOf(each) === action)
  if (choice === undefined) return scrolled(screen, action)
  if (isHeld || key.isBurst) return screen
  if (choice.word === 'quit') return { ...screen, isLeaving: true }
  return choice.takes === null ? answeredWizard(screen, choice.word) : writing(screen, choice)
}

/** Where keys are looked up, from the innermost. */
function focusesOf({ isLeaving, choice }: WizardScreen): KeyFocus[] {
  if (isLeaving) return ['confirm', 'overlay', 'anywhere']
  return choice === null ? ['wizard', 'overlay', 'anywhere'] : ['field', 'prompt', 'overlay', 'anywhere']
}

/** Esc: out of the question whether to leave, out of the field, else to the question before. */
function escaped(screen: WizardScreen, isHeld: boolean): WizardScreen {
  if (screen.isLeaving) return { ...screen, isLeaving: false }
  if (screen.choice !== null) return { ...screen, choice: null, note: null }
  const hasBack = screen.wizard.view.choices.some(({ word }) => word === 'back')
  return hasBack && !isHeld ? answeredWizard(screen, 'back') : screen
}

/** Several characters at once belong to the field; without one they were meant for nothing here. */
function typed(screen: WizardScreen, text: string): WizardScreen {
  if (screen.choice === null || screen.isLeaving) return screen
  const width = innerWidth(screen)
  const editor = editedField(screen.editor, { action: null, text }, { width, isSingleLine: true })
  return editor === null ? screen : { ...screen, editor }
}

function scrolled(screen: WizardScreen, action: string | null): WizardScreen {
  const { body, height, scroll } = layoutWizard(screen)
  const last = Math.max(0, body.length - height)
  const page = Math.max(1, height - 1)
  const to: Readonly<Record<string, number>> = {
    'overlay.up': scroll - 1,
    'prompt.up': scroll - 1,
    'overlay.down': scroll + 1,
    'prompt.down': scroll + 1,
    'overlay.page-up': scroll - page,
    'overlay.page-down': scroll + page,
    'overlay.top': 0,
    'overlay.bottom': last
  }
  const target = to[action ?? '']
  return target === undefined ? screen : { ...screen, scroll: Math.min(last, Math.max(0, target)) }
}
