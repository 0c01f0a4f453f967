import { visibleLine } from '../../src/lib/safe-text.ts'
import type { QueueRow } from '../../src/protocol/gate-view.ts'
import { justified, line, span } from '../parts/lines.ts'
import type { Glyphs, Line, Tone } from '../theme/index.ts'
import { ageText } from './age.ts'

const marks: Readonly<
  Record<QueueRow['type'], { readonly glyph: keyof Pick<Glyphs, 'bullet' | 'attention' | 'info'>; readonly tone: Tone }>
> = {
  verdict: { glyph: 'bullet', tone: 'accent' },
  escalation: { glyph: 'attention', tone: 'fail' },
  'risk-acceptance': { glyph: 'info', tone: 'warn' }
}

/** Mark, clause and the beginning of the arrow come before round and age. */
const NAME_CELLS = 14

/** `• C2 analyst→architect/default  round 1  12s` (OPUI-731). */
export function queueLine(row: QueueRow, width: number, glyphs: Glyphs, now: number): Line {
  const mark = marks[row.type]
  const what = row.clause ?? row.finding ?? ''
  const left = line(
    span(`${glyphs[mark.glyph]} `, { tone: mark.tone }),
    span(`${visibleLine(what)} `, { bold: true }),
    span(visibleLine(row.arrow))
  )
  const round = row.type === 'risk-acceptance' ? '' : `round ${row.round} `
  const right = line(span(`${round}${ageText(now - row.since)}`, { tone: 'dim' }))
  return width - right.width < NAME_CELLS ? left : justified(left, right, width)
}
