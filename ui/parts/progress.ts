import type { Glyphs } from '../theme/glyphs.ts'
import type { Line } from '../theme/style.ts'
import { line, span } from './lines.ts'

/** `512 B`, `3.4 kB`, `1.2 MB`: bytes for people, by thousands. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${Math.max(0, Math.round(bytes))} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  let value = bytes / 1000
  let unit = 0
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${value.toFixed(1)} ${units[unit]}`
}

/** A count for people: `340`, `1.2k`, `3.4M`. */
export function countText(count: number): string {
  if (count < 1000) return String(Math.max(0, Math.round(count)))
  if (count < 999_950) return `${(count / 1000).toFixed(1)}k`
  return `${(count / 1_000_000).toFixed(1)}M`
}

/** A bar of `width` cells, filled as far as `done` is of `total`; empty while the total is unknown (0). */
export function progressBar(done: number, total: number, width: number, glyphs: Glyphs): Line {
  const cells = Math.max(0, width)
  const share = total > 0 ? Math.min(1, Math.max(0, done / total)) : 0
  const full = Math.floor(share * cells)
  return line(
    span(glyphs.barFull.repeat(full), { tone: 'accent' }),
    span(glyphs.barEmpty.repeat(cells - full), { tone: 'dim' })
  )
}
