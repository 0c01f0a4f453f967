import type { ArrowDetail, AttestationRow, ClauseRow } from '../../src/protocol/gate-view.ts'
import { type DetailLine, detailFact, detailHeading, detailRow, shown } from '../panels/detail-line.ts'
import { findingSpans, mostPressing } from '../panels/findings.ts'
import { span } from '../parts/lines.ts'
import type { Glyphs } from '../theme/index.ts'
import { arrowMark, clauseMark, statusLabel } from './status.ts'

/** A closer look at an arrow: why it is not valid first, then its definition and how each part of it stands (OPUI-721). */
export function arrowDetailLines(detail: ArrowDetail, width: number, glyphs: Glyphs): DetailLine[] {
  const { row, clauses, predecessor, requirements, findings, passes, attestations } = detail
  const { id: arrow } = row
  const mark = arrowMark(row, glyphs)
  const why = row.status === 'complete' ? '' : detail.why.join('; ')
  return [
    ...detailFact('why', why, width),
    ...detailRow([span(`${mark.glyph} `, { tone: mark.tone }), shown(arrow, { bold: true })], width),
    ...detailFact('status', statusText(detail), width, 2),
    ...detailFact('source-role', row.source, width, 2),
    ...detailFact('target-role', row.target, width, 2),
    ...detailFact('stratum', detail.stratum, width, 2),
    ...detailFact('context', row.context, width, 2),
    ...detailFact(
      'predecessor',
      predecessor === null ? 'none' : `${predecessor.arrow} ${statusLabel(predecessor.status)}`,
      width,
      2
    ),
    ...detailHeading(`clauses (${clauses.length})`, width),
    ...clauses.flatMap((clause) => clauseLines(clause, arrow, width, glyphs)),
    ...detailHeading(`requirements (${requirements.length})`, width),
    ...requirements.flatMap(({ id, minDepth, observed, description }) =>
      detailRow(
        [
          shown(`${id} `),
          shown(`min-depth=${minDepth} observed=${observed ?? 'none'} `, { tone: 'dim' }),
          shown(description)
        ],
        width,
        2
      )
    ),
    ...detailHeading(`findings (${findings.length})`, width),
    ...mostPressing(findings).flatMap((finding) =>
      detailRow(findingSpans(finding), width, 2, { kind: 'finding', finding: finding.id })
    ),
    ...detailFact('invalidated by amendments', detail.amendmentHits, width, 2),
    ...detailHeading('last passes', width),
    ...(passes.length === 0 ? detailRow([span('none', { tone: 'dim' })], width, 2) : []),
    ...passes.flatMap((pass) =>
      detailRow([shown(`${pass.id} `, { bold: true }), shown(passText(pass))], width, 2, {
        kind: 'pass',
        pass: pass.id
      })
    ),
    ...detailHeading(`attestations (${attestations.length})`, width),
    ...attestations.flatMap((attestation) => attestationLines(attestation, width))
  ]
}

/** `✓ C2 lint-clean pass` and the reason below it; a pass that looked at nothing says so at once (CONC-35). */
export function clauseLines(clause: ClauseRow, arrow: string, width: number, glyphs: Glyphs): DetailLine[] {
  const mark = clauseMark(clause.status, glyphs)
  const opens = { kind: 'clause', arrow, clause: clause.id } as const
  const what = `${clause.concept ?? 'attested'} (${clause.depth}, min-tier=${clause.minTier})`
  const isQualified = clause.status === 'pass' && clause.reason !== ''
  const below = isQualified ? '' : clause.reason
  return [
    ...detailRow(
      [
        span(`${mark.glyph} `, { tone: mark.tone }),
        shown(`${clause.id} `, { bold: true }),
        shown(what),
        span(` ${clause.status ?? 'not evaluated'}`, { tone: mark.tone }),
        ...(isQualified ? [shown(` (${clause.reason})`, { tone: 'warn' })] : [])
      ],
      width,
      2,
      opens
    ),
    ...(below === '' ? [] : detailRow([shown(below, { tone: 'dim' })], width, 6, opens))
  ]
}

/** One record per line, the verdict first to be seen (OPUI-721). */
export function attestationLines(attestation: AttestationRow, width: number): DetailLine[] {
  const { id, kind, clause, verdict, opId } = attestation
  const tone = verdict === 'pass' ? 'ok' : verdict === 'fail' ? 'fail' : 'warn'
  const facts = `${kind} clause=${clause ?? '<arrow-scope>'} op=${opId}`
  return detailRow([span(`${verdict} `, { tone }), shown(`${id} `), shown(facts, { tone: 'dim' })], width, 2)
}

function statusText({ row, outdated }: ArrowDetail): string {
  const moved = outdated === null ? '' : ` (outdated: ${outdated.files} file(s) changed since ${outdated.passId})`
  const effective = row.isStarted ? statusLabel(row.status) + moved : 'unevaluated (not started)'
  if (row.openPass === null) return effective
  const live = row.liveStatus === null ? '' : ` ${statusLabel(row.liveStatus)}`
  return `${effective}; open pass ${row.openPass}${live}${row.waiting === 0 ? '' : `, waiting ${row.waiting}`}`
}

function passText(pass: ArrowDetail['passes'][number]): string {
  if (pass.waiting > 0) return `${pass.state}, waiting ${pass.waiting}`
  return pass.closeReason === null ? pass.state : `${pass.state}:${pass.closeReason}`
}
