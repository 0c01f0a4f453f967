import { visibleLine } from '../../src/lib/safe-text.ts'
import type { OperatorEvent } from '../../src/protocol/gate.ts'
import { line, span } from '../parts/lines.ts'
import type { ToldEvent } from '../store/gate.ts'
import type { Line } from '../theme/index.ts'
import { type DetailLine, detailFact, detailHeading, detailRow, shown } from './detail-line.ts'
import { eventSubject } from './event-subject.ts'
import { timeText } from './time.ts'

/** `10:11:12 pass-opened p-7 analyst→architect/default` (OPUI-733); the panel cuts it. */
export function eventLine({ event, at }: ToldEvent): Line {
  const time = timeText(at).slice(11, 19)
  return line(
    span(`${time} `, { tone: 'dim' }),
    span(`${visibleLine(event.kind)} `, { bold: true }),
    span(visibleLine(eventSubject(event)))
  )
}

/** The whole event: its envelope, then its payload (EVT-100). */
export function eventDetailLines({ event, at }: ToldEvent, width: number): DetailLine[] {
  const { kind, timestamp, detail, payload, ...subject } = event satisfies OperatorEvent
  return [
    ...detailRow([shown(kind, { bold: true })], width),
    ...detailFact('timestamp', timestamp ?? timeText(at), width),
    ...Object.entries(subject).flatMap(([name, value]) => detailFact(name, String(value), width)),
    ...detailFact('detail', detail ?? '', width),
    ...(payload === undefined ? [] : detailHeading('payload', width)),
    ...Object.entries(payload ?? {}).flatMap(([name, value]) => detailFact(name, value, width, 2))
  ]
}
