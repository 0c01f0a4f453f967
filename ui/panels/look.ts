import { visibleLine } from '../../src/lib/safe-text.ts'
import { cellWidth } from '../../src/lib/width.ts'
import { matrixLines, matrixOf } from '../grid/matrix.ts'
import { arrowLine, pairCellsOf } from '../grid/row.ts'
import type { Bindings } from '../keys/index.ts'
import { cutLine, emptyLine, line, span, wrapHanging } from '../parts/lines.ts'
import { listOffset, listRow } from '../parts/list.ts'
import { passLine } from '../passes/row.ts'
import type { Glyphs, Line } from '../theme/index.ts'
import { closedText } from './closed.ts'
import { shown } from './detail-line.ts'
import { linesOfDetail } from './details.ts'
import { type Entry, entriesOf, markable, markedOf, type PanelSources } from './entries.ts'
import { eventLine } from './events.ts'
import { findingLine } from './findings.ts'
import { hintsThatFit } from './hints.ts'
import { queueLine } from './queue.ts'
import type { Panel, PanelName } from './state.ts'

/** A panel laid out: its title, the lines inside its border, and what stands in the border below. */
export type PanelLook = { readonly title: string; readonly lines: readonly Line[]; readonly note: string }

export type PanelPlace = {
  /** Cells inside the border. */
  readonly width: number
  readonly height: number
  readonly isFocused: boolean
  readonly glyphs: Glyphs
  readonly bindings: Bindings
  /** Milliseconds since the epoch, for ages. */
  readonly now: number
}

/** Rows of a panel that show its list or detail; the rest is its last line. */
function bodyRows(height: number): number {
  if (height <= 1) return height
  return height >= 5 ? height - 2 : height - 1
}

/** Lays a panel out (OPUI-720…733). */
export function lookOfPanel(name: PanelName, sources: PanelSources, place: PanelPlace): PanelLook {
  const { width, height } = place
  const panel = sources.panels.panels[name]
  const detail = panel.details.at(-1)
  const rows = bodyRows(height)
  const body = detail === undefined ? listBody(name, sources, rows, place) : detailBody(name, sources, rows, place)
  const filled = [...body.lines, ...Array.from({ length: Math.max(0, rows - body.lines.length) }, () => emptyLine)]
  const gap = height - rows >= 2 ? [emptyLine] : []
  const last = height > rows ? [lastLine(name, sources, place)] : []
  const lines = [...filled.slice(0, rows), ...gap, ...last].map((each) => cutLine(each, width))
  return { title: titleOf(name, sources), lines, note: body.note }
}

type Body = { readonly lines: readonly Line[]; readonly note: string }

function listBody(name: PanelName, sources: PanelSources, height: number, place: PanelPlace): Body {
  const { width, isFocused, glyphs, now } = place
  const { view, panels } = sources
  if (view?.grid == null && name !== 'events') {
    const why = closedText(view)
    const told = view === null ? span(why, { tone: 'dim' }) : shown(why, { tone: 'warn' })
    return { lines: wrapHanging([told], width, [span(' ')], [span(' ')]), note: '' }
  }
  const panel = panels.panels[name]
  const entries = entriesOf(name, sources)
  const marked = markedOf(entries, panel.cursor)
  if (marked === null) return { lines: [line(span(` ${emptyText(name, panel)}`, { tone: 'dim' }))], note: '' }
  if (name === 'arrows' && panels.isMatrix) {
    const matrix = matrixOf(arrowRowsOf(entries))
    const lines = matrixLines(matrix, isFocused ? marked.entry.id : null, width, glyphs)
    const at = matrix.cells.findIndex((cells) => cells.some((cell) => cell?.id === marked.entry.id))
    const first = listOffset(lines.length, at + 1, height)
    return { lines: lines.slice(first, first + height), note: '' }
  }
  const at = entries.indexOf(marked.entry)
  const first = offsetOf(entries, at, height)
  const longestPair = pairCellsOf(arrowRowsOf(entries))
  const lines = entries.slice(first, first + height).map((entry) => {
    if (entry.kind === 'heading') return line(span(` ${visibleLine(entry.text)}`, { bold: true }))
    return listRow(
      entryLine(entry, longestPair, Math.max(0, width - 2), glyphs, now),
      isFocused && entry === marked.entry,
      isFocused,
      width,
      glyphs
    )
  })
  const count = markable(entries).length
  return { lines, note: entries.length > height ? `${marked.index + 1}/${count}` : '' }
}

/** The marked row in sight, with the heading above it where it is the first of its group. */
function offsetOf(entries: readonly Entry[], at: number, height: number): number {
  const first = listOffset(entries.length, at, height)
  return first === at && at > 0 && entries[at - 1]?.kind === 'heading' && height > 1 ? first - 1 : first
}

function arrowRowsOf(entries: readonly Entry[]) {
  return entries.flatMap((entry) => (entry.kind === 'arrow' ? [entry.row] : []))
}

function entryLine(
  entry: Exclude<Entry, { kind: 'heading' }>,
  longestPair: number,
  width: number,
  glyphs: Glyphs,
  now: number
): Line {
  switch (entry.kind) {
    case 'arrow':
      return arrowLine(entry.row, longestPair, width, glyphs)
    case 'pass':
      return passLine(entry.row, width, now)
    case 'queue':
      return queueLine(entry.row, width, glyphs, now)
    case 'finding':
      return findingLine(entry.row, width)
    case 'event':
      return eventLine(entry.row)
  }
}

function detailBody(name: PanelName, { panels, events }: PanelSources, height: number, place: PanelPlace): Body {
  const { width, isFocused, glyphs } = place
  const detail = panels.panels[name].details.at(-1)
  const lines = detail === undefined ? [] : linesOfDetail(detail, events, detailWidth(width), glyphs)
  const at = Math.min(detail?.at ?? 0, Math.max(0, lines.length - 1))
  const first = listOffset(lines.length, at, height)
  const shown = lines
    .slice(first, first + height)
    .map(({ line: each }, index) => listRow(each, isFocused && first + index === at, isFocused, width, glyphs))
  return { lines: shown, note: lines.length > height ? `${at + 1}/${lines.length}` : '' }
}

/** Cells for the text of a detail; the cursor stands before it. */
export function detailWidth(width: number): number {
  return Math.max(1, width - 2)
}

function titleOf(name: PanelName, { view, panels, events }: PanelSources): string {
  const panel = panels.panels[name]
  const grid = view?.grid
  const counts: Record<PanelName, string> = {
    arrows: grid == null ? '' : ` ${view?.arrows.length ?? 0} · grid v${grid.version}`,
    passes: ` ${view?.passes.filter(({ state }) => state === 'open').length ?? 0}`,
    queue: ` ${view?.queue.length ?? 0}`,
    findings: ` ${view?.findings.length ?? 0}`,
    events: ` ${events.length}`
  }
  const label = name === 'queue' ? 'verdicts' : name
  const only = panel.arrow === null ? '' : ` · ${visibleLine(panel.arrow)}`
  return `${label}${counts[name]}${only}`
}

function emptyText(name: PanelName, panel: Panel): string {
  if (panel.filter !== '' || panel.arrow !== null) return 'nothing matches'
  const texts: Record<PanelName, string> = {
    arrows: 'no arrows',
    passes: 'no open passes',
    queue: 'nothing waits for a verdict',
    findings: 'no findings',
    events: 'no events yet'
  }
  return texts[name]
}

/** Why a key was refused, the filter, or the keys that matter here. */
function lastLine(name: PanelName, { panels }: PanelSources, { bindings, isFocused, glyphs, width }: PanelPlace): Line {
  const panel = panels.panels[name]
  if (isFocused && panels.refusal !== null) return line(span(` ${visibleLine(panels.refusal)}`, { tone: 'warn' }))
  if (panel.isFiltering)
    return line(span(' /', { tone: 'accent' }), span(visibleLine(panel.filter)), span(glyphs.caret))
  const filter = panel.filter === '' ? '' : ` /${visibleLine(panel.filter)}  `
  const room = width - cellWidth(filter) - 1
  return line(
    span(filter, { tone: 'accent' }),
    span(` ${hintsThatFit(name, panel.details.length > 0, bindings, room)}`, { tone: 'dim' })
  )
}
