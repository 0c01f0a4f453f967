import { matrixOf, neighbour } from '../grid/matrix.ts'
import type { ActionName, KeyFocus } from '../keys/index.ts'
import { panelWidth } from '../layout.ts'
import { dispatching, only } from '../store/outcome.ts'
import type { Outcome, ScreenState } from '../store/state.ts'
import { unicodeGlyphs } from '../theme/glyphs.ts'
import { pressArrows, pressFindings, pressPasses, pressQueue } from './actions.ts'
import { linesOfDetail } from './details.ts'
import { type Entry, entriesOf, markable, markedOf } from './entries.ts'
import { detailWidth } from './look.ts'
import { focused, inspecting, toPrompt, withDetail } from './open.ts'
import { type Panel, type PanelName, panelNames, withPanel } from './state.ts'

export type PanelKey = {
  readonly action: ActionName | null
  readonly text: string
  readonly isRepeat: boolean
  readonly isBurst: boolean
}

/** Where the keys of a focused panel are looked up, from the innermost. */
export function panelFocuses(state: ScreenState, name: PanelName): KeyFocus[] {
  if (state.panels.panels[name].isFiltering) return ['filter', 'panel', 'anywhere']
  return name === 'events' ? ['panel', 'anywhere'] : [name, 'panel', 'anywhere']
}

/** A key for the focused panel (OPUI-720, 730…733); null when it means nothing there. */
export function pressPanel(before: ScreenState, name: PanelName, key: PanelKey): Outcome | null {
  const state: ScreenState = { ...before, panels: { ...before.panels, refusal: null } }
  const panel = state.panels.panels[name]
  // What came in a burst no hand typed; it was meant for the prompt (TERM-43).
  if (key.isBurst && !panel.isFiltering) return null
  if (panel.isFiltering && key.text !== '') return only(filtered(state, name, panel.filter + key.text))
  switch (key.action) {
    case 'panel.up':
    case 'panel.down':
    case 'panel.page-up':
    case 'panel.page-down':
    case 'panel.top':
    case 'panel.bottom':
      return only(moved(state, name, key.action))
    case 'panel.left':
      return isMatrixShown(state, name) ? only(movedInMatrix(state, 'left')) : leavePanel(state)
    case 'panel.right':
      return isMatrixShown(state, name) ? only(movedInMatrix(state, 'right')) : pressOpen(state, name)
    case 'panel.open':
      return pressOpen(state, name)
    case 'panel.filter':
      return only(changed(state, name, { isFiltering: true, details: [] }))
    case 'filter.done':
      return only(changed(state, name, { isFiltering: false }))
    case 'filter.erase':
      return only(filtered(state, name, [...panel.filter].slice(0, -1).join('')))
    case 'panel.next':
      return cycled(state, 1)
    case 'panel.previous':
      return cycled(state, -1)
    default:
      // What acts on a row takes a key that was pressed once (TERM-52).
      return key.isRepeat && key.action !== null ? only(state) : pressRow(state, name, key.action)
  }
}

/** Pasted or composed text for the focused panel: its filter while that is written, else null. */
export function textForPanel(state: ScreenState, name: PanelName, text: string): Outcome | null {
  const { isFiltering, filter } = state.panels.panels[name]
  return isFiltering ? only(filtered(state, name, filter + text.replaceAll(/\s+/g, ' '))) : null
}

/** Opens a panel and gives it the keys; the same again gives them back to the prompt (OPUI-711). */
export function openPanel(state: ScreenState, name: PanelName): Outcome {
  if (state.panels.focus === name) return only(toPrompt(state))
  const next = focused(changed(state, name, { arrow: null }), name)
  // F4 is one of the points at which verdicts are asked (OPUI-403).
  const waits = name === 'queue' && (state.gate.view?.queue.length ?? 0) > 0
  return waits ? dispatching(next, { kind: 'present-verdicts', item: null }) : only(next)
}

/** Esc and ←: out of the filter, the closer look, the narrowed list, and then out of the panel (OPUI-720). */
export function leavePanel(state: ScreenState): Outcome {
  const name = state.panels.focus
  if (name === null) return only(state)
  const panel = state.panels.panels[name]
  if (panel.isFiltering) return only(filtered(changed(state, name, { isFiltering: false }), name, ''))
  if (panel.details.length > 0) return only(changed(state, name, { details: panel.details.slice(0, -1) }))
  if (panel.filter !== '') return only(filtered(state, name, ''))
  if (panel.arrow !== null) return only(focused(changed(state, name, { arrow: null }), 'arrows'))
  return only(toPrompt(state))
}

/** Tab: prompt, then one panel after the other (OPUI-711). */
export function cycled(state: ScreenState, by: 1 | -1): Outcome {
  const places: readonly (PanelName | null)[] = [null, ...panelNames]
  const at = places.indexOf(state.panels.focus)
  const next = places[(at + by + places.length) % places.length] ?? null
  return only(next === null ? toPrompt(state) : focused(state, next))
}

function pressRow(state: ScreenState, name: PanelName, action: ActionName | null): Outcome | null {
  const entry = markedOf(entriesOf(name, sourcesOf(state)), state.panels.panels[name].cursor)?.entry ?? null
  switch (name) {
    case 'arrows':
      return pressArrows(state, action, entry?.kind === 'arrow' ? entry.row : null)
    case 'passes':
      return pressPasses(state, action, entry?.kind === 'pass' ? entry.row : null)
    case 'queue':
      return pressQueue(state, action)
    case 'findings':
      return pressFindings(state, action, entry?.kind === 'finding' ? entry.row : null)
    case 'events':
      return null
  }
}

/** Enter: a closer look at the marked row, at the marked line of one, or the prompt of a waiting verdict. */
function pressOpen(state: ScreenState, name: PanelName): Outcome {
  const panel = state.panels.panels[name]
  const detail = panel.details.at(-1)
  if (detail !== undefined) {
    const lines = linesOfDetail(detail, state.gate.events, detailWidth(panelWidth(state)), unicodeGlyphs)
    const opens = lines[Math.min(detail.at, lines.length - 1)]?.opens ?? null
    return opens === null ? only(state) : inspecting(state, name, opens)
  }
  const marked = markedOf(entriesOf(name, sourcesOf(state)), panel.cursor)
  return marked === null ? only(state) : opening(state, name, marked.entry)
}

function opening(state: ScreenState, name: PanelName, entry: Exclude<Entry, { kind: 'heading' }>): Outcome {
  switch (entry.kind) {
    case 'arrow':
      return inspecting(state, name, { kind: 'arrow', arrow: entry.id })
    case 'pass':
      return inspecting(state, name, { kind: 'pass', pass: entry.id })
    case 'finding':
      return inspecting(state, name, { kind: 'finding', finding: entry.id })
    case 'event': {
      const subject = { kind: 'event', serial: entry.row.serial } as const
      return only(withDetail(state, name, { subject, request: null, inspection: null, at: 0 }))
    }
    case 'queue':
      return dispatching(state, { kind: 'present-verdicts', item: entry.id })
  }
}

/** The wheel over a panel: its cursor moves by so many lines, down if positive (TERM-22). */
export function wheeledPanel(state: ScreenState, name: PanelName, by: number): ScreenState {
  return isMatrixShown(state, name) ? movedInMatrix(state, by < 0 ? 'up' : 'down') : movedBy(state, name, by)
}

type Move = 'panel.up' | 'panel.down' | 'panel.page-up' | 'panel.page-down' | 'panel.top' | 'panel.bottom'

function moved(state: ScreenState, name: PanelName, move: Move): ScreenState {
  if (isMatrixShown(state, name) && (move === 'panel.up' || move === 'panel.down')) {
    return movedInMatrix(state, move === 'panel.up' ? 'up' : 'down')
  }
  const page = Math.max(1, Math.floor(state.terminal.rows / 2))
  const distances: Record<Move, number> = {
    'panel.up': -1,
    'panel.down': 1,
    'panel.page-up': -page,
    'panel.page-down': page,
    'panel.top': Number.NEGATIVE_INFINITY,
    'panel.bottom': Number.POSITIVE_INFINITY
  }
  return movedBy(state, name, distances[move])
}

function movedBy(state: ScreenState, name: PanelName, by: number): ScreenState {
  const panel = state.panels.panels[name]
  const detail = panel.details.at(-1)
  if (detail !== undefined) {
    const lines = linesOfDetail(detail, state.gate.events, detailWidth(panelWidth(state)), unicodeGlyphs)
    const at = target(detail.at, lines.length, by)
    return changed(state, name, { details: [...panel.details.slice(0, -1), { ...detail, at }] })
  }
  const entries = entriesOf(name, sourcesOf(state))
  const marked = markedOf(entries, panel.cursor)
  if (marked === null) return state
  const rows = markable(entries)
  const index = target(marked.index, rows.length, by)
  return changed(state, name, { cursor: { id: rows[index]?.id ?? null, index } })
}

function target(from: number, count: number, by: number): number {
  const last = Math.max(0, count - 1)
  return Math.min(last, Math.max(0, Math.min(from, last) + by))
}

function isMatrixShown(state: ScreenState, name: PanelName): boolean {
  return name === 'arrows' && state.panels.isMatrix && state.panels.panels.arrows.details.length === 0
}

function movedInMatrix(state: ScreenState, by: 'left' | 'right' | 'up' | 'down'): ScreenState {
  const entries = entriesOf('arrows', sourcesOf(state))
  const marked = markedOf(entries, state.panels.panels.arrows.cursor)
  if (marked === null) return state
  const arrows = entries.flatMap((entry) => (entry.kind === 'arrow' ? [entry.row] : []))
  const id = neighbour(matrixOf(arrows), marked.entry.id, by)
  const index = markable(entries).findIndex((entry) => entry.id === id)
  return changed(state, 'arrows', { cursor: { id, index } })
}

function filtered(state: ScreenState, name: PanelName, filter: string): ScreenState {
  return changed(state, name, { filter })
}

function changed(state: ScreenState, name: PanelName, changes: Partial<Panel>): ScreenState {
  return { ...state, panels: withPanel(state.panels, name, changes) }
}

/** What the lists of the panels are made of. */
export function sourcesOf({ gate, panels }: ScreenState) {
  return { view: gate.view, events: gate.events, panels }
}
