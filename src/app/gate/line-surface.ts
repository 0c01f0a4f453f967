import {
  answerPrompt,
  askLine,
  errorLine,
  openPrompt,
  type PromptState,
  type PromptStep,
  questionLines
} from '../../gate/runner/index.ts'
import type { Identity } from './op-id.ts'
import type { PromptReply, Surface } from './presenter.ts'

/** Questions as text, each answered by typed lines (OPUI-800, CLI-031). */
export interface LineSurface extends Surface {
  /** What the open question wants to know next, or null while none is open. */
  asking(): string | null
  /** A typed line for the open question. */
  enter(line: string): void
  /** Ctrl+C, `/exit` or the end of input: the item keeps its place (OPUI-405). */
  cancel(): void
}

export type LineSurfaceOptions = {
  readonly identity: Identity
  readonly residueMaxBytes: () => number | undefined
  readonly print: (lines: readonly string[]) => void
  readonly answer: (key: string, reply: PromptReply) => void
}

/** A surface of typed lines without an open question (OPUI-800). */
export function createLineSurface({ identity, residueMaxBytes, print, answer }: LineSurfaceOptions): LineSurface {
  let state: PromptState | null = null

  const take = (step: PromptStep) => {
    state = step.state
    const { effect } = step
    if (effect === null) {
      if (state.error !== null) print([errorLine(state.error)])
      return
    }
    if (effect.kind === 'op-id') {
      identity.set(effect.opId)
      print([`op-id set: ${effect.opId}`])
      return
    }
    answer(state.item.key, effect)
  }

  return {
    show(item, facts, { at, of }) {
      state = openPrompt({ item, opId: identity.current(), residueMaxBytes: residueMaxBytes() })
      print([`question ${at} of ${of}`, ...questionLines(item, facts)])
    },
    closed(item, _, notice) {
      if (state?.item.key !== item) return
      state = null
      if (notice !== '') print([notice])
    },
    refused(item, text) {
      if (state?.item.key === item) take(answerPrompt(state, { kind: 'failed', text }))
    },
    asking: () => (state === null ? null : askLine(state)),
    enter(line) {
      if (state !== null) take(answerPrompt(state, { kind: 'line', text: line }))
    },
    cancel() {
      if (state !== null) take(answerPrompt(state, { kind: 'cancel' }))
    }
  }
}
