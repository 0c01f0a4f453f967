import type { GhyllEvent } from '../../src/protocol/event.ts'
import { focused } from '../panels/open.ts'
import { panelNames, withPanel } from '../panels/state.ts'
import { pathItems } from '../prompt/completion.ts'
import { draftOf, graft } from '../prompt/draft.ts'
import { edit } from '../prompt/editor.ts'
import { historyLoaded } from '../prompt/history.ts'
import { withOwnCommands } from '../prompt/own-commands.ts'
import type { PromptState } from '../prompt/state.ts'
import { withNotice } from '../prompt/submit.ts'
import { foldTranscript } from '../transcript/fold.ts'
import { foldGate } from './gate.ts'
import { foldPrompts } from './prompts.ts'
import { foldSession } from './session.ts'
import type { ScreenState } from './state.ts'

/** The screen after an event. Pure; each area folds its share. */
export function reduce(state: ScreenState, event: GhyllEvent): ScreenState {
  const session = foldSession(state.session, event)
  const transcript = foldTranscript(state.transcript, event)
  const gate = foldGate(state.gate, event)
  const same = session === state.session && transcript === state.transcript && gate === state.gate
  return foldRest(same ? state : { ...state, session, transcript, gate }, event)
}

/** What belongs to neither the status line nor the transcript. */
function foldRest(state: ScreenState, event: GhyllEvent): ScreenState {
  switch (event.kind) {
    case 'header-changed':
      return { ...state, header: { ...state.header, ...event.header } }
    case 'model-switched':
      return { ...state, header: { ...state.header, model: event.to } }
    case 'commands-loaded':
      return { ...state, commands: withOwnCommands(event.commands) }
    case 'paths-found':
    case 'prompt-history-loaded':
    case 'input-taken-back':
    case 'editor-closed': {
      const told = event.kind === 'editor-closed' ? withError(state, event.error, event.at) : state
      return { ...told, prompt: foldPrompt(told.prompt, event) }
    }
    case 'pager-closed':
      return withError(state, event.error, event.at)
    case 'copied':
      return withNotice(
        state,
        event.how === 'failed' ? 'error' : 'info',
        copiedText(event, state.unoffered !== event.request),
        event.at
      )
    case 'gate-viewed': {
      const { grid } = event.view
      const numbers = {
        gridVersion: grid?.version ?? null,
        residue: grid?.residue ?? null,
        unevaluated: grid?.unevaluated ?? null
      }
      return { ...state, header: { ...state.header, ...numbers } }
    }
    case 'gate-refused': {
      const text = `✗ ${event.text}`
      if (state.panels.focus === null) return { ...state, notice: text }
      return { ...state, panels: { ...state.panels, refusal: text } }
    }
    case 'panel-asked':
      return focused(state, event.panel)
    case 'inspected':
      return withInspection(state, event)
    case 'prompt-opened':
    case 'prompt-closed':
    case 'prompt-refused':
    case 'op-id-answered':
    case 'places-read':
      return foldPrompts(state, event)
    case 'ended':
      return { ...state, ended: { lines: event.lines, exitCode: event.exitCode } }
    default:
      return state
  }
}

type PromptAnswerEvent = Extract<
  GhyllEvent,
  { readonly kind: 'paths-found' | 'prompt-history-loaded' | 'input-taken-back' | 'editor-closed' }
>

/** Answers to what the prompt asked for. One that comes too late is dropped. */
function foldPrompt(prompt: PromptState, event: PromptAnswerEvent): PromptState {
  switch (event.kind) {
    case 'paths-found': {
      const { completion } = prompt
      if (completion?.request !== event.request) return prompt
      return { ...prompt, completion: { ...completion, items: pathItems(event.paths), selected: 0, isChosen: false } }
    }
    case 'prompt-history-loaded': {
      const history = historyLoaded(prompt.history, event.prompts)
      const isUntouched = prompt.editor.text === '' && prompt.editor.undo.length === 0
      const editor = isUntouched ? edit(prompt.editor, { kind: 'set', draft: draftOf(event.draft) }) : prompt.editor
      return { ...prompt, history, editor }
    }
    case 'input-taken-back':
      // Whatever was typed meanwhile stays behind it.
      return event.text === null ? prompt : inserted(prompt, event.text)
    case 'editor-closed':
      if (event.text === null) return prompt
      return { ...prompt, editor: edit(prompt.editor, { kind: 'set', draft: draftOf(event.text) }), completion: null }
  }
}

/** A closer look arrives, or arrives anew because the gate has changed. One that was closed meanwhile is dropped. */
function withInspection(state: ScreenState, event: Extract<GhyllEvent, { kind: 'inspected' }>): ScreenState {
  const { request, inspection } = event
  const name = panelNames.find((each) => state.panels.panels[each].details.some((detail) => detail.request === request))
  if (name === undefined) return state
  const details = state.panels.panels[name].details.map((detail) =>
    detail.request === request ? { ...detail, inspection } : detail
  )
  return { ...state, panels: withPanel(state.panels, name, { details }) }
}

function inserted(prompt: PromptState, text: string): PromptState {
  const { editor } = prompt
  const rest = editor.text === '' ? '' : `\n${editor.text}`
  // Its pastes must not take the place of those that were made meanwhile.
  const taken = graft(editor, draftOf(text))
  return { ...prompt, editor: edit(editor, { kind: 'set', draft: { text: taken.text + rest, pastes: taken.pastes } }) }
}

/** Never claims more than is known (TERM-23). */
function copiedText({ how, detail }: Extract<GhyllEvent, { kind: 'copied' }>, isOffered: boolean): string {
  switch (how) {
    case 'clipboard':
      return `copied with ${detail}`
    case 'file':
      return isOffered
        ? `offered to the terminal, which does not say whether it took it; also written to ${detail}`
        : `too long for the terminal's clipboard; written to ${detail}`
    case 'failed':
      return `not copied: ${detail}`
  }
}

function withError(state: ScreenState, error: string | null, at: number): ScreenState {
  return error === null ? state : withNotice(state, 'error', error, at)
}
