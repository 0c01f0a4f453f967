import type { ArrowRow, FindingRow, GateView, PassRow, QueueRow } from '../../src/protocol/gate-view.ts'
import { arrowLabel } from '../grid/status.ts'
import type { ToldEvent } from '../store/gate.ts'
import { eventSubject } from './event-subject.ts'
import type { Panel, PanelName, PanelsState } from './state.ts'

/** One row of a panel's list. Headings group rows and cannot be marked. */
export type Entry =
  | { readonly kind: 'heading'; readonly id: null; readonly text: string }
  | { readonly kind: 'arrow'; readonly id: string; readonly row: ArrowRow }
  | { readonly kind: 'pass'; readonly id: string; readonly row: PassRow }
  | { readonly kind: 'queue'; readonly id: string; readonly row: QueueRow }
  | { readonly kind: 'finding'; readonly id: string; readonly row: FindingRow }
  | { readonly kind: 'event'; readonly id: string; readonly row: ToldEvent }

/** What the lists are made of. */
export type PanelSources = {
  readonly view: GateView | null
  readonly events: readonly ToldEvent[]
  readonly panels: PanelsState
}

/** The rows of a panel, filtered and grouped, in the order they are shown. */
export function entriesOf(name: PanelName, { view, events, panels }: PanelSources): Entry[] {
  const panel = panels.panels[name]
  switch (name) {
    case 'arrows': {
      const rows = view?.arrows ?? []
      const shown = rows.filter((row) => matches(panel, [row.id, row.context, arrowLabel(row)]))
      const contexts = new Set(rows.map(({ context }) => context))
      const entries = shown.map((row) => ({ kind: 'arrow', id: row.id, row }) as const)
      return contexts.size > 1 ? grouped(entries, ({ row }) => row.context) : entries
    }
    case 'passes':
      return (view?.passes ?? [])
        .filter(
          (row) => belongs(panel, row.arrow) && matches(panel, [row.id, row.role, row.context, row.arrow, row.state])
        )
        .map((row) => ({ kind: 'pass', id: row.id, row }))
    case 'queue':
      return (view?.queue ?? [])
        .filter((row) => matches(panel, [row.type, row.arrow, row.clause ?? '', row.finding ?? '']))
        .map((row) => ({ kind: 'queue', id: row.item, row }))
    case 'findings': {
      const entries = (view?.findings ?? [])
        .filter(
          (row) =>
            belongs(panel, row.arrow) && matches(panel, [row.id, row.arrow, row.type, row.status, row.description])
        )
        .map((row) => ({ kind: 'finding', id: row.id, row }) as const)
      return grouped(entries, ({ row }) => (panels.findingsBy === 'arrow' ? row.arrow : row.status))
    }
    case 'events':
      // The newest first: that is what one looks for.
      return events
        .filter(({ event }) => matches(panel, [event.kind, eventSubject(event)]))
        .map((row) => ({ kind: 'event', id: String(row.serial), row }) as const)
        .reverse()
  }
}

/** The rows that can be marked. */
export function markable(entries: readonly Entry[]): Exclude<Entry, { kind: 'heading' }>[] {
  return entries.filter((entry) => entry.kind !== 'heading')
}

/** The marked row: the one the cursor names, or what stands in its place (OPUI-713). */
export function markedOf(
  entries: readonly Entry[],
  cursor: Panel['cursor']
): { readonly entry: Exclude<Entry, { kind: 'heading' }>; readonly index: number } | null {
  const rows = markable(entries)
  const found = rows.findIndex(({ id }) => id === cursor.id)
  const index = found === -1 ? Math.min(cursor.index, rows.length - 1) : found
  const entry = rows[index]
  return entry === undefined ? null : { entry, index }
}

/** Groups in the order of their first row, each under its heading. */
function grouped<E extends Entry>(entries: readonly E[], keyOf: (entry: E) => string): Entry[] {
  const groups = Map.groupBy(entries, keyOf)
  return [...groups].flatMap(([text, rows]) => [{ kind: 'heading' as const, id: null, text }, ...rows])
}

function belongs({ arrow }: Panel, of: string): boolean {
  return arrow === null || arrow === of
}

function matches({ filter }: Panel, texts: readonly string[]): boolean {
  // `->` is accepted wherever `→` is typed (OPUI-102).
  const wanted = filter.toLowerCase().replaceAll('->', '→')
  return wanted === '' || texts.some((text) => text.toLowerCase().includes(wanted))
}
