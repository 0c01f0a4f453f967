import { unreachable } from '../../src/lib/assert.ts'
import type { ClauseDetail, Inspection } from '../../src/protocol/gate-view.ts'
import { arrowDetailLines, attestationLines, clauseLines } from '../grid/detail.ts'
import { span } from '../parts/lines.ts'
import { passDetailLines } from '../passes/detail.ts'
import type { ToldEvent } from '../store/gate.ts'
import type { Glyphs } from '../theme/index.ts'
import { type DetailLine, detailFact, detailHeading, detailRow, shown } from './detail-line.ts'
import { eventDetailLines } from './events.ts'
import { findingDetailLines } from './findings.ts'
import type { Detail } from './state.ts'
import { timeText } from './time.ts'

/** A closer look laid out for a width, line by line. */
export function linesOfDetail(
  detail: Detail,
  events: readonly ToldEvent[],
  width: number,
  glyphs: Glyphs
): readonly DetailLine[] {
  const { subject, inspection } = detail
  if (subject.kind === 'event') {
    const told = events.find(({ serial }) => serial === subject.serial)
    return told === undefined ? gone('no longer kept', width) : eventDetailLines(told, width)
  }
  return inspection === null ? detailRow([span('…', { tone: 'dim' })], width) : inspected(inspection, width, glyphs)
}

function inspected(inspection: Inspection, width: number, glyphs: Glyphs): readonly DetailLine[] {
  switch (inspection.kind) {
    case 'arrow':
      return arrowDetailLines(inspection, width, glyphs)
    case 'pass':
      return passDetailLines(inspection, width, glyphs)
    case 'finding':
      return findingDetailLines(inspection, width)
    case 'clause':
      return clauseDetailLines(inspection, inspection.arrow, width, glyphs)
    case 'attestations':
      return [
        ...detailHeading(`attestations (${inspection.attestations.length})`, width),
        ...detailRow([shown(inspection.arrow, { tone: 'dim' })], width),
        ...inspection.attestations.flatMap((attestation) => attestationLines(attestation, width))
      ]
    case 'nothing':
      return gone(inspection.text, width)
    default:
      return unreachable(inspection)
  }
}

function clauseDetailLines(detail: ClauseDetail, arrow: string, width: number, glyphs: Glyphs): DetailLine[] {
  return [
    ...clauseLines(detail.row, arrow, width, glyphs).map(({ line }) => ({ line, opens: null })),
    ...detailFact('description', detail.row.description, width),
    ...detailFact('evaluation', detail.row.eval, width),
    ...(detail.pass === null
      ? []
      : detailRow([span('pass: ', { tone: 'dim' }), shown(detail.pass)], width, 0, {
          kind: 'pass',
          pass: detail.pass
        })),
    ...detailFact('evaluated', detail.evaluatedAt === null ? 'never' : timeText(detail.evaluatedAt), width),
    ...detailFact('result', detail.result, width)
  ]
}

function gone(text: string, width: number): DetailLine[] {
  return detailRow([shown(text, { tone: 'dim' })], width)
}
