/** Rows `top` to `bottom` moved up by `by` rows, down when it is negative; `gain` is about what it saves, in characters. */
export type Shift = { readonly top: number; readonly bottom: number; readonly by: number; readonly gain: number }

const SHIFT_MAX = 12
/** What a row has to gain before it counts: lines that begin alike are common. */
const GAIN_MIN = 16

/**
 * The move of rows that leaves least to repaint, or null when none is worth while. It looks at how lines begin: what stands at the
 * end of a row, such as a panel, is put right afterwards.
 */
export function findShift(before: readonly string[], after: readonly string[]): Shift | null {
  const rows = Math.min(before.length, after.length)
  const kept = after.slice(0, rows).map((line, row) => commonStart(line, before[row] ?? ''))
  let best: Shift | null = null
  for (let size = 1; size <= Math.min(SHIFT_MAX, rows - 2); size++) {
    for (const by of [size, -size]) {
      const found = gainOf(before, after, kept, by, rows)
      if (found !== null && found.gain > (best?.gain ?? 0)) best = found
    }
  }
  return best
}

function gainOf(
  before: readonly string[],
  after: readonly string[],
  kept: readonly number[],
  by: number,
  rows: number
): Shift | null {
  let gain = 0
  let first = -1
  let last = -1
  for (let row = Math.max(0, -by); row < rows - Math.max(0, by); row++) {
    const more = commonStart(after[row] ?? '', before[row + by] ?? '') - (kept[row] ?? 0)
    if (more < GAIN_MIN) continue
    gain += more
    if (first === -1) first = row
    last = row
  }
  if (first === -1) return null
  return { top: Math.min(first, first + by), bottom: Math.max(last, last + by), by, gain }
}

function commonStart(a: string, b: string): number {
  if (a === b) return a.length
  const end = Math.min(a.length, b.length)
  let at = 0
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at += 1
  return at
}
