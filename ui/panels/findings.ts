import { visibleLine } from '../../src/lib/safe-text.ts'
import { padEnd } from '../../src/lib/width.ts'
import type { FindingDetail, FindingRow } from '../../src/protocol/gate-view.ts'
import { line, span } from '../parts/lines.ts'
import type { Line, Span, Tone } from '../theme/index.ts'
import { type DetailLine, detailFact, detailHeading, detailRow, shown } from './detail-line.ts'
import { timeText } from './time.ts'

const SEVERITY_CELLS = 9

/** `high     open open-sweep analyst→architect/default: the cart …` (OPUI-732). */
export function findingLine(finding: FindingRow, width: number): Line {
  const [severity, status, type] = findingSpans(finding)
  if (severity === undefined || status === undefined || type === undefined) return line()
  const text = `${finding.arrow}: ${finding.description}`.replaceAll('\n', ' ')
  const head = line(span(padEnd(severity.text, SEVERITY_CELLS), severity.style), status, type)
  return line(...head.spans, span(padEnd(visibleLine(text), Math.max(0, width - head.width))))
}

/** Severity, status, type, then the description. */
export function findingSpans(finding: FindingRow): Span[] {
  const tone = severityTone(finding)
  const older = finding.isOlder ? ' (earlier grid)' : ''
  return [
    span(`${finding.severity} `, { tone }),
    span(`${finding.status} `, { bold: finding.isBlocking }),
    span(`${visibleLine(finding.type)}${older} `, { tone: 'dim' }),
    span(visibleLine(finding.description))
  ]
}

/** What blocks comes first; within that the order of the store stays. */
export function mostPressing(findings: readonly FindingRow[]): FindingRow[] {
  return [...findings.filter(({ isBlocking }) => isBlocking), ...findings.filter(({ isBlocking }) => !isBlocking)]
}

/** A closer look at a finding, with all that happened to it. */
export function findingDetailLines(detail: FindingDetail, width: number): DetailLine[] {
  const { row, transitions } = detail
  return [
    ...detailRow([shown(row.id, { bold: true })], width),
    ...detailFact('severity', row.severity, width),
    ...detailFact('status', row.status + (row.isBlocking ? ' (blocks)' : ''), width),
    ...detailFact('type', row.type, width),
    ...detailRow([span('arrow: ', { tone: 'dim' }), shown(row.arrow)], width, 0, { kind: 'arrow', arrow: row.arrow }),
    ...detailFact('clause', detail.clause ?? '', width),
    ...detailFact('requirement', detail.requirement ?? '', width),
    ...detailFact('description', row.description, width),
    ...detailFact('basis', detail.basis, width),
    ...detailFact('evidence', detail.evidence, width),
    ...detailFact('locations', detail.locations.join(', '), width),
    ...detailFact('raised', `${timeText(detail.raisedAt)} by ${detail.raisedBy}, grid v${detail.gridVersion}`, width),
    ...detailHeading(`transitions (${transitions.length})`, width),
    ...transitions.flatMap(({ from, to, role, opId, reason, at }) =>
      detailRow(
        [shown(`${timeText(at)} ${from} → ${to} `), shown(`${role} ${opId} `, { tone: 'dim' }), shown(reason)],
        width,
        2
      )
    )
  ]
}

function severityTone({ severity }: FindingRow): Tone {
  switch (severity) {
    case 'critical':
    case 'high':
      return 'fail'
    case 'medium':
      return 'warn'
    case 'low':
    case 'info':
      return 'dim'
    case 'unevaluated':
      return 'unevaluated'
  }
}
