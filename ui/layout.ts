/** How the window is divided, in cells (section "The screen", TERM-1…3). */
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

/** Divides the rows: header, prompt and status line always have theirs, the transcript gets what is left, at least one. */
export function divideScreen(wanted: {
  readonly columns: number
  readonly rows: number
  readonly prompt: number
  readonly chips: number
  readonly list: number
}): ScreenLayout {
  const { columns, rows } = wanted
  if (columns < MIN_COLUMNS || rows < MIN_ROWS) return { kind: 'tiny' }
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
