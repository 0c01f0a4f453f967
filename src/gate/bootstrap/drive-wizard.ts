import type { Wizard } from '../../protocol/wizard.ts'
import { answerWizard, type WizardState } from './wizard.ts'
import { viewOf } from './wizard-view.ts'

/** Where the lines of a dialogue come from and go to. */
export type WizardLines = {
  /** Asks for one line; null at the end of the input, which leaves the wizard without a trace. */
  ask(prompt: string): Promise<string | null>
  print(line: string): void
}

/** Drives the wizard line by line to its end: `done`, `quit` or `refused` (INIT-57). */
export async function runWizard(start: WizardState, lines: WizardLines): Promise<WizardState> {
  let state = start
  let shown: string | null = null
  while (!isEnded(state)) {
    const view = viewOf(state)
    const place = view.position === null ? view.title : `${view.title}  (${view.position.at} of ${view.position.of})`
    const text = [place, ...view.lines].join('\n')
    // A refused answer leaves the question as it was: it is not printed again.
    if (text !== shown) for (const line of ['', ...text.split('\n')]) lines.print(line)
    shown = text
    if (view.refusal !== null) lines.print(`✗ ${view.refusal}`)
    const answer = await lines.ask(`${view.prompt} `)
    state = answerWizard(state, answer ?? 'quit')
  }
  return state
}

/** The wizard as a screen draws it (INIT-57). `onEnd` gets the last state, which says what is to be written. */
export function asWizard(state: WizardState, onEnd: (state: WizardState) => void): Wizard {
  return {
    view: viewOf(state),
    answer(line) {
      const next = answerWizard(state, line)
      if (next !== state && isEnded(next)) onEnd(next)
      return asWizard(next, onEnd)
    }
  }
}

function isEnded({ step }: WizardState): boolean {
  return step === 'done' || step === 'quit' || step === 'refused'
}
