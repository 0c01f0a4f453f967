import { markMatches } from '../parts/lines.ts'
import type { Line } from '../theme/style.ts'
import { firstKept } from './entries.ts'
import { TranscriptLayout } from './layout.ts'
import { isFoldable, type Row, type TranscriptState } from './model.ts'
import type { Pen } from './pen.ts'
import {
  following,
  hasGrown,
  heldAt,
  newEntries,
  type Scroll,
  scrolledBy,
  scrolledToEntry,
  scrolledToStart,
  topLine
} from './scroll.ts'
import { findMatches, type Match, matchPosition } from './search.ts'
import { type Position, up, visible } from './window.ts'

/** One visible line and the row it belongs to. */
export type ShownLine = { readonly row: string; readonly line: Line }

/** How far a search of the transcript has come (TERM-22). */
export type SearchStatus = {
  readonly query: string
  /** 1-based; 0: none. */
  readonly current: number
  readonly total: number
  /** Older entries are on disk, where nobody has looked (TERM-15). */
  readonly isPartial: boolean
}

/**
 * The reader's view of the transcript: where they are, what they search. Keys that only move the view end here; nobody else learns of
 * it but the components that subscribe. The transcript and the size of the pane come in by `show`.
 */
export class TranscriptView {
  private readonly layout: TranscriptLayout
  private readonly listeners = new Set<() => void>()
  private state: TranscriptState | null = null
  private height = 0
  private scroll: Scroll = following
  private search: { query: string; matches: Match[]; at: number; of: readonly Row[] } | null = null
  private changes = 0
  private asked: string | null = null
  /** Called when the reader comes to the first row held while older ones are on disk (TERM-15). */
  onNeedOlder: ((before: string) => void) | null = null
  /** Called when the reader is back at the end. */
  onFollow: (() => void) | null = null

  constructor(pen: Pen) {
    this.layout = new TranscriptLayout(pen)
  }

  /** For `useSyncExternalStore`: tells of moves, not of new entries. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  readonly version = (): number => this.changes

  /** Sets what is shown and the size of the pane in cells. */
  show(state: TranscriptState, cols: number, rows: number): void {
    this.state = state
    this.height = Math.max(0, rows)
    this.layout.nextView()
    this.layout.sync(state.rows, Math.max(1, cols))
  }

  /** The lines of the pane from the top; fewer than its height only when there are no more. */
  lines(): ShownLine[] {
    const top = this.top()
    if (top === null) return []
    const lines: ShownLine[] = []
    const query = this.search?.query ?? ''
    for (const { row, piece, from, count } of visible(this.layout, top, this.height)) {
      const id = this.layout.row(row)?.id ?? ''
      for (const each of this.layout.lines(row, piece).slice(from, from + count)) {
        lines.push({ row: id, line: query === '' ? each : markMatches(each, query) })
      }
    }
    return lines
  }

  get isFollowing(): boolean {
    return this.scroll.kind === 'following'
  }

  /** Entries below that arrived while the reader was away from the end. */
  get newEntries(): number {
    return newEntries(this.layout, this.scroll)
  }

  /** The reader was away from the end and the entry that stood there has grown. */
  get hasGrown(): boolean {
    return hasGrown(this.layout, this.scroll)
  }

  /** How far the bottom of the pane is through the transcript, 0 to 100, or null while all of it shows. */
  get percent(): number | null {
    const top = this.top()
    if (top === null) return null
    if (this.isFollowing) return isSame(up(this.layout, top, 1), top) ? null : 100
    const above = this.layout.heightBefore(top.row) + this.layout.heightWithin(top.row, top.piece) + top.line
    return Math.min(99, Math.floor(((above + this.height) * 100) / Math.max(1, this.layout.totalHeight)))
  }

  scrollLines(delta: number): void {
    this.moveTo(scrolledBy(this.layout, this.scroll, delta, this.height))
    if (delta < 0) this.askForOlder()
  }

  scrollPages(delta: number): void {
    this.scrollLines(delta * Math.max(1, this.height - 1))
  }

  scrollEntries(step: 1 | -1): void {
    this.moveTo(scrolledToEntry(this.layout, this.scroll, step, this.height))
    if (step < 0) this.askForOlder()
  }

  toStart(): void {
    this.moveTo(scrolledToStart(this.layout, this.scroll, this.height))
    this.askForOlder()
  }

  toEnd(): void {
    this.moveTo(following)
  }

  /** The row a fold key means: the last foldable one in view. */
  foldTarget(): string | null {
    for (const { row } of this.lines().reverse()) {
      const known = this.layout.row(this.layout.indexOf(row))
      if (known !== undefined && isFoldable(known)) return row
    }
    return null
  }

  /** Searches for `query` and shows the last occurrence; an empty query ends the search (TERM-22). */
  find(query: string): void {
    this.search = null
    if (query !== '' && this.state !== null) {
      const matches = findMatches(this.state.rows, query)
      this.search = { query, matches, at: matches.length - 1, of: this.state.rows }
    }
    this.changed()
    this.showMatch()
  }

  /**
   * Goes to the next (1) or previous (−1) occurrence, around the ends. Before the first it stays while older entries come from disk; the
   * next step goes on among them (TERM-15).
   */
  findNext(step: 1 | -1): void {
    if (this.search === null || this.state === null) return
    if (this.search.of !== this.state.rows) {
      const matches = findMatches(this.state.rows, this.search.query)
      this.search = { ...this.search, matches, at: samePlace(this.search, matches), of: this.state.rows }
    }
    const { matches, at } = this.search
    const isBeforeAll = step < 0 && (at === 0 || matches.length === 0)
    if (isBeforeAll && this.state.older === 'some' && this.requestOlder()) return
    if (matches.length === 0) return
    // What is found where nothing was before is come to from the end that the step comes from.
    const from = at === -1 && step < 0 ? 0 : at
    this.search.at = (from + step + matches.length) % matches.length
    this.showMatch()
  }

  get searchStatus(): SearchStatus | null {
    if (this.search === null) return null
    const { query, matches, at } = this.search
    const isPartial = this.state?.older === 'some'
    return { query, current: matches.length === 0 ? 0 : at + 1, total: matches.length, isPartial }
  }

  /** Draws everything anew with another pen: code can be coloured now, or the theme has changed. */
  repaint(pen: Pen): void {
    this.layout.repaint(pen)
    this.changed()
  }

  private top(): Position | null {
    return this.height === 0 ? null : topLine(this.layout, this.scroll, this.height)
  }

  private showMatch(): void {
    const match = this.search?.matches[this.search.at]
    if (match === undefined || this.search === null) return
    const line = matchPosition(this.layout, match, this.search.query)
    if (line === null) return
    // A third of the pane above it, for context.
    this.moveTo(heldAt(this.layout, this.scroll, up(this.layout, line, Math.floor(this.height / 3)), this.height))
    this.changed()
  }

  private moveTo(scroll: Scroll): void {
    if (scroll === this.scroll) return
    const isBack = scroll.kind === 'following' && this.scroll.kind !== 'following'
    this.scroll = scroll
    this.changed()
    if (isBack) this.onFollow?.()
  }

  private askForOlder(): void {
    const top = this.top()
    if (top !== null && isSame(up(this.layout, top, 1), top)) this.requestOlder()
  }

  /** Asks for what is on disk before the first row held, once; false when there is none, or it has been asked for. */
  private requestOlder(): boolean {
    // A notice or a tool call in front of it has no place in the history that could be asked for.
    const first = firstKept(this.state?.rows ?? [])
    if (first === null || this.state?.older === 'none' || first === this.asked) return false
    this.asked = first
    this.onNeedOlder?.(first)
    return true
  }

  private changed(): void {
    this.changes += 1
    for (const listener of this.listeners) listener()
  }
}

/** Where the occurrence that was reached is among those found anew; what came before or after it moves it. */
function samePlace(before: { readonly matches: readonly Match[]; readonly at: number }, now: readonly Match[]): number {
  const reached = before.matches[before.at]
  const at = now.findIndex(({ row, nth }) => row === reached?.row && nth === reached.nth)
  return at === -1 ? Math.min(before.at, now.length - 1) : at
}

function isSame(a: Position, b: Position): boolean {
  return a.row === b.row && a.piece === b.piece && a.line === b.line
}
