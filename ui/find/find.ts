import { safeLine } from '../../src/lib/safe-text.ts'
import { cellWidth, takeEnd } from '../../src/lib/width.ts'
import type { ActionName } from '../keys/index.ts'
import { toPrompt } from '../panels/open.ts'
import { cutLine, line, span } from '../parts/lines.ts'
import { only } from '../store/outcome.ts'
import type { Outcome, ScreenState } from '../store/state.ts'
import type { Line } from '../theme/index.ts'
import type { SearchStatus } from '../transcript/view.ts'
import type { FindState } from './state.ts'

/** Opens the search, or goes back to typing with what was looked for. */
export function findOpened(state: ScreenState): Outcome {
  const find = { query: state.find?.query ?? '', isTyping: true }
  return only({ ...toPrompt(state), find })
}

/** Ends the search; the reader stays where they are. */
export function findClosed(state: ScreenState): Outcome {
  return { state: { ...state, find: null }, effects: [{ kind: 'find', query: '' }] }
}

export type FindKey = { readonly action: ActionName | null; readonly text: string }

/** A key while the search is open; null when it means nothing there and is meant for others. */
export function pressFind(state: ScreenState, find: FindState, { action, text }: FindKey): Outcome | null {
  switch (action) {
    case 'find.done':
      return find.query === '' ? findClosed(state) : only(withFind(state, { isTyping: false }))
    case 'find.erase':
      return looking(state, [...find.query].slice(0, -1).join(''))
    case 'find.clear':
      return looking(state, '')
    case 'find.up':
    case 'found.previous':
      return { state, effects: [{ kind: 'find-next', by: -1 }] }
    case 'find.down':
    case 'found.next':
      return { state, effects: [{ kind: 'find-next', by: 1 }] }
    default:
      return find.isTyping && text !== '' ? textForFind(state, find, text) : null
  }
}

/** Typed, composed or pasted text for the query. */
export function textForFind(state: ScreenState, find: FindState, text: string): Outcome {
  return looking(state, find.query + text.replaceAll(/\s+/g, ' '))
}

function looking(state: ScreenState, query: string): Outcome {
  return { state: withFind(state, { query }), effects: [{ kind: 'find', query }] }
}

function withFind(state: ScreenState, changes: Partial<FindState>): ScreenState {
  return state.find === null ? state : { ...state, find: { ...state.find, ...changes } }
}

const LABEL = ' find: '
/** What the count needs beside the query, with a few hints where there is room for them. */
const restCells = (width: number) => (width < 40 ? 9 : 14)

/** ` find: cart  3 of 12  n next  N before  Esc done` in `width` cells; of a long query its end. `caret` is the cell behind it. */
export function findLine(
  { query, isTyping }: FindState,
  status: SearchStatus | null,
  width: number
): { readonly line: Line; readonly caret: number } {
  const shown = takeEnd(safeLine(query), Math.max(1, width - LABEL.length - restCells(width)))
  const hints = isTyping ? '↑↓ walk  Enter keep  Esc done' : 'n next  N before  Esc done'
  const whole = line(
    span(LABEL, { tone: 'accent' }),
    span(shown),
    span(`  ${countText(query, status)}`, { tone: status?.total === 0 ? 'warn' : 'accent' }),
    span(`  ${hints}`, { tone: 'dim' })
  )
  return { line: cutLine(whole, width), caret: Math.min(Math.max(0, width - 1), LABEL.length + cellWidth(shown)) }
}

function countText(query: string, status: SearchStatus | null): string {
  if (query === '' || status === null) return ''
  if (status.total === 0) return status.isPartial ? 'no match yet' : 'no match'
  return `${status.current} of ${status.total}${status.isPartial ? '+' : ''}`
}
