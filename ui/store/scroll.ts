import { findOpened } from '../find/find.ts'
import type { ActionName } from '../keys/index.ts'
import { firstKept } from '../transcript/entries.ts'
import { toggleRows } from '../transcript/fold.ts'
import { numberedRequest, only } from './outcome.ts'
import { transcriptText } from './pager.ts'
import type { Outcome, ScreenState, ScrollMove } from './state.ts'

const moves: Partial<Record<ActionName, ScrollMove>> = {
  'scroll.page-up': { kind: 'pages', by: -1 },
  'scroll.page-down': { kind: 'pages', by: 1 },
  'scroll.top': { kind: 'top' },
  'scroll.bottom': { kind: 'bottom' },
  'scroll.entry-up': { kind: 'entries', by: -1 },
  'scroll.entry-down': { kind: 'entries', by: 1 }
}

/** Keys that move, fold or show the transcript; null for others. Home and End belong to the prompt unless it is empty (TERM-22). */
export function pressTranscript(state: ScreenState, action: ActionName | null, isPromptEmpty: boolean): Outcome | null {
  if (action === null) return null
  const move = moves[action]
  if (move !== undefined) return scrolling(state, move)
  if (isPromptEmpty && action === 'prompt.home') return scrolling(state, { kind: 'top' })
  if (isPromptEmpty && action === 'prompt.end') return scrolling(state, { kind: 'bottom' })
  switch (action) {
    case 'transcript.find':
      return findOpened(state)
    case 'transcript.unfold':
      return { state, effects: [{ kind: 'fold' }] }
    case 'transcript.unfold-all':
      return only({ ...state, transcript: toggleRows(state.transcript, 'tool') })
    case 'transcript.reasoning':
      return only({ ...state, transcript: toggleRows(state.transcript, 'reply') })
    case 'transcript.pager': {
      const { state: asked, request } = numberedRequest(state)
      const { rows, older } = state.transcript
      const text = transcriptText(rows)
      const before = older === 'none' ? null : firstKept(rows)
      return {
        state: asked,
        effects: [{ kind: 'hand-over', command: { kind: 'open-pager', request, text, before } }]
      }
    }
    default:
      return null
  }
}

function scrolling(state: ScreenState, move: ScrollMove): Outcome {
  return { state, effects: [{ kind: 'scroll', move }] }
}
