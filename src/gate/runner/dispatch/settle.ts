import { letBugsThrough } from '../../../lib/assert.ts'
import { messageOf } from '../../../lib/error.ts'
import type { Gates } from '../gates.ts'
import type { LivePass } from '../live-pass.ts'
import type { ArtifactState } from '../ports.ts'
import { fileChanged } from '../refusal.ts'
import { resultOf } from './result.ts'
import type { DispatchResult } from './types.ts'

/** Whether nothing keeps the pass from closing (GATE-48): no clause under way, no request and no escalation unanswered. */
function isSettled(gates: Gates, pass: LivePass): boolean {
  const isUnderWay = pass.board
    .all()
    .some(({ status }) => status === 'pending' || status === 'running' || status === 'awaiting-attestation')
  return !isUnderWay && gates.openRequests(pass).length === 0
}

/**
 * Closes a pass whose questions are all answered (RUN-242, RUN-243), on the artifact it verified and on no other (RUN-247). Looking at the
 * files takes time, so everything is asked again afterwards; null when there is nothing to close.
 */
export async function settle(gates: Gates, pass: LivePass, signal: AbortSignal): Promise<DispatchResult | null> {
  if (pass.record.state !== 'open' || !isSettled(gates, pass)) return null
  let artifact: ArtifactState
  try {
    artifact = await gates.ports.artifacts.take(pass.arrow, signal)
  } catch (cause) {
    letBugsThrough(cause)
    if (pass.record.state === 'open' && !signal.aborted)
      gates.passes.abort(pass, `clause-error: artifact: ${messageOf(cause)}`)
    return resultOf(gates, pass)
  }
  if (pass.record.state !== 'open' || !isSettled(gates, pass)) return null
  const tampered = gates.tampered({ pass })
  if (tampered !== null) return resultOf(gates, pass, fileChanged(tampered).text)
  if (artifact.digest !== pass.record.artifactDigest) {
    gates.passes.abort(pass, 'artifact-changed')
    return resultOf(gates, pass)
  }
  gates.passes.close(pass, gates.live(pass).status, artifact.dependencies)
  if (pass.record.role === 'integrator') gates.ports.amendments?.afterClose(pass.record)
  return resultOf(gates, pass)
}

/** Settlement of a parked pass after a verdict; who waits for the settled line is told of it (OPUI-324). */
export async function settleParked(gates: Gates, pass: LivePass): Promise<DispatchResult | null> {
  if (!pass.isParked) return null
  const result = await settle(gates, pass, pass.work.signal)
  if (result !== null && !result.isParked) gates.settled.notify(result)
  return result
}
