import { visibleLine } from '../../src/lib/safe-text.ts'
import type { PassRow } from '../../src/protocol/gate-view.ts'
import { ageText } from '../panels/age.ts'
import { justified, line, span } from '../parts/lines.ts'
import type { Line, Tone } from '../theme/index.ts'

/** `p-7 analyst/default           open 4s` in `width` cells; a parked one `waiting 2` (OPUI-730). */
export function passLine(row: PassRow, width: number, now: number): Line {
  const left = line(
    span(visibleLine(row.id), { bold: row.state === 'open' }),
    span(` ${visibleLine(`${row.role}/${row.context}`)}`)
  )
  return justified(left, line(span(stateText(row, now), { tone: stateTone(row) })), width)
}

function stateText(row: PassRow, now: number): string {
  if (row.waiting > 0) return `waiting ${row.waiting}`
  return `${row.state} ${ageText(now - (row.closedAt ?? row.openedAt))}`
}

function stateTone({ state, waiting }: PassRow): Tone {
  if (waiting > 0) return 'warn'
  return state === 'open' ? 'accent' : state === 'closed' ? 'dim' : 'fail'
}
