import { closeSync, constants, fstatSync, fsyncSync, ftruncateSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cutBytes } from '../../lib/cap-text.ts'
import { redact } from '../../lib/redact.ts'
import type { OperatorEvent } from '../../protocol/gate.ts'
import { endOfWholeLines, openRegular, readRange, writeBytes } from './attestations/append.ts'

// One line of JSON per event, for people (PERS-700…703). It is a log: losing it loses history, never state.

/** Below the project. */
export const eventLogFile = '.ghyll/events.jsonl'

/** The log that was put aside `n` files ago (PERS-702). */
export function olderEventLog(n: number): string {
  return `.ghyll/events.${n}.jsonl`
}

export interface EventLog {
  /** Appends an event; those that speak of a decision are synced. Throws the system's error. */
  event(event: OperatorEvent, facts?: Readonly<Record<string, string>>): void
  /** Appends a record of another kind: a cycle report, a command of an offline writer (PERS-701). */
  record(record: string, facts: Readonly<Record<string, unknown>>): void
  close(): void
}

export type EventLogOptions = {
  /** Absolute, without symbolic links. */
  readonly projectDir: string
  readonly session: string
  /** Size at which the file is put aside, bytes. */
  readonly rotateAt?: number
}

/**
 * Opens the log, cutting a torn tail; `seq` goes on where the file ends. Throws the system's error or `attestation-tree-symlink`
 * (PERS-700, PERS-702).
 */
export function openEventLog({ projectDir, session, rotateAt = 16 * 1024 * 1024 }: EventLogOptions): EventLog {
  const path = join(projectDir, eventLogFile)
  mkdirSync(dirname(path), { recursive: true })
  let file = openForAppend(path)
  let isOpen = true

  const append = (facts: Readonly<Record<string, unknown>>, isSynced: boolean) => {
    if (!isOpen) throw new Error('the event log is closed')
    if (file.size >= rotateAt) {
      closeSync(file.descriptor)
      rotate(projectDir)
      file = { ...openForAppend(path), seq: file.seq }
    }
    file.seq += 1
    const line = Buffer.from(`${JSON.stringify({ ...facts, session, seq: file.seq })}\n`)
    writeBytes(file.descriptor, line)
    file.size += line.length
    if (isSynced) fsyncSync(file.descriptor)
  }

  return {
    event: (event, facts = {}) => append({ ...cleaned(event), ...facts }, synced.has(event.kind)),
    record: (record, facts) => append({ record, ...facts }, true),
    close() {
      if (!isOpen) return
      isOpen = false
      closeSync(file.descriptor)
    }
  }
}

/** Facts of a decision must survive a power cut even here. */
const synced: ReadonlySet<string> = new Set([
  'attestation-recorded',
  'arrow-invalidated',
  'amendment-drained',
  'clause-fail-verdict'
])

/** How many files are kept beside the one in use. */
const keptFiles = 8

type OpenFile = { readonly descriptor: number; size: number; seq: number }

function openForAppend(path: string): OpenFile {
  const descriptor = openRegular(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, 0o600)
  const size = endOfWholeLines(descriptor)
  if (size < fstatSync(descriptor).size) ftruncateSync(descriptor, size)
  return { descriptor, size, seq: lastSeq(descriptor, size) }
}

/** Number of the last line, 0 when there is none that has one. Only the end of the file is looked at. */
function lastSeq(descriptor: number, size: number): number {
  const tail = readRange(descriptor, Math.max(0, size - 256 * 1024), size).toString('utf8')
  for (const line of tail.split('\n').reverse()) {
    const seq = /"seq":(\d+)}$/.exec(line)?.[1]
    if (seq !== undefined) return Number(seq)
  }
  return 0
}

/** `events.jsonl` becomes `events.1.jsonl`, each older one gets the next number, the oldest goes. */
function rotate(projectDir: string): void {
  const numbered = (n: number) => join(projectDir, n === 0 ? eventLogFile : olderEventLog(n))
  rmSync(numbered(keptFiles), { force: true })
  for (let n = keptFiles - 1; n >= 0; n--) {
    try {
      renameSync(numbered(n), numbered(n + 1))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error // not that many files yet
    }
  }
}

/** Nothing secret and nothing long is kept here (PERS-703). */
function cleaned(event: OperatorEvent): OperatorEvent {
  const { detail, payload, ...rest } = event
  return {
    ...rest,
    ...(detail === undefined ? {} : { detail: cutBytes(redact(detail), maxDetailBytes) }),
    ...(payload === undefined
      ? {}
      : { payload: Object.fromEntries(Object.entries(payload).map(([key, value]) => [key, redact(value)])) })
  }
}

const maxDetailBytes = 4096
