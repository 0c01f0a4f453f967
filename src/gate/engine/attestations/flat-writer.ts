import { join } from 'node:path'
import { letBugsThrough } from '../../../lib/assert.ts'
import { messageOf } from '../../../lib/error.ts'
import type { Attestation, GateEvent } from '../../runner/index.ts'
import { type Append, appendLine, type DiskSteps, diskSteps } from './append.ts'
import { writeLine } from './line.ts'
import { flatFile, gateFolder } from './paths.ts'
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
  /** Hears of every attempt to append, with the path relative to the project (RUN-214). */
  readonly tell?: (file: string, append: Append) => void
}

/** A writer of the flat aggregate; each record is appended and synced on its own (ATT-450). */
export function createFlatWriter({ projectDir, publish, steps = diskSteps, tell }: FlatWriterOptions): FlatWriter {
  let isClosed = false
  return {
    append(record) {
      try {
        if (isClosed) throw new Error('the session has closed its attestation writer')
        const line = (prev: string | null) => writeLine(record, prev)
        appendLine(join(projectDir, gateFolder), ['attestations.jsonl'], line, steps, (append) =>
          tell?.(flatFile, append)
        )
        return true
      } catch (error) {
        letBugsThrough(error)
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
