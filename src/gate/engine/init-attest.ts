import type { Clock } from '../../lib/clock.ts'
import type { Arrow, Grid } from '../../protocol/grid.ts'
import {
  type Attestation,
  attestationRef,
  type GateEvent,
  selfCertProblem,
  structureProblem,
  writeProblem
} from '../runner/index.ts'
import { createFlatWriter } from './attestations/flat-writer.ts'
import { loadTree } from './attestations/load.ts'
import { cutTornTails } from './attestations/repair.ts'
import { openTreeWriter } from './attestations/tree-writer.ts'
import { catchUp } from './catch-up.ts'
import { openStore } from './database.ts'
import { EngineFailure } from './errors.ts'
import { openEventLog } from './event-log.ts'
import { excludeEngineFiles } from './exclude.ts'
import { createJournal } from './journal.ts'
import { countOf } from './pages.ts'
import { stampsAfter } from './times.ts'

export type InitAttested = { readonly recorded: number; readonly skipped: number }

/**
 * One record per arrow of the grid, each by the ordinary way: tree, flat file, table, event (ATT-700, ATT-701). An id that is there is
 * left alone. The caller holds the session lock and has checked `opId`. Throws `EngineFailure` or `AttestationFailure`; what was
 * recorded before stays.
 */
export function attestInit(options: {
  readonly projectDir: string
  readonly grid: Grid
  readonly opId: string
  readonly clock: Clock
}): InitAttested {
  const { projectDir, grid, opId, clock } = options
  const db = openStore(projectDir)
  excludeEngineFiles(projectDir)
  const log = openEventLog({ projectDir, session: 'init-attest' })
  try {
    const tree = loadTree(projectDir, countOf(db, 'attestations') > 0)
    cutTornTails(projectDir, tree.torn)
    catchUp(db, tree.records)
    const stamps = stampsAfter(db, tree.records, clock)
    const publish = (event: GateEvent) => log.event({ ...event, timestamp: stamps.now() })
    const writer = openTreeWriter({ projectDir, publish })
    const flat = createFlatWriter({ projectDir, publish })
    const journal = createJournal({ db, publish })
    const known = new Set(tree.records.map(({ id }) => id))
    const missing = grid.arrows
      .map((arrow) => initRecord(arrow, grid.version, opId, stamps.nowNs()))
      .filter(({ id }) => !known.has(id))
    for (const draft of missing) {
      const problem = structureProblem(draft) ?? selfCertProblem(draft) ?? writeProblem(draft, grid.residueNoteMaxBytes)
      if (problem !== null) throw new EngineFailure('record-refused', problem.text)
      const record = writer.append(draft)
      journal.attestationRecorded(record)
      flat.append(record)
      publish(recordedEvent(record))
    }
    log.record('command', { command: 'init attest', op_id: opId, timestamp: stamps.now(), recorded: missing.length })
    return { recorded: missing.length, skipped: grid.arrows.length - missing.length }
  } finally {
    log.close()
    db.close()
  }
}

function initRecord(arrow: Arrow, gridVersion: number, opId: string, timestamp: bigint): Attestation {
  return {
    id: attestationRef(arrow.id, null, gridVersion),
    kind: 'on-the-spot',
    arrowId: arrow.id,
    clauseId: '',
    opId,
    attestedByRole: 'init',
    sourceRole: arrow.sourceRole === 'init' ? '' : arrow.sourceRole,
    targetRole: arrow.targetRole,
    verdict: 'pass',
    reason: 'init-bootstrap',
    timestamp,
    gridVersion,
    passId: `init-${arrow.id}`,
    context: 'init',
    stratum: 'init',
    adversaryRole: '',
    unit: 'confirm',
    unitPayloadJson: '{}',
    hintJson: '{}',
    ref: ''
  }
}

function recordedEvent(record: Attestation): GateEvent {
  return {
    kind: 'attestation-recorded',
    arrow_id: record.arrowId,
    pass_id: record.passId,
    op_id: record.opId,
    payload: { attestation_id: record.id, kind: record.kind, outcome: record.verdict }
  }
}
