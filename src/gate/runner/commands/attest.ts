import { cutBytes } from '../../../lib/cap-text.ts'
import { safeText } from '../../../lib/safe-text.ts'
import { readRef } from '../attestation/ref.ts'
import { verdictOfCommand } from '../attestation/words.ts'
import type { DispatchResult } from '../dispatch/types.ts'
import type { Gates } from '../gates.ts'
import type { LivePass } from '../live-pass.ts'
import type { Attestation } from '../records.ts'
import { refusedTold, type Told, told } from '../texts/told.ts'
import { recordVerdict } from '../verdicts/record.ts'

const attestUsage = 'usage: /attest <attestation-id> <pass|fail|insufficient-basis> [reason]'

/** Longest reason, in bytes of UTF-8 (ATT-101). */
const maxReasonBytes = 4096

export type AttestOutcome = Told & {
  /** What became of the pass, or null when nothing was recorded. */
  readonly settling: Promise<DispatchResult | null> | null
}

/** `/attest`: a verdict without the prompt, with its checks in order (OPUI-210…212). `args` is everything behind the command's name. */
export function attestCommand(gates: Gates, args: string, opId: string): AttestOutcome {
  if (opId === '') return refuse('/op-id required before /attest')
  const match = /^\s*(\S+)\s+(\S+)\s*(.*)$/su.exec(args)
  if (match === null) return { lines: [attestUsage], refusal: attestUsage, settling: null }
  if (!gates.phase.isAttached()) return refuse('engine not initialized; /attest unavailable')
  const [, typed = '', word = '', rest = ''] = match
  const read = readRef(typed, gates.grid.known())
  if ('problem' in read) return refuse(`invalid attestation-id "${typed}": ${read.problem}`)
  const { ref, arrowId, clauseId } = read
  if (gates.grid.arrow(arrowId) === null) return refuse(`arrow "${arrowId}" not in grid`)
  const verdict = verdictOfCommand(word)
  if (verdict === null) return refuse(`verdict "${word}" not in {pass, fail, insufficient-basis}`)
  const pass = clauseId === null ? null : ownerOf(gates, arrowId, clauseId, ref)
  if (pass === null || clauseId === null)
    return refuse(`/attest: no live pass owns "${ref}": run the arrow first (use the modal flow during a session)`)
  const reason = reasonOf(rest)
  const outcome = recordVerdict(gates, { passId: pass.record.id, clauseId, verdict, text: reason, reason, opId })
  if (outcome.kind === 'already')
    return { ...told([`ℹ attestation ${recordedText(outcome.record, 'already recorded')}`]), settling: null }
  if (outcome.kind === 'recorded') return { ...told([recordedLine(outcome.record)]), settling: outcome.settling }
  const { code, text } = outcome.refusal
  return refuse(code === 'escalation-open' ? `/attest: ${text}` : `Record: ${text}`)
}

/** The success line of every recorded verdict (OPUI-425). */
export function recordedLine(record: Attestation): string {
  return `✓ attestation ${recordedText(record, 'recorded')}`
}

function recordedText({ id, verdict, opId }: Attestation, what: string): string {
  return `${id} ${what}: verdict=${verdict} by op-id=${opId}`
}

/** The open pass that asked; one where the question is still open comes first. */
function ownerOf(gates: Gates, arrowId: string, clauseId: string, ref: string): LivePass | null {
  const askers = gates.passes
    .all()
    .filter((pass) => pass.record.arrowId === arrowId && pass.requests.get(clauseId)?.ref === ref)
  const isOpen = (pass: LivePass) => gates.openRequests(pass).some((request) => request.ref === ref)
  return askers.find(isOpen) ?? askers[0] ?? null
}

/** One pair of surrounding quotes and all controls go; 4 KiB at most (OPUI-211). */
function reasonOf(rest: string): string {
  const trimmed = rest.trim()
  const quoted = /^(["'])(.*)\1$/su.exec(trimmed)
  return cutBytes(safeText(quoted?.[2] ?? trimmed), maxReasonBytes)
}

function refuse(why: string): AttestOutcome {
  return { ...refusedTold(why), settling: null }
}
