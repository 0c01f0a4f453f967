import { cutBytes } from '../../lib/cap-text.ts'
import { safeLine } from '../../lib/safe-text.ts'
import { unknownArrow } from './dispatch/checks.ts'
import type { Gates } from './gates.ts'
import { validateOpId } from './op-id.ts'
import type { Invalidation, InvalidationCause, PassRecord } from './records.ts'
import { fileChanged, noGrid, notAttached, type Refusal, refusal } from './refusal.ts'

// What an operator may do to an arrow or a pass besides running it. Each is one synchronous section (RUN-111).

/** Longest reason that is kept, in bytes (GATE-100). */
const maxReason = 8 * 1024

export type InvalidateCommand = {
  readonly arrowId: string
  readonly opId: string
  readonly reason: string
  readonly source: Invalidation['source']
  /** Version that did it: the one in force, or the one an amendment is about to write. */
  readonly gridVersion?: number
  /** Detail of the passes it aborts; by default `invalidated` alone. */
  readonly closeReason?: string
  readonly because?: readonly InvalidationCause[]
}

export type InvalidateOutcome =
  | { readonly kind: 'invalidated'; readonly invalidation: Invalidation; readonly aborted: readonly PassRecord[] }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

/**
 * Voids an arrow and aborts its open passes; told before they close (RUN-850, RUN-851, EVT-507). Passes that a changed gate file keeps as
 * they are (RUN-214) end at the next start, which finds the arrow voided (PERS-522).
 */
export function invalidateArrow(gates: Gates, command: InvalidateCommand): InvalidateOutcome {
  const grid = gates.grid.current()
  if (!gates.phase.isAttached()) return refuse(notAttached)
  if (grid === null || grid.arrows.length === 0) return refuse(noGrid)
  const identity = validateOpId(command.opId)
  if ('refused' in identity) return refuse(identity.refused)
  const { arrowId, source, gridVersion = grid.version, closeReason = 'invalidated', because = [] } = command
  if (gates.grid.arrow(arrowId) === null) return refuse(unknownArrow(arrowId))
  const reason = cutBytes(safeLine(command.reason), maxReason).trim() || 'operator-requested'
  const { opId } = identity
  const invalidation = gates.invalidations.record({ arrowId, opId, reason, source, gridVersion, because })
  gates.bus.publish({
    kind: 'arrow-invalidated',
    arrow_id: arrowId,
    op_id: opId,
    payload: {
      arrow_id: arrowId,
      op_id: opId,
      reason,
      timestamp: invalidation.at,
      grid_version: `${gridVersion}`,
      source
    }
  })
  const open = gates.passes.all().filter(({ record }) => record.arrowId === arrowId)
  const isHeld = open.length > 0 && gates.tampered() !== null
  const aborted = isHeld ? [] : open.filter((pass) => gates.passes.abort(pass, closeReason))
  return { kind: 'invalidated', invalidation, aborted: aborted.map(({ record }) => record) }
}

export type AbortOutcome =
  | { readonly kind: 'aborted'; readonly pass: PassRecord; readonly cancelled: number }
  | { readonly kind: 'refused'; readonly refusal: Refusal<'no-open-pass' | 'gate-file-changed'> }

/**
 * Stops an open pass, evaluating or parked, and with it everything it asked (RUN-245, RUN-246). After a gate file has changed it stays as
 * it is (RUN-214).
 */
export function abortPass(gates: Gates, passId: string): AbortOutcome {
  const pass = gates.passes.get(passId)
  if (pass === null) return { kind: 'refused', refusal: refusal('no-open-pass', `no open pass "${passId}"`) }
  const tampered = gates.tampered({ pass })
  if (tampered !== null) return { kind: 'refused', refusal: fileChanged(tampered) }
  const cancelled = gates.openRequests(pass).length
  gates.passes.abort(pass, 'operator-interrupt')
  return { kind: 'aborted', pass: pass.record, cancelled }
}

function refuse(refused: Refusal): { readonly kind: 'refused'; readonly refusal: Refusal } {
  return { kind: 'refused', refusal: refused }
}
