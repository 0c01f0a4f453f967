import { join } from 'node:path'
import { messageOf } from '../../../lib/error.ts'
import type { Attestation, GateEvent } from '../../runner/index.ts'
import { appendLine, type DiskSteps, diskSteps } from './append.ts'
import { writeLine } from './line.ts'
import { gateFolder } from './paths.ts'
import { subjectOf } from './tree-writer.ts'

/** The flat aggregate: the same lines in recording order, for people and audits; nothing reads it at start (ATT-450). */
export interface FlatWriter {
  /** Appends and syncs. Trouble is published and undoes nothing; false then. */
  append(record: Attestation): boolean
  close(): void
}

export type FlatWriterOptions = {
  /** Absolute, without symbolic links. */
  readonly projectDir: string
  readonly publish: (event: GateEvent) => void
  readonly steps?: DiskSteps
}

/** A writer of the flat aggregate; each record is appended and synced on its own (ATT-450). */
export function createFlatWriter({ projectDir, publish, steps = diskSteps }: FlatWriterOptions): FlatWriter {
  let isClosed = false
  return {
    append(record) {
      try {
        if (isClosed) throw new Error('the session has closed its attestation writer')
        const line = (prev: string | null) => writeLine(record, prev)
        appendLine(join(projectDir, gateFolder), ['attestations.jsonl'], line, steps)
        return true
      } catch (error) {
        const reason = messageOf(error)
        publish({
          kind: 'attestation-audit-durability-failed',
          ...subjectOf(record),
          detail: `jsonl-writer: ${reason}`,
          payload: { reason }
        })
        return false
      }
    },
    close() {
      isClosed = true
    }
  }
}
