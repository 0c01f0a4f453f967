import { type ActionName, decideEnter, decideTab, decideUp } from '../keys/index.ts'
import { dispatching, numberedRequest, only } from '../store/outcome.ts'
import { type Effect, isBusy, type Outcome, type ScreenState } from '../store/state.ts'
import { glyphsFor } from '../theme/glyphs.ts'
import { accepted, changed, completed, withPrompt } from './complete.ts'
import { isCompletedByEnter, moveSelection } from './completion.ts'
import { type Draft, emptyDraft, expandDraft } from './draft.ts'
import { type Edit, edit } from './editor.ts'
import { keyedEdits } from './edits.ts'
import { recalled, remembered, searchHistory } from './history.ts'
import { type PromptPlace, promptGeometry } from './look.ts'
import { layoutRows, placeOf } from './rows.ts'
import type { PromptState } from './state.ts'
import { submitted } from './submit.ts'

/** A draft is kept once typing has paused this long (TERM-41). */
const KEEP_DRAFT_AFTER_MS = 500

export type PromptKey = {
  readonly action: ActionName | null
  readonly text: string
  readonly isBurst: boolean
  readonly now: number
}

/** A key for the prompt (TERM-40…46); null when it means nothing there. */
export function pressPrompt(state: ScreenState, key: PromptKey): Outcome | null {
  const { prompt } = state
  if (prompt.search !== null) {
    const outcome = pressSearch(state, prompt.search, key)
    if (outcome !== null) return outcome
  }
  switch (key.action) {
    case 'prompt.enter':
      return pressEnter(state, key)
    case 'prompt.tab':
      return pressTab(state, key)
    case 'prompt.up':
      return pressUp(state)
    case 'prompt.down':
      return pressDown(state)
    case 'list.up':
    case 'list.down': {
      const { completion } = prompt
      if (completion === null) return null
      return changed(state, { completion: moveSelection(completion, key.action === 'list.up' ? -1 : 1) })
    }
    case 'prompt.search':
      return changed(state, { search: { query: '', skip: 0 }, completion: null })
    case 'prompt.leave':
      // A held key leaves once.
      if (prompt.editor.text === '') {
        return state.session.phase === 'shutdown' ? only(state) : dispatching(state, { kind: 'leave', reason: 'exit' })
      }
      break
    case 'prompt.editor':
      return handedToEditor(state)
    default:
  }
  const kind = key.action === null ? undefined : keyedEdits[key.action]
  if (kind !== undefined) return edited(state, { kind })
  return key.text === '' ? null : edited(state, { kind: 'insert', text: key.text })
}

/** The prompt after an edit: history position kept, list of completions brought up to date, draft kept soon. */
export function edited(state: ScreenState, change: Edit): Outcome {
  const { prompt } = state
  const editor = edit(prompt.editor, change)
  const isSameText = editor.text === prompt.editor.text
  const next: ScreenState = { ...state, prompt: { ...prompt, editor } }
  const outcome = completed(next, false)
  if (isSameText) return outcome
  const draft = expandDraft(editor)
  const keep: Effect = {
    kind: 'later',
    slot: 'draft',
    delayMs: KEEP_DRAFT_AFTER_MS,
    command: { kind: 'save-draft', text: draft }
  }
  return { state: outcome.state, effects: [...outcome.effects, keep] }
}

/** Clears the draft so that ↑ brings it back (TERM-45a). */
export function clearedDraft(state: ScreenState): Outcome {
  const { prompt } = state
  const history = remembered(prompt.history, draftIn(prompt))
  const outcome = edited(state, { kind: 'set', draft: emptyDraft })
  return { ...outcome, state: withPrompt(outcome.state, { history, completion: null }) }
}

/** Closes search or list, whichever is open. */
export function closedLists(state: ScreenState): ScreenState {
  const { completion } = state.prompt
  return withPrompt(state, {
    search: null,
    completion: null,
    dismissed: completion?.target.from ?? state.prompt.dismissed
  })
}

/** Whether a search or a list with items is open, which Esc closes and Tab takes from (TERM-45a, TERM-46). */
export function isListOpen({ prompt }: ScreenState): boolean {
  return prompt.search !== null || (prompt.completion?.items?.length ?? 0) > 0
}

/** What the prompt's look depends on beside itself. */
export function promptPlace({ header, terminal }: ScreenState): PromptPlace {
  const { columns, rows, isAscii } = terminal
  return { model: header.model, workdir: header.workdir, columns, rows, cursor: glyphsFor(isAscii).cursor }
}

function pressEnter(state: ScreenState, { isBurst, now }: PromptKey): Outcome {
  const { prompt } = state
  const { text, cursor } = prompt.editor
  const decision = decideEnter({
    isBurst,
    isEscaped: /(^|[^\\])\\$/u.test(text.slice(0, cursor)) && cursor === text.length,
    isCompleting: isCompletedByEnter(prompt.completion, state.commands),
    isDraftEmpty: text.trim() === '',
    hasHeld: state.session.isHeld && state.transcript.pending.length > 0
  })
  switch (decision) {
    case 'newline':
      return edited(state, { kind: 'newline' })
    case 'escaped-newline':
      return edited(state, { kind: 'escaped-newline' })
    case 'accept':
      return accepted(state)
    case 'submit':
      return submitted(state, 'steer', now)
    case 'take-up':
      return dispatching(state, { kind: 'take-up' })
    case 'nothing':
      return only(state)
  }
}

function pressTab(state: ScreenState, { isBurst, now }: PromptKey): Outcome | null {
  if (isBurst) return edited(state, { kind: 'insert', text: '\t' })
  const decision = decideTab({
    isListOpen: isListOpen(state),
    isDraftEmpty: state.prompt.editor.text.trim() === '',
    isBusy: isBusy(state)
  })
  switch (decision) {
    case 'accept':
      return accepted(state)
    case 'queue':
      return submitted(state, 'queue', now)
    case 'open-list':
      return completed(state, true)
    case 'next-focus':
      return null
  }
}

function pressUp(state: ScreenState): Outcome {
  const { prompt, transcript } = state
  const geometry = promptGeometry(promptPlace(state))
  const rows = layoutRows(prompt.editor, geometry)
  const newest = transcript.pending.findLast((row) => row.kind === 'input')
  const decision = decideUp({
    isFirstRow: placeOf(rows, prompt.editor, prompt.editor.cursor, geometry).row === 0,
    isDraftEmpty: prompt.editor.text === '',
    hasChips: newest !== undefined,
    isRecalled: prompt.history.index !== null
  })
  if (decision === 'row') return edited(state, { kind: 'up', geometry })
  if (decision === 'take-back' && newest !== undefined) {
    const { state: asked, request } = numberedRequest(state)
    return dispatching(asked, { kind: 'take-back', request, seq: newest.seq })
  }
  return recalledBy(state, -1)
}

function pressDown(state: ScreenState): Outcome {
  const { editor } = state.prompt
  const geometry = promptGeometry(promptPlace(state))
  const rows = layoutRows(editor, geometry)
  const isLastRow = placeOf(rows, editor, editor.cursor, geometry).row === rows.length - 1
  return isLastRow ? recalledBy(state, 1) : edited(state, { kind: 'down', geometry })
}

function recalledBy(state: ScreenState, by: -1 | 1): Outcome {
  const found = recalled(state.prompt.history, by, draftIn(state.prompt))
  if (found === null) return only(state)
  const editor = edit(state.prompt.editor, { kind: 'set', draft: found.draft })
  return changed(state, { editor, history: found.history, completion: null })
}

function pressSearch(state: ScreenState, search: NonNullable<PromptState['search']>, key: PromptKey): Outcome | null {
  const to = (next: NonNullable<PromptState['search']>) => changed(state, { search: next })
  switch (key.action) {
    case 'search.older': {
      const next = { ...search, skip: search.skip + 1 }
      return searchHistory(state.prompt.history, next) === null ? only(state) : to(next)
    }
    case 'search.newer':
      return to({ ...search, skip: Math.max(0, search.skip - 1) })
    case 'search.erase':
      return to({ query: [...search.query].slice(0, -1).join(''), skip: 0 })
    case 'search.accept': {
      const found = searchHistory(state.prompt.history, search)
      const closed = withPrompt(state, { search: null })
      return found === null ? only(closed) : edited(closed, { kind: 'set', draft: found })
    }
    default:
      if (key.text !== '') return to({ query: search.query + key.text, skip: 0 })
      // Any other editing key goes on with the match.
      return null
  }
}

function handedToEditor(state: ScreenState): Outcome {
  const { state: asked, request } = numberedRequest(state)
  const text = expandDraft(state.prompt.editor)
  return {
    state: asked,
    effects: [{ kind: 'hand-over', command: { kind: 'open-editor', request, text } }]
  }
}

function draftIn({ editor }: PromptState): Draft {
  return { text: editor.text, pastes: editor.pastes }
}
