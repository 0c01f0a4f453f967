import { unreachable } from '../../src/lib/assert.ts'
import type { ArrowStatus, ClauseStatus } from '../../src/protocol/gate.ts'
import type { ArrowRow } from '../../src/protocol/gate-view.ts'
import type { Glyphs, Tone } from '../theme/index.ts'

export type Mark = { readonly glyph: string; readonly tone: Tone }

/** The status as result lines call it (GATE-52, GATE-53). */
export function statusLabel(status: ArrowStatus): string {
  return status === 'complete' ? 'valid' : status
}

/**
 * The word of an arrow's row (OPUI-720). While a pass waits for verdicts, what it has come to stands beside the status the arrow has, and
 * alone where it has none yet (GATE-52).
 */
export function arrowLabel(row: ArrowRow): string {
  if (isRunning(row)) return 'running'
  const live = row.liveStatus === null ? null : statusLabel(row.liveStatus)
  if (!row.isStarted) return live ?? 'not started'
  return live === null ? statusLabel(row.status) : `${statusLabel(row.status)} (${live})`
}

/** `analyst→architect`: what an arrow leads from and to. */
export function pairText({ source, target }: Pick<ArrowRow, 'source' | 'target'>): string {
  return `${source}→${target}`
}

/** Mark of an arrow's row (OPUI-720). */
export function arrowMark(row: ArrowRow, { arrow }: Glyphs): Mark {
  if (isRunning(row)) return { glyph: arrow.running, tone: 'accent' }
  if (!row.isStarted)
    return row.liveStatus === null ? { glyph: arrow.notStarted, tone: 'dim' } : statusMark(row.liveStatus, arrow)
  return row.status === 'complete' && row.isOutdated
    ? { glyph: arrow.outdated, tone: 'ok' }
    : statusMark(row.status, arrow)
}

/** A pass is at work on it; one that waits for the operator is not. */
function isRunning({ openPass, waiting }: ArrowRow): boolean {
  return openPass !== null && waiting === 0
}

function statusMark(status: ArrowStatus, arrow: Glyphs['arrow']): Mark {
  switch (status) {
    case 'complete':
      return { glyph: arrow.valid, tone: 'ok' }
    case 'provisional':
      return { glyph: arrow.provisional, tone: 'warn' }
    case 'blocked':
      return { glyph: arrow.blocked, tone: 'fail' }
    case 'unevaluated':
      return { glyph: arrow.unevaluated, tone: 'unevaluated' }
    case 'invalidated':
      return { glyph: arrow.invalidated, tone: 'fail' }
    case 'aborted-remediation':
      return { glyph: arrow.aborted, tone: 'fail' }
    case 'in-progress':
      return { glyph: arrow.running, tone: 'accent' }
    default:
      return unreachable(status)
  }
}

/** Mark of a clause by its last outcome (OPUI-721). */
export function clauseMark(status: ClauseStatus | null, { arrow, done, failed }: Glyphs): Mark {
  switch (status) {
    case null:
      return { glyph: arrow.notStarted, tone: 'dim' }
    case 'pass':
      return { glyph: done, tone: 'ok' }
    case 'fail':
      return { glyph: failed, tone: 'fail' }
    case 'unevaluated':
      return { glyph: arrow.unevaluated, tone: 'unevaluated' }
    case 'awaiting-attestation':
    case 'insufficient-basis':
      return { glyph: arrow.provisional, tone: 'warn' }
    case 'pending':
    case 'running':
      return { glyph: arrow.running, tone: 'accent' }
    default:
      return unreachable(status)
  }
}
