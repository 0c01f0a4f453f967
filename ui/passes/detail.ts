import type { PassDetail } from '../../src/protocol/gate-view.ts'
import { clauseLines } from '../grid/detail.ts'
import { type DetailLine, detailFact, detailHeading } from '../panels/detail-line.ts'
import { timeText } from '../panels/time.ts'
import type { Glyphs } from '../theme/index.ts'

/** A closer look at a pass: its row as `/passes <id>` has it, then its clauses and what the adversary came to (OPUI-231, 730). */
export function passDetailLines(detail: PassDetail, width: number, glyphs: Glyphs): DetailLine[] {
  const { row, clauses, remediation } = detail
  const rounds = remediation === null ? '' : `${remediation.outcome}, rounds ${remediation.rounds}`
  return [
    ...detailFact('pass', row.id, width),
    ...detailFact('role', row.role, width),
    ...detailFact('context', row.context, width),
    ...detailFact('arrow_id', row.arrow, width),
    ...detailFact('grid_version', String(detail.gridVersion), width),
    ...detailFact('state', row.state, width),
    ...detailFact('opened_at', timeText(row.openedAt), width),
    ...detailFact('closed_at', row.closedAt === null ? '' : timeText(row.closedAt), width),
    ...detailFact('close_reason', row.closeReason ?? '', width),
    ...detailFact('recovered_at', detail.recoveredAt === null ? '' : timeText(detail.recoveredAt), width),
    ...detailFact('waiting', row.waiting === 0 ? '' : String(row.waiting), width),
    ...detailFact('remediation', rounds, width),
    ...detailHeading(`clauses (${clauses.length})`, width),
    ...clauses.flatMap((clause) => clauseLines(clause, row.arrow, width, glyphs))
  ]
}
