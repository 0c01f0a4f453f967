import { safeLine } from '../../src/lib/safe-text.ts'
import type { InboxRow } from '../../src/protocol/event.ts'
import { cutLine, line, span } from '../parts/lines.ts'
import type { Glyphs } from '../theme/glyphs.ts'
import type { Line } from '../theme/style.ts'

/** The inputs that wait to be taken up, one chip a line, the newest last (TERM-46). Of more than `max` the oldest are counted. */
export function pendingLines(pending: readonly InboxRow[], width: number, max: number, glyphs: Glyphs): Line[] {
  const inputs = pending.filter((row) => row.kind === 'input')
  if (inputs.length === 0 || max <= 0) return []
  const shown = inputs.length <= max ? inputs : inputs.slice(inputs.length - max + 1)
  const hidden = inputs.length - shown.length
  const lines = shown.map((row) =>
    line(
      span(` ${row.delivery === 'steer' ? 'steer' : 'queue'} `, { inverse: true }),
      span(row.origin === 'operator' ? ' ' : ` (${row.origin}) `, { tone: 'dim' }),
      span(safeLine(row.text.slice(0, 500)))
    )
  )
  if (hidden > 0) lines.unshift(line(span(`${glyphs.up} ${hidden} more`, { tone: 'dim' })))
  return lines.map((each) => cutLine(each, width))
}
