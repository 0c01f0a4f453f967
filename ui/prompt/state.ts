import type { Completion } from './completion.ts'
import { type Editor, emptyEditor } from './editor.ts'
import { emptyHistory, type History, type HistorySearch } from './history.ts'

/** The prompt: what is being written, and what helps writing it. */
export type PromptState = {
  readonly editor: Editor
  readonly history: History
  /** Ctrl+R is open. */
  readonly search: HistorySearch | null
  readonly completion: Completion | null
  /** Offset of the word whose list was closed with Esc; it stays closed until another word is typed. */
  readonly dismissed: number | null
}

export const emptyPrompt: PromptState = {
  editor: emptyEditor,
  history: emptyHistory,
  search: null,
  completion: null,
  dismissed: null
}
