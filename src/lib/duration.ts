const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/**
 * Milliseconds of a duration such as `500ms`, `30s`, `5m` or `1h30m`: number-unit groups with the units ms, s, m and h. null when the
 * text is no such thing, when it comes to nothing, or when it exceeds what can be counted exactly.
 */
export function parseDuration(text: string): number | null {
  if (!/^(?:\d+(?:ms|s|m|h))+$/.test(text)) return null
  let total = 0
  for (const [, count = '', unit = ''] of text.matchAll(/(\d+)(ms|s|m|h)/g))
    total += Number(count) * (unitMs[unit] ?? 0)
  return total > 0 && Number.isSafeInteger(total) ? total : null
}

/** The shortest duration text of whole milliseconds: `90000` is `1m30s`. */
export function formatDuration(ms: number): string {
  let rest = ms
  let text = ''
  for (const unit of ['h', 'm', 's', 'ms']) {
    const size = unitMs[unit] ?? 1
    const count = Math.floor(rest / size)
    if (count > 0) text += `${count}${unit}`
    rest -= count * size
  }
  return text === '' ? '0ms' : text
}
