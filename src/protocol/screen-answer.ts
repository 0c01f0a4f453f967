import type { HistoryEntry } from './entry.ts'
import type { Inspection } from './gate-view.ts'
import type { RequestId } from './ids.ts'

/** Answers to `ScreenRequest`, correlated by `request`. */
export type ScreenAnswer =
  | { readonly kind: 'inspected'; readonly request: RequestId; readonly inspection: Inspection }
  | {
      readonly kind: 'places-read'
      readonly request: RequestId
      readonly places: readonly {
        readonly place: string
        /** Lines of the place, or why there are none. */
        readonly text: string
      }[]
    }
  | { readonly kind: 'paths-found'; readonly request: RequestId; readonly paths: readonly string[] }
  | {
      readonly kind: 'prompt-history-loaded'
      readonly request: RequestId
      readonly prompts: readonly string[]
      readonly draft: string
    }
  | {
      readonly kind: 'input-taken-back'
      readonly request: RequestId
      readonly seq: number /** null: it was already taken up. */
      readonly text: string | null
    }
  | {
      readonly kind: 'older-loaded'
      readonly request: RequestId
      readonly entries: readonly HistoryEntry[]
      readonly complete: boolean
    }
  | {
      readonly kind: 'copied'
      readonly request: RequestId
      readonly how: 'clipboard' | 'file' | 'failed'
      readonly detail: string
    }
  | { readonly kind: 'pager-closed'; readonly request: RequestId; readonly error: string | null }
  | {
      readonly kind: 'editor-closed'
      readonly request: RequestId
      readonly text: string | null
      readonly error: string | null
    }
