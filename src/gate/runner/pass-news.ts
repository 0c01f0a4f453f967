import type { ArrowStatus } from '../../protocol/gate.ts'
import type { Bus } from './bus.ts'
import type { PassRequest } from './live-pass.ts'
import type { PassRecord } from './records.ts'

// What the bus hears of a pass: from its registry and from nowhere else, so that each is told once (RUN-306, EVT-200).

/** A pass has opened. */
export function tellOpened(bus: Bus, { arrowId, id, role, context, gridVersion }: PassRecord): void {
  const payload = { context, grid_version: `${gridVersion}` }
  bus.publish({ kind: 'pass-opened', arrow_id: arrowId, pass_id: id, role, payload })
}

/** An open request went with its pass (RUN-245, EVT-508). */
export function tellCancelled(
  bus: Bus,
  { arrowId, id, closeReason }: PassRecord,
  { clauseId, ref }: PassRequest
): void {
  bus.publish({
    kind: 'attestation-cancelled-by-abort',
    arrow_id: arrowId,
    clause_id: clauseId,
    pass_id: id,
    payload: { attestation_ref: ref, close_reason: closeReason }
  })
}

/** A pass has ended, its lock is free and its row is written (EVT-201); `status`: what the arrow is now. */
export function tellEnded(bus: Bus, ended: PassRecord, status: ArrowStatus): void {
  const { arrowId, id, role, context, closeReason, state } = ended
  bus.publish({
    kind: 'pass-closed',
    arrow_id: arrowId,
    pass_id: id,
    role,
    payload: {
      arrow_id: arrowId,
      pass_id: id,
      context,
      close_reason: closeReason,
      arrow_status: status,
      outcome: state === 'closed' ? 'closed' : 'aborted'
    }
  })
}
