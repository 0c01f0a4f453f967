import { closeSync, constants, existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { OperatorEvent } from '../../protocol/gate.ts'
import { endOfWholeLines, openRegular, readRange } from './attestations/append.ts'
import { eventLogFile, olderEventLog } from './event-log.ts'

/** So many are shown at once (OPUI-706). */
const most = 500

/** No more than this of a file is read for them: a start does not wait for long lines. */
const tailBytes = 1024 * 1024

/**
 * The last events of the log, oldest first, at most 500 (OPUI-706): what somebody reads who was not there (EVT-117). A torn tail and
 * lines that are no event are passed over (PERS-702). It is a log, not a source: one that cannot be read is an empty one.
 */
export function recentEvents(projectDir: string): readonly OperatorEvent[] {
  const latest = eventsIn(join(projectDir, eventLogFile))
  if (latest.length >= most) return latest.slice(-most)
  return [...eventsIn(join(projectDir, olderEventLog(1))), ...latest].slice(-most)
}

function eventsIn(path: string): readonly OperatorEvent[] {
  return tailOf(path)
    .split('\n')
    .flatMap((line) => eventOf(line) ?? [])
}

/** Begins in the middle of a line where the file is long; such a piece is no JSON. */
function tailOf(path: string): string {
  if (!existsSync(path)) return ''
  try {
    const descriptor = openRegular(path, constants.O_RDONLY)
    try {
      const end = endOfWholeLines(descriptor)
      return readRange(descriptor, Math.max(0, end - tailBytes), end).toString('utf8')
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return '' // the session that writes it says what is wrong with it
  }
}

const text = z.string().optional()

/** The envelope alone; what the log adds to a line is left out (EVT-100, PERS-700). */
const eventSchema = z.object({
  kind: z.string(),
  timestamp: text,
  arrow_id: text,
  clause_id: text,
  finding_id: text,
  pass_id: text,
  role: text,
  op_id: text,
  detail: text,
  payload: z.record(z.string(), z.string()).optional()
})

function eventOf(line: string): OperatorEvent | null {
  try {
    const read = eventSchema.safeParse(JSON.parse(line))
    return read.success ? (read.data as OperatorEvent) : null
  } catch {
    return null // no JSON, so no event
  }
}
