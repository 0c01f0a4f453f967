import type { Wizard, WizardChoice, WizardView } from '../../src/protocol/wizard.ts'
import { type ActionName, type Bindings, bindKeys } from '../keys/index.ts'
import { type Editor, edit, emptyEditor } from '../prompt/editor.ts'

/** The wizard on a screen: the question it is at, and the answer being written. The engine decides, this only asks (INIT-57). */
export type WizardScreen = {
  readonly wizard: Wizard
  readonly columns: number
  readonly rows: number
  readonly isAscii: boolean
  readonly bindings: Bindings
  /** The choice whose text is being written. */
  readonly choice: WizardChoice | null
  readonly editor: Editor
  /** Why the last answer was not taken, as long as nothing else was begun; null when it was. */
  readonly note: string | null
  /** Leaving waits for y or n: everything answered so far would be lost (INIT-25). */
  readonly isLeaving: boolean
  readonly scroll: number
  /** The last key, so that a held one counts as one press. */
  readonly last: { readonly name: string; readonly at: number } | null
}

/** The wizard at the question it begins with (INIT-57). */
export function openedWizard(
  wizard: Wizard,
  facts: { readonly columns: number; readonly rows: number; readonly isAscii: boolean }
): WizardScreen {
  return {
    wizard,
    ...facts,
    bindings: bindKeys({}),
    choice: null,
    editor: emptyEditor,
    note: null,
    isLeaving: false,
    scroll: 0,
    last: null
  }
}

/** Whether nothing more is asked: what follows is written, or nothing is (INIT-25). */
export function isEnded({ wizard }: Pick<WizardScreen, 'wizard'>): boolean {
  const { step } = wizard.view
  return step === 'done' || step === 'quit' || step === 'refused'
}

/** Key of a choice in the key map, by the word its answer begins with. */
export function actionOf({ word }: WizardChoice): ActionName {
  return choiceActions[word] ?? 'wizard.type'
}

const choiceActions: Readonly<Record<string, ActionName>> = {
  confirm: 'wizard.confirm',
  modify: 'wizard.modify',
  skip: 'wizard.skip',
  extend: 'wizard.extend',
  drop: 'wizard.drop',
  yes: 'wizard.yes',
  no: 'wizard.no',
  '?': 'wizard.unknown',
  accept: 'wizard.accept',
  override: 'wizard.override',
  back: 'wizard.back',
  quit: 'wizard.quit'
}

/** The screen after an answer. One that was not taken leaves the text where it was (INIT-57). */
export function answeredWizard(screen: WizardScreen, line: string): WizardScreen {
  const wizard = screen.wizard.answer(line)
  const note = wizard.view.refusal
  if (note !== null) return { ...screen, wizard, note, isLeaving: false }
  return { ...screen, wizard, note, choice: null, editor: emptyEditor, isLeaving: false, scroll: 0 }
}

/** The field for a choice that takes text (INIT-58); a modification begins with the argument that is missing. */
export function writing(screen: WizardScreen, choice: WizardChoice): WizardScreen {
  const text = choice.word === 'modify' ? missingOf(screen.wizard.view) : ''
  return { ...screen, note: null, choice, editor: edit(emptyEditor, { kind: 'insert', text }) }
}

function missingOf({ clause }: WizardView): string {
  const names = clause?.arguments.filter(({ origin }) => origin === 'missing').map(({ name }) => name) ?? []
  return names.length === 0 ? '' : `${names[0]}=`
}
