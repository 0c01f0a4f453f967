import type { Database } from 'better-sqlite3'
import type { ClauseStatus } from '../../protocol/gate.ts'
import {
  type ArrowHistory,
  becomesEffective,
  type ClauseOutcome,
  noteOf,
  type PassRecord,
  type RunRow,
  readStored
} from '../runner/index.ts'
import type { Answers } from './answers.ts'
import { rowsOf } from './pages.ts'
import { newestRuns } from './recover.ts'
import { type PassRow, readPass } from './tables/passes.ts'

/** What the ended passes of each arrow leave behind for the kernel: the one that decides, the latest, and who opened any (RUN-304). */
export function readHistories(db: Database, answers: Answers): readonly ArrowHistory[] {
  const effective = new Map<string, PassRecord>()
  const latest = new Map<string, PassRecord>()
  const openers = new Map<string, Map<string, string>>()
  for (const row of rowsOf<PassRow>(db, 'passes')) {
    const pass = readPass(row)
    if (pass.openedByOpId !== '') openersOf(openers, pass.arrowId).set(pass.openedByOpId, pass.id)
    if (pass.state === 'open') continue
    keepLater(latest, pass)
    if (becomesEffective(pass)) keepLater(effective, pass)
  }
  const arrows = new Set([...latest.keys(), ...openers.keys()])
  return [...arrows].map((arrowId) => {
    const pass = effective.get(arrowId)
    return {
      arrowId,
      effective: pass === undefined ? null : { pass, clauses: outcomesOf(newestRuns(db, pass.id), answers) },
      latest: latest.get(arrowId) ?? null,
      openers: openers.get(arrowId) ?? new Map()
    }
  })
}

/** What became of the clauses of a pass, from its runs and the verdicts given in it (PERS-524). */
export function outcomesOf(runs: readonly RunRow[], answers: Answers): readonly ClauseOutcome[] {
  return runs.map((run) => {
    const { clauseId, endStatus, unevaluatedReason, generation, startedAt, result, runError } = run
    const decided = { status: endStatus, reason: unevaluatedReason, result, runError, generation, startedAt }
    const status = statusOf(run, answers) as ClauseStatus
    return { clauseId, status, reason: unevaluatedReason, note: endStatus === 'running' ? '' : noteOf(decided) }
  })
}

/** A row keeps `running` while its clause waits; the verdict in the tree may already say more (RUN-102, GATE-40). */
function statusOf({ endStatus, attestationRef, passId }: RunRow, answers: Answers): string {
  if (endStatus !== 'running' || attestationRef === '') return endStatus
  const verdict = answers.of(attestationRef, passId)?.verdict
  if (verdict === 'pass' || verdict === 'fail') return verdict
  return readStored('running', { awaiting: verdict === undefined, insufficient: verdict === 'insufficient-basis' })
}

function openersOf(openers: Map<string, Map<string, string>>, arrowId: string): Map<string, string> {
  const found = openers.get(arrowId) ?? new Map<string, string>()
  openers.set(arrowId, found)
  return found
}

function keepLater(passes: Map<string, PassRecord>, pass: PassRecord): void {
  const known = passes.get(pass.arrowId)
  if (known === undefined || pass.closedAt >= known.closedAt) passes.set(pass.arrowId, pass)
}
