import { accessSync, constants, lstatSync, mkdirSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { letBugsThrough } from '../../../lib/assert.ts'
import { messageOf } from '../../../lib/error.ts'
import { syncFolder } from '../../../platform/atomic-file.ts'
import type { Attestation, GateEvent } from '../../runner/index.ts'
import { AttestationFailure } from '../errors.ts'
import { type Append, appendLine, type DiskSteps, diskSteps } from './append.ts'
import { writeLine } from './line.ts'
import { encodePath, withPathNote } from './path.ts'
import { gateFolder, treeRoot } from './paths.ts'

/** The primary writer: what it has not written was not recorded (ATT-302). */
export interface TreeWriter {
  /**
   * Appends the record to its file and syncs it; answers the record as it stands on disk, where `reason` may say that the path was
   * shortened (ATT-424). Throws `attestation-audit-write-failed`, and nothing is recorded then (ATT-441).
   */
  append(record: Attestation): Attestation
  /** Why no verdict can be recorded in this session, or null (ATT-451). */
  problem(): string | null
  failures(): { readonly count: number; readonly last: string }
  /** Records fail from here on; they are never silently dropped (ATT-442). */
  close(): void
}

export type TreeWriterOptions = {
  /** Absolute, without symbolic links. */
  readonly projectDir: string
  readonly publish: (event: GateEvent) => void
  readonly steps?: DiskSteps
  /** Hears of every attempt to append, with the path relative to the project (RUN-214). */
  readonly tell?: (file: string, append: Append) => void
}

/** Opens the tree for writing, making its root. Should that fail, the writer refuses every record (ATT-451). */
export function openTreeWriter({ projectDir, publish, steps = diskSteps, tell }: TreeWriterOptions): TreeWriter {
  const failures = { count: 0, last: '' }
  let isClosed = false
  const unusable = openRoot(projectDir)

  const fail = (record: Attestation, cause: unknown): never => {
    letBugsThrough(cause)
    failures.count += 1
    failures.last = messageOf(cause)
    publish({
      kind: 'attestation-audit-durability-failed',
      ...subjectOf(record),
      detail: `tree-writer: ${failures.last}`,
      payload: { reason: failures.last }
    })
    throw new AttestationFailure('attestation-audit-write-failed', failures.last, { cause })
  }

  return {
    append(record) {
      if (isClosed) return fail(record, new Error('the session has closed its attestation writer'))
      if (unusable !== null) return fail(record, unusable)
      try {
        const { segments, replaced } = encodePath(record)
        const noted = { ...record, reason: withPathNote(record.reason, replaced) }
        const path = insideTree(projectDir, segments)
        appendLine(
          join(projectDir, gateFolder),
          ['attestations', ...segments],
          (prev) => writeLine(noted, prev),
          steps,
          (append) => tell?.(path, append)
        )
        if (replaced.length > 0) {
          publish({
            kind: 'attestation-path-truncated',
            ...subjectOf(record),
            payload: { segments: replaced.join(','), path }
          })
        }
        return noted
      } catch (error) {
        return fail(record, error)
      }
    },
    problem: () => (unusable === null ? null : messageOf(unusable)),
    failures: () => ({ ...failures }),
    close() {
      isClosed = true
    }
  }
}

/** null when the tree can be written to, else what is wrong with it. */
function openRoot(projectDir: string): unknown {
  try {
    if (mkdirSync(join(projectDir, gateFolder), { recursive: true }) !== undefined) syncFolder(projectDir)
    const root = join(projectDir, treeRoot)
    const stats = lstatSync(root, { throwIfNoEntry: false })
    if (stats === undefined || stats.isDirectory()) {
      accessSync(stats === undefined ? join(projectDir, gateFolder) : root, constants.W_OK | constants.X_OK)
      return null
    }
    return new AttestationFailure('attestation-tree-symlink', `${treeRoot} is no folder of its own`, { path: treeRoot })
  } catch (error) {
    return error
  }
}

/** The project-relative path of a file in the tree. Sanitising has made an escape impossible; this holds even so (ATT-425). */
function insideTree(projectDir: string, segments: readonly string[]): string {
  const root = join(projectDir, treeRoot)
  const path = resolve(root, ...segments)
  if (!path.startsWith(root + sep)) throw new AttestationFailure('attestation-path-escape', segments.join('/'))
  return relative(projectDir, path)
}

/** The subject fields of an event about `record`. */
export function subjectOf(record: Attestation) {
  return {
    arrow_id: record.arrowId,
    ...(record.clauseId === '' ? {} : { clause_id: record.clauseId }),
    ...(record.passId === '' ? {} : { pass_id: record.passId })
  }
}
