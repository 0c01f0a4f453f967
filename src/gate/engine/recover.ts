import type { Database } from 'better-sqlite3'
import type { Attestation, GateEvent, PassRecord, RunRow, Stamp } from '../runner/index.ts'
import { type Answers, indexAnswers } from './answers.ts'
import type { TornTail } from './attestations/load.ts'
import { EngineFailure } from './errors.ts'
import { type PassRow, readPass } from './tables/passes.ts'
import { type EvaluationRow, readRun } from './tables/runs.ts'

// What a process that died left open is settled before anything new begins (PERS-500…532). A pass the operator still owes an answer is
// kept; every other open pass is over. All of it is one transaction, and running it again changes nothing.

export type RecoveryInput = {
  readonly db: Database
  /** What the tree says. */
  readonly attestations: readonly Attestation[]
  /** Whether an escalation is outstanding on the clause (RUN-901). */
  readonly isCrossed: (arrowId: string, clauseId: string) => boolean
  /** Later than every time in the store. */
  readonly now: () => Stamp
  /** What replay could not read; anything there refuses (PERS-501). */
  readonly replayErrors: readonly string[]
}

/** A request of a preserved pass that is to be put before the operator again (PERS-524). */
type WaitingClause = { readonly clauseId: string; readonly ref: string; readonly isEscalation: boolean }

export type PreservedPass = {
  readonly pass: PassRecord
  /** Newest run of each clause, in the order of the first runs. */
  readonly runs: readonly RunRow[]
  readonly waiting: readonly WaitingClause[]
}

export type RecoveryReport = {
  readonly orphansAborted: number
  /** Newly preserved ones; those of an earlier start are in `preserved` alone (PERS-531). */
  readonly orphansPreserved: number
  readonly attestationsReplayed: number
  readonly evaluationRunsFlipped: number
  readonly jsonlTruncated: readonly TornTail[]
  /** Every pass that stays open, to be resumed. */
  readonly preserved: readonly PreservedPass[]
  readonly events: readonly GateEvent[]
}

/** Whether there is anything to tell (PERS-403). */
export function isEmptyReport(report: RecoveryReport): boolean {
  return report.events.length === 0 && report.jsonlTruncated.length === 0
}

/** Settles in one transaction of its own (PERS-502). Throws `EngineFailure` when replay found errors. */
export function recover(input: RecoveryInput): RecoveryReport {
  return input.db.transaction(() => settle(input)).immediate()
}

/** The same inside a transaction of the caller, which may roll it back (PERS-603). */
export function settle(input: RecoveryInput): RecoveryReport {
  refuseErrors(input.replayErrors)
  const { db } = input
  const answers = indexAnswers(input.attestations)
  const open = openPasses(db)
  const settled = open.map((pass) => settlePass(pass, input, answers))
  const flipped = reconcileRuns(input, answers, new Set(open.map(({ id }) => id)))
  return {
    orphansAborted: settled.filter(({ kind }) => kind === 'aborted').length,
    orphansPreserved: settled.filter((each) => each.kind === 'preserved' && each.isNew).length,
    attestationsReplayed: new Set(flipped.map(({ attestation }) => attestation)).size,
    evaluationRunsFlipped: flipped.length,
    jsonlTruncated: [],
    preserved: settled.flatMap((each) => (each.kind === 'preserved' ? [each.preserved] : [])),
    events: [...settled.flatMap(({ events }) => events), ...flipped.map(({ event }) => event)]
  }
}

type Settled =
  | { readonly kind: 'aborted'; readonly events: readonly GateEvent[] }
  | {
      readonly kind: 'preserved'
      readonly isNew: boolean
      readonly preserved: PreservedPass
      readonly events: readonly GateEvent[]
    }

function settlePass(pass: PassRecord, input: RecoveryInput, answers: Answers): Settled {
  const runs = newestRuns(input.db, pass.id)
  const waiting = runs.flatMap((run) => waitingOf(run, answers, input.isCrossed))
  if (wasInvalidated(input.db, pass)) return abort(pass, 'invalidated: found at restart', input)
  if (waiting.length === 0) return abort(pass, 'crash', input)
  return preserve(pass, runs, waiting, input)
}

/** PERS-522 */
function abort(pass: PassRecord, reason: string, { db, now }: RecoveryInput): Settled {
  const stamp = now()
  db.prepare(
    `UPDATE passes SET state = 'aborted', closed_at = @stamp, close_reason = @reason,
       recovered_at = CASE WHEN recovered_at = '' THEN @stamp ELSE recovered_at END
     WHERE pass_id = @id`
  ).run({ stamp, reason, id: pass.id })
  const event: GateEvent = {
    kind: 'recovery-pass-aborted-crash',
    ...subjectOf(pass),
    detail: `no live process at restart; closed_at=${stamp}`,
    payload: { closed_at: stamp }
  }
  return { kind: 'aborted', events: [event] }
}

/** PERS-521 */
function preserve(
  pass: PassRecord,
  runs: readonly RunRow[],
  waiting: readonly WaitingClause[],
  { db, now }: RecoveryInput
): Settled {
  if (pass.recoveredAt !== '')
    return { kind: 'preserved', isNew: false, preserved: { pass, runs, waiting }, events: [] }
  const stamp = now()
  db.prepare('UPDATE passes SET recovered_at = ? WHERE pass_id = ?').run(stamp, pass.id)
  const preserved = { pass: { ...pass, recoveredAt: stamp }, runs, waiting }
  const events = waiting.map(
    ({ clauseId, ref }): GateEvent => ({
      kind: 'recovery-attestation-republished',
      ...subjectOf(pass),
      clause_id: clauseId,
      detail: `att-ref=${ref} preserved at ${stamp}`,
      payload: { attestation_ref: ref, recovered_at: stamp }
    })
  )
  return { kind: 'preserved', isNew: true, preserved, events }
}

/** PERS-520 */
function waitingOf(run: RunRow, answers: Answers, isCrossed: RecoveryInput['isCrossed']): readonly WaitingClause[] {
  if (run.attestationRef === '' || run.endStatus !== 'running') return []
  const answer = answers.of(run.attestationRef, run.passId)
  const isEscalation = isCrossed(run.arrowId, run.clauseId)
  const waits = answer === null || (answer.verdict === 'insufficient-basis' && isEscalation)
  return waits ? [{ clauseId: run.clauseId, ref: run.attestationRef, isEscalation }] : []
}

type Flip = { readonly attestation: string; readonly event: GateEvent }

/** Rows that wait for a verdict which is in the tree get it (PERS-523). */
function reconcileRuns({ db, now }: RecoveryInput, answers: Answers, open: ReadonlySet<string>): readonly Flip[] {
  const update = db.prepare(
    `UPDATE evaluation_runs SET end_status = @status, completed_at = CASE WHEN completed_at = '' THEN @stamp ELSE completed_at END,
       recovered_at = @stamp, recovery_source = 'recovery-attestation-replay'
     WHERE id = @id`
  )
  return waitingRows(db).flatMap((row) => {
    const answer = answers.of(row.depth_type_attestation_ref, row.pass_id)
    if (answer === null) return []
    const status = answer.verdict === 'insufficient-basis' ? 'running' : answer.verdict
    if (status === 'running' && (row.recovery_source !== '' || !open.has(row.pass_id))) return []
    update.run({ id: row.id, status, stamp: now() })
    const event: GateEvent = {
      kind: 'recovery-attestation-replay',
      arrow_id: row.arrow_id,
      clause_id: row.clause_id,
      pass_id: row.pass_id,
      detail: `att-ref=${row.depth_type_attestation_ref} verdict=${answer.verdict} mapped=${status}`,
      payload: { attestation_ref: row.depth_type_attestation_ref, verdict: answer.verdict, outcome: status }
    }
    return [{ attestation: answer.id, event }]
  })
}

function openPasses(db: Database): readonly PassRecord[] {
  return db.prepare<[], PassRow>("SELECT * FROM passes WHERE state = 'open' ORDER BY rowid").all().map(readPass)
}

function waitingRows(db: Database): readonly (EvaluationRow & { readonly recovery_source: string })[] {
  return db
    .prepare<[], EvaluationRow & { readonly recovery_source: string }>(
      "SELECT * FROM evaluation_runs WHERE end_status = 'running' AND depth_type_attestation_ref <> '' ORDER BY rowid"
    )
    .all()
}

/** The newest run of each clause of a pass, as the rows were inserted (PERS-520). */
export function newestRuns(db: Database, passId: string): readonly RunRow[] {
  const newest = new Map<string, RunRow>()
  const rows = db.prepare<[string], EvaluationRow>('SELECT * FROM evaluation_runs WHERE pass_id = ? ORDER BY rowid')
  for (const row of rows.iterate(passId)) if (!isOfRound(row.clause_id)) newest.set(row.clause_id, readRun(row))
  return [...newest.values()]
}

/** What an adversarial round found out about a clause is history, not the clause's outcome (RUN-630). */
function isOfRound(clauseId: string): boolean {
  return /\/adv\/round\d+$/.test(clauseId)
}

/** Whether its arrow was invalidated after the pass opened. */
function wasInvalidated(db: Database, pass: PassRecord): boolean {
  const at = db
    .prepare<[string], string>('SELECT invalidated_at FROM arrow_invalidations WHERE arrow_id = ?')
    .pluck()
    .get(pass.arrowId)
  return at !== undefined && at > pass.openedAt
}

function subjectOf({ arrowId, id, role }: PassRecord) {
  return { arrow_id: arrowId, pass_id: id, role }
}

function refuseErrors(errors: readonly string[]): void {
  if (errors.length === 0) return
  throw new EngineFailure(
    'recovery-refused',
    ['recovery: ReplayCounts.Errors non-empty; refuse to proceed', ...cutErrors(errors)].join('\n'),
    { hint: 'run `ghyll engine replay` to see what cannot be read' }
  )
}

/** Errors as people read them: at most 50, then how many more (PERS-501). */
export function cutErrors(errors: readonly string[]): readonly string[] {
  const shown = errors.slice(0, 50).map((error) => `    - ${error}`)
  return errors.length > 50 ? [...shown, `    … and ${errors.length - 50} more`] : shown
}
