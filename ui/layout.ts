import type { PanelName, PanelsState } from './panels/state.ts'
import type { ScreenState } from './store/state.ts'

/** How the window is divided, in cells (TERM-1…3). */
export type ScreenLayout =
  /** Too small for anything but a line that says so. */
  | { readonly kind: 'tiny' }
  | {
      readonly kind: 'full'
      readonly transcript: number
      readonly chips: number
      readonly list: number
      readonly prompt: number
      readonly isFramed: boolean
    }

const MIN_COLUMNS = 20
const MIN_ROWS = 6
/** From here on the side panel stands beside the transcript, and both have borders (TERM-2). */
const WIDE_COLUMNS = 110
/** From here on an open panel leaves half of the window to the transcript. */
const HALF_COLUMNS = 60
const SIDE_MIN = 31
const SIDE_MAX = 38
const SIDE_SHARE = 0.3

/** Divides the rows: header, prompt and status line always have theirs, the transcript gets what is left, at least one. */
export function divideScreen(wanted: {
  readonly columns: number
  readonly rows: number
  readonly prompt: number
  readonly chips: number
  readonly list: number
}): ScreenLayout {
  const { columns, rows } = wanted
  if (isTiny(wanted)) return { kind: 'tiny' }
  let left = rows - 2
  const take = (count: number) => {
    const taken = Math.max(0, Math.min(count, left - 1))
    left -= taken
    return taken
  }
  const prompt = take(wanted.prompt)
  const list = take(wanted.list)
  const chips = take(wanted.chips)
  return { kind: 'full', transcript: left, chips, list, prompt, isFramed: columns >= WIDE_COLUMNS && left >= 5 }
}

/** Nothing but a line that says so has room; what asks for an answer cannot be seen and takes none. */
export function isTiny({ columns, rows }: { readonly columns: number; readonly rows: number }): boolean {
  return columns < MIN_COLUMNS || rows < MIN_ROWS
}

/** Whether side panels stand beside the transcript (TERM-2). */
export function isWide(columns: number): boolean {
  return columns >= WIDE_COLUMNS
}

/** What the division of the columns depends on. */
export type ColumnFacts = Pick<ScreenState, 'terminal' | 'panels' | 'gate'>

/** Divides the columns between transcript and panels (OPUI-710): beside it where the window is wide, else over half or all of it. */
export function divideColumns({ terminal, panels, gate }: ColumnFacts): {
  readonly transcript: number
  readonly panel: number
} {
  const { columns } = terminal
  const isShown = panels.open !== null || (isWide(columns) && gate.view?.grid != null)
  if (!isShown) return { transcript: columns, panel: 0 }
  const panel = isWide(columns)
    ? sideWidth(columns, panels)
    : columns >= HALF_COLUMNS
      ? Math.floor(columns / 2)
      : columns
  return { transcript: columns - panel, panel }
}

/** Cells inside the border of a panel. */
export function panelWidth(facts: ColumnFacts): number {
  const { panel } = divideColumns(facts)
  return panel < 3 ? panel : panel - 2
}

/** The panels of the side column with their rows: arrows over passes, or the one that was asked for instead (OPUI-710). */
export function stackPanels(
  { terminal, panels }: ColumnFacts,
  rows: number
): { readonly name: PanelName; readonly rows: number }[] {
  const { open } = panels
  const isPair = isWide(terminal.columns) && (open === null || open === 'arrows' || open === 'passes')
  if (!isPair) return open === null ? [] : [{ name: open, rows }]
  const passes = Math.floor(rows / 3)
  return passes < 3
    ? [{ name: open ?? 'arrows', rows }]
    : [
        { name: 'arrows', rows: rows - passes },
        { name: 'passes', rows: passes }
      ]
}

function sideWidth(columns: number, { isMatrix, open }: PanelsState): number {
  if (isMatrix && (open === null || open === 'arrows')) return Math.floor(columns / 2)
  return Math.min(SIDE_MAX, Math.max(SIDE_MIN, Math.floor(columns * SIDE_SHARE)))
}
