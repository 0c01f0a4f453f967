/** The order of two texts by their code units, the same everywhere whatever the locale: negative, zero or positive. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
