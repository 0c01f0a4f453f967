import type { Database } from 'better-sqlite3'
import { messageOf, systemCodeOf } from '../../lib/error.ts'
import type {
  Attestation,
  DepthChange,
  FindingChange,
  GateEvent,
  Invalidation,
  Journal,
  PassEvent
} from '../runner/index.ts'
import { createDirtyRows } from './dirty.ts'
import { EngineFailure } from './errors.ts'
import { type AmendmentRecord, putAmendment } from './tables/amendments.ts'
import { type ArrowDefinition, insertArrow } from './tables/arrows.ts'
import { insertAttestation } from './tables/attestations.ts'
import { dropRequirement, insertOverwrite, putClassification, putRequirement } from './tables/depths.ts'
import { insertTransition, putFinding } from './tables/findings.ts'
import { consumeInvalidation, putInvalidation } from './tables/invalidations.ts'
import { insertPass, updatePass } from './tables/passes.ts'
import { createSql, type RowWrite } from './tables/row.ts'
import { decideRuns, insertRun } from './tables/runs.ts'

// Every change of the gate's stores becomes rows in the same turn, before anybody is told of it (PERS-300). Two writes may refuse what
// is about to happen: the row of a pass and the row of an evaluation. All others are told, and kept until the disk takes them (PERS-304).

export interface GateJournal extends Journal {
  passChanged(event: PassEvent): void
  findingsChanged(changes: readonly FindingChange[]): void
  depthChanged(change: DepthChange): void
  arrowInvalidated(invalidation: Invalidation): void
  attestationRecorded(record: Attestation): void
  arrowsDeclared(definitions: readonly ArrowDefinition[]): void
  amendmentChanged(amendment: AmendmentRecord): void
  /** Rows not on disk, for `/status`. */
  unsaved(): number
  /** Tries the unsaved rows a last time (PERS-106). */
  flush(): void
}

export type JournalOptions = {
  readonly db: Database
  readonly publish: (event: GateEvent) => void
}

/** A journal on an open store; nothing is dirty at first (PERS-300…304). */
export function createJournal({ db, publish }: JournalOptions): GateJournal {
  const sql = createSql(db)
  const dirty = createDirtyRows()

  /** All of them or none (PERS-301, PERS-303). Throws what SQLite or a check says. */
  const writeAll = db.transaction((writes: readonly RowWrite[]) => {
    for (const write of writes) {
      if (write.problem !== null) throw new EngineFailure('journal-write-failed', write.problem)
      write.apply(sql)
    }
  })

  const flush = () => {
    if (dirty.size() === 0) return
    dirty.retry((row) => {
      try {
        writeAll.immediate([row])
        return 'written'
      } catch (error) {
        return isBusy(error) ? 'store-busy' : 'failed'
      }
    })
  }

  const refuseOrWrite = (write: RowWrite) => {
    flush()
    try {
      writeAll.immediate([write])
    } catch (error) {
      throw new EngineFailure('journal-write-failed', messageOf(error), { cause: error })
    }
  }

  const record = (writes: readonly RowWrite[]) => {
    if (writes.length === 0) return
    flush()
    try {
      writeAll.immediate(writes)
      dirty.settle(writes)
    } catch (error) {
      dirty.add(writes)
      const reason = messageOf(error)
      for (const { table, key } of writes)
        publish({ kind: 'journal-write-failed', detail: `${table} ${key}: ${reason}`, payload: { table, key, reason } })
    }
  }

  return {
    openPass(pass) {
      flush()
      // Without the last one's row nobody could say after a crash how it ended.
      if (dirty.sizeOf('passes') > 0)
        throw new EngineFailure('journal-write-failed', `engine: passes: ${dirty.sizeOf('passes')} unsaved`)
      refuseOrWrite(insertPass(pass))
    },
    appendRun: (run) => refuseOrWrite(insertRun(run)),
    passChanged({ kind, pass, consumed }) {
      if (kind === 'open' || kind === 'recover') return // on disk before it was announced
      record([updatePass(pass), ...(consumed === null ? [] : [consumeInvalidation(consumed, pass.id)])])
    },
    findingsChanged: (changes) =>
      record(
        changes.flatMap(({ finding, transition }) => [
          putFinding(finding),
          ...(transition === null ? [] : [insertTransition(transition)])
        ])
      ),
    depthChanged(change) {
      if (change.kind === 'declared') return record([putRequirement(change.requirement)])
      if (change.kind === 'withdrawn') return record(dropRequirement(change.arrowId, change.requirementId))
      const { classification, before } = change
      record([
        putClassification(classification),
        ...(before === null ? [] : [insertOverwrite(classification, before.observed)])
      ])
    },
    arrowInvalidated: (invalidation) => record(putInvalidation(invalidation)),
    attestationRecorded(attestation) {
      const decided = decideRuns(attestation)
      record([insertAttestation(attestation), ...(decided === null ? [] : [decided])])
    },
    arrowsDeclared: (definitions) => record(definitions.map(insertArrow)),
    amendmentChanged: (amendment) => record([putAmendment(amendment)]),
    unsaved: dirty.size,
    flush
  }
}

function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY)/.test(systemCodeOf(error) ?? '')
}
