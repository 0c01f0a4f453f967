import { numberedRequest, only } from '../store/outcome.ts'
import type { Effect, Outcome, ScreenState } from '../store/state.ts'
import { type Completion, type CompletionTarget, commandItems, completionTarget } from './completion.ts'
import { edit } from './editor.ts'
import { idItems, idPrefix } from './ids.ts'
import type { PromptState } from './state.ts'

/** Typing may pause this long before paths are asked for, so that no keystroke waits for one (TERM-42). */
const COMPLETE_AFTER_MS = 80

/** Puts the marked completion in the place of its word. */
export function accepted(state: ScreenState): Outcome {
  const { completion, editor } = state.prompt
  const item = completion?.items?.[completion.selected]
  if (completion === null || item === undefined) return only(state)
  const { from, to } = completion.target
  const text = editor.text.slice(0, from) + item.insert + editor.text.slice(to)
  const set = edit(editor, { kind: 'set', draft: { text, pastes: editor.pastes } })
  const cursor = from + item.insert.length
  return completed(withPrompt(state, { editor: { ...set, cursor }, completion: null }), false)
}

/** Opens, updates or closes the list for the word at the cursor. Commands are known; paths are asked for, never waited for. */
export function completed(state: ScreenState, isForced: boolean): Outcome {
  const { editor, dismissed, completion } = state.prompt
  const target = completionTarget(editor.text, editor.cursor, isForced)
  if (target === null) return changed(state, { completion: null, dismissed: null })
  if (!isForced && dismissed === target.from) return changed(state, { completion: null })
  if (target.kind === 'command') {
    const items = commandItems(state.commands, target.prefix)
    return changed(state, { completion: listOf(target, items), dismissed: null })
  }
  if (target.kind === 'id') {
    const command = idPrefix(editor.text.slice(0, editor.cursor))?.command ?? ''
    return changed(state, {
      completion: listOf(target, idItems(state.gate.view, command, target.prefix)),
      dismissed: null
    })
  }
  if (!isForced && completion?.target.from === target.from && completion.target.prefix === target.prefix) {
    return only(state)
  }
  const { state: numbered, request } = numberedRequest(state)
  // What was found for the shorter word stays in sight until the answer for this one comes.
  const items = completion?.target.from === target.from ? completion.items : null
  const asked = withPrompt(numbered, { completion: { ...listOf(target, items), request }, dismissed: null })
  const ask: Effect = {
    kind: 'later',
    slot: 'complete',
    delayMs: isForced ? 0 : COMPLETE_AFTER_MS,
    command: { kind: 'complete-path', request, prefix: target.prefix }
  }
  return { state: asked, effects: [ask] }
}

function listOf(target: CompletionTarget, items: Completion['items']): Completion {
  return { target, items, selected: 0, isChosen: false, request: null }
}

/** The screen with these parts of the prompt replaced. */
export function withPrompt(state: ScreenState, changes: Partial<PromptState>): ScreenState {
  return { ...state, prompt: { ...state.prompt, ...changes } }
}

/** As `withPrompt`, with nothing to do outside. */
export function changed(state: ScreenState, changes: Partial<PromptState>): Outcome {
  return only(withPrompt(state, changes))
}
