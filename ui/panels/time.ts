/** A moment as records have it, to the second: `2026-08-21T10:11:12Z`. */
export function timeText(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')
}
