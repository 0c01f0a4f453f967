import type { AmendmentPrompt, BindingPrompt, DeclarationPrompt, PromptAnswer } from '../../protocol/gate-prompt.ts'
import type { Place, Presenter } from './presenter.ts'

// Decisions that no pass waits for in the queue: what an arrow on the spot, an amendment or a missing binding asks. One at a time, and
// never over a question of the queue (OPUI-743). Nobody's answer is no answer: null.

export type OpenPrompt = DeclarationPrompt | AmendmentPrompt | BindingPrompt

export type OpenAnswer = Extract<
  PromptAnswer,
  { readonly kind: 'declare-arrow' | 'refuse-arrow' | 'settle-amendment' | 'bind' }
>

/** How such a decision is shown. */
export interface AskSurface {
  show(prompt: OpenPrompt, place: Place): void
  closed(item: string, how: 'recorded' | 'skipped' | 'withdrawn', notice: string): void
  refused(item: string, text: string): void
}

export interface Asker {
  /** False where nobody can be asked (`ghyll exec`). */
  readonly canAsk: boolean
  /** The answer, or null when it was put off, cancelled, interrupted, or nobody is there. `problem`: why an answer cannot be taken. */
  ask(
    prompt: OpenPrompt,
    signal: AbortSignal,
    more?: { readonly place?: Place; readonly problem?: (answer: OpenAnswer) => string | null }
  ): Promise<OpenAnswer | null>
  /** An answer of the operator; false when the item is none of these. */
  answer(answer: PromptAnswer): boolean
}

const single: Place = { at: 1, of: 1 }

/** `surface` null: nobody is there (OPUI-743). */
export function createAsker(surface: AskSurface | null, presenter: Pick<Presenter, 'alone'>): Asker {
  let open: { readonly item: string; take(answer: PromptAnswer): void } | null = null

  const present = (
    to: AskSurface,
    prompt: OpenPrompt,
    signal: AbortSignal,
    place: Place,
    problem: (answer: OpenAnswer) => string | null
  ) =>
    new Promise<OpenAnswer | null>((resolve) => {
      const end = (answer: OpenAnswer | null, how: 'recorded' | 'skipped' | 'withdrawn') => {
        open = null
        signal.removeEventListener('abort', withdraw)
        to.closed(prompt.item, how, '')
        resolve(answer)
      }
      const withdraw = () => end(null, 'withdrawn')
      open = {
        item: prompt.item,
        take(answer) {
          if (!isOpenAnswer(answer)) return end(null, 'skipped')
          const why = problem(answer)
          if (why === null) end(answer, 'recorded')
          else to.refused(prompt.item, why)
        }
      }
      signal.addEventListener('abort', withdraw, { once: true })
      to.show(prompt, place)
    })

  return {
    canAsk: surface !== null,
    async ask(prompt, signal, { place = single, problem = () => null } = {}) {
      if (surface === null) return null
      return presenter.alone(
        async () => (signal.aborted ? null : present(surface, prompt, signal, place, problem)),
        signal
      )
    },
    answer(answer) {
      if (open?.item !== answer.item) return false
      open.take(answer)
      return true
    }
  }
}

function isOpenAnswer(answer: PromptAnswer): answer is OpenAnswer {
  return answer.kind !== 'skip-prompt' && answer.kind !== 'cancel-prompt'
}
