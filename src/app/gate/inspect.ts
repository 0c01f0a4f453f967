import { arrowState, hitsText, predecessorOf } from '../../gate/runner/index.ts'
import { unreachable } from '../../lib/assert.ts'
import type { ArrowDetail, Inspection, Subject } from '../../protocol/gate-view.ts'
import type { Arrow, Grid } from '../../protocol/grid.ts'
import { arrowRow, attestationRow, clauseRow, findingRow, type GateParts, millisOf, passRow } from './view.ts'

const passesShown = 3

/** A closer look at something in a panel (OPUI-721, 730, 732), read from the stores now. */
export function inspect(parts: GateParts, subject: Subject): Inspection {
  const { gates, reads } = parts
  const grid = gates.grid.current()
  switch (subject.kind) {
    case 'arrow': {
      const arrow = gates.grid.arrow(subject.arrow)
      if (grid === null || arrow === null) return gone(`arrow ${subject.arrow} is not in the grid`)
      return { kind: 'arrow', ...arrowDetail(parts, grid, arrow) }
    }
    case 'attestations': {
      const records = gates.attestations.all().filter(({ arrowId }) => arrowId === subject.arrow)
      return { kind: 'attestations', arrow: subject.arrow, attestations: records.map(attestationRow) }
    }
    case 'clause': {
      const clause = gates.grid.arrow(subject.arrow)?.clauses.find(({ id }) => id === subject.clause)
      if (clause === undefined) return gone(`clause ${subject.clause} is not on ${subject.arrow}`)
      const run = reads.lastRun(subject.arrow, subject.clause)
      const outcome = outcomesOn(parts, subject.arrow).find(({ clauseId }) => clauseId === clause.id)
      return {
        kind: 'clause',
        arrow: subject.arrow,
        row: clauseRow(clause, outcome),
        pass: run?.passId ?? null,
        evaluatedAt: run === null ? null : millisOf(run.completedAt || run.startedAt),
        result: run === null ? '' : run.runError || JSON.stringify(run.result?.details ?? {}, null, 2)
      }
    }
    case 'pass': {
      const live = gates.passes.get(subject.pass)
      const found = live === null ? reads.pass(subject.pass) : { pass: live.record, clauses: live.board.all() }
      if (found === null) return gone(`no pass with id "${subject.pass}"`)
      const { pass, clauses } = found
      const declared = gates.grid.arrow(pass.arrowId)?.clauses ?? []
      return {
        kind: 'pass',
        row: passRow(pass, live === null ? 0 : gates.openRequests(live).length),
        gridVersion: pass.gridVersion,
        recoveredAt: pass.recoveredAt === '' ? null : millisOf(pass.recoveredAt),
        clauses: declared.map((clause) =>
          clauseRow(
            clause,
            clauses.find(({ clauseId }) => clauseId === clause.id)
          )
        ),
        remediation:
          pass.remediationOutcome === null
            ? null
            : { outcome: pass.remediationOutcome, rounds: pass.remediationRoundsUsed ?? 0 }
      }
    }
    case 'finding': {
      const finding = gates.findings.get(subject.finding)
      if (finding === null) return gone(`no finding with id "${subject.finding}"`)
      return {
        kind: 'finding',
        row: findingRow(gates, finding),
        basis: finding.basis,
        evidence: finding.evidence,
        locations: finding.locations,
        clause: finding.targetClause,
        requirement: finding.targetRequirement,
        gridVersion: finding.gridVersion,
        raisedAt: millisOf(finding.raisedAt),
        raisedBy: finding.raisedByRole,
        transitions: reads.transitions(finding.id).map(({ from, to, role, opId, reason, at }) => ({
          from: from as typeof to,
          to,
          role,
          opId,
          reason,
          at: millisOf(at)
        }))
      }
    }
    default:
      return unreachable(subject)
  }
}

function arrowDetail(parts: GateParts, grid: Grid, arrow: Arrow): ArrowDetail {
  const { gates, queue, reads, outdated } = parts
  const state = arrowState(gates, grid, arrow)
  const outcomes = outcomesOn(parts, arrow.id)
  const clauses = arrow.clauses.map((clause) =>
    clauseRow(
      clause,
      outcomes.find(({ clauseId }) => clauseId === clause.id)
    )
  )
  const findings = gates.findings
    .ofArrow(arrow.id)
    .map((finding) => findingRow(gates, finding))
    .toSorted((a, b) => Number(b.isBlocking) - Number(a.isBlocking))
  const predecessor = predecessorOf(grid, arrow)
  const hits = reads.amendmentHits(arrow.id)
  const open = gates.passes.all().filter(({ record }) => record.arrowId === arrow.id)
  return {
    row: arrowRow(gates, state, queue, outdated),
    outdated: outdated.get(arrow.id) ?? null,
    stratum: arrow.stratum,
    amendmentHits: hits.count === 0 ? '' : hitsText(hits),
    why: state.status === 'complete' ? [] : whyNot(clauses, findings, state.isStarted),
    clauses,
    predecessor:
      predecessor === null
        ? null
        : { arrow: predecessor.id, status: gates.current(predecessor.id)?.status ?? 'unevaluated' },
    requirements: arrow.requirements.map(({ id, minDepth, description }) => ({
      id,
      minDepth,
      observed: observedDepth(gates.depths.classification(arrow.id, id)),
      description
    })),
    findings,
    passes: [
      ...open.map((pass) => passRow(pass.record, gates.openRequests(pass).length)),
      ...reads.endedPasses(passesShown, arrow.id).map((pass) => passRow(pass, 0))
    ].slice(0, passesShown),
    attestations: gates.attestations
      .all()
      .filter(({ arrowId }) => arrowId === arrow.id)
      .map(attestationRow)
  }
}

function whyNot(clauses: ArrowDetail['clauses'], findings: ArrowDetail['findings'], isStarted: boolean): string[] {
  if (!isStarted) return ['nobody has run it yet']
  return [
    ...clauses
      .filter(({ status }) => status !== 'pass')
      .map(({ id, status, reason }) => `${id} ${status ?? 'never evaluated'}${reason === '' ? '' : `: ${reason}`}`),
    ...findings.filter(({ isBlocking }) => isBlocking).map(({ id, severity, status }) => `${id} ${severity} ${status}`)
  ]
}

/** Clauses as the open pass has them, else as the effective one left them. */
function outcomesOn({ gates }: GateParts, arrowId: string) {
  const open = gates.passes.all().find(({ record }) => record.arrowId === arrowId)
  return open?.board.all() ?? gates.history.effective(arrowId)?.clauses ?? []
}

function observedDepth(observation: { readonly observed: 0 | 1 | 2 | 3; readonly unevaluated: boolean } | null) {
  if (observation === null) return null
  return observation.unevaluated ? ('unevaluated' as const) : observation.observed
}

function gone(text: string): Inspection {
  return { kind: 'nothing', text }
}
