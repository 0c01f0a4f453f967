import { safeLine } from '../../../lib/safe-text.ts'
import type { Arrow, Grid } from '../../../protocol/grid.ts'
import { parseArrowId } from '../arrow-id.ts'
import { reasonCode, statusLabel } from '../derive.ts'
import type { DispatchOutcome, DispatchRefusal, DispatchResult } from '../dispatch/types.ts'
import { predecessorOf } from '../predecessor.ts'
import { refusedTold, type Told, told } from './told.ts'

// What `/run-arrow` prints (OPUI-320…327). Ids are never shortened here (OPUI-101).

export const runArrowUsage = 'usage: /run-arrow <arrow-id> [--context <ctx>] [--define]'

/** What an outcome says, in order (OPUI-320…326). */
export function outcomeTold(arrowId: string, outcome: DispatchOutcome, grid: Grid | null): Told {
  switch (outcome.kind) {
    case 'refused':
      return refusalTold(arrowId, outcome.refusal, grid)
    case 'cached':
      return told([
        `ℹ arrow ${arrowId} already valid: pass=${outcome.passId}, nothing it depends on changed (/invalidate-arrow to force)`
      ])
    case 'dispatched':
      return { ...told(resultLines(outcome.result, grid, 'dispatched')), isBroken: isBroken(outcome.result) }
  }
}

/** The pass was aborted, or may not close: it said nothing about the arrow, unlike one that closed with whatever status (TERM-60). */
function isBroken({ held, closeReason }: DispatchResult): boolean {
  const code = reasonCode(closeReason)
  return held !== null || (code !== '' && code !== 'ok' && !code.startsWith('derived-'))
}

/** What a refusal says (OPUI-320). */
export function refusalTold(arrowId: string, refused: DispatchRefusal, grid: Grid | null): Told {
  switch (refused.code) {
    case 'engine-not-initialized':
      return refusedTold('engine not initialized; /run-arrow unavailable')
    case 'no-grid':
      return refusedTold(refused.text)
    case 'unknown-arrow':
      return refusedTold(refused.text, ...definableHint(arrowId, grid))
    case 'unknown-context':
      return refusedTold(`/run-arrow: ${refused.text}`, runArrowUsage)
    case 'role-context-busy':
      return refusedTold(
        `/run-arrow: (role=${refused.role}, context=${refused.context}) held by pass ${refused.passId}`
      )
    case 'adversarial-hooks-not-wired':
      return refusedTold(`/run-arrow ${arrowId}: adversarial-hooks-not-wired (type /adversary enable)`)
    case 'missing-binding':
      return refusedTold(
        `/run-arrow ${arrowId}: ${safeLine(refused.text)}`,
        'ℹ /run-arrow in a session (ghyll run) asks for the command of each and goes on'
      )
    default:
      return refusedTold(`/run-arrow ${arrowId}: ${safeLine(refused.text)}`)
  }
}

/** A hand-off in a known context that nobody declared can be declared on the spot. */
function definableHint(arrowId: string, grid: Grid | null): readonly string[] {
  const name = parseArrowId(arrowId)
  const isKnown = name !== null && grid?.boundedContexts.some(({ id }) => id === name.context) === true
  return isKnown ? ['ℹ add --define to declare it on the spot'] : []
}

const maxBlockers = 10

/** Lines of a result; `settled` for a parked pass that ended (OPUI-322…325). */
export function resultLines(
  result: DispatchResult,
  grid: Grid | null,
  verb: 'dispatched' | 'settled'
): readonly string[] {
  const { passId, arrowId, arrowStatus, clauses, blockingClauses, blockingFindings, blocking, closeReason } = result
  const counts = `clauses=${clauses} blocking-clauses=${blockingClauses} blocking-findings=${blockingFindings}`
  const line = `✓ arrow ${arrowId} ${verb}: pass=${passId} status=${statusLabel(arrowStatus)} ${counts}`
  const isValid = arrowStatus === 'complete'
  return [
    line,
    ...(isValid
      ? []
      : blocking.slice(0, maxBlockers).map(({ id, status, why }) => `    ${id} ${status}: ${safeLine(why)}`)),
    ...(isValid || blocking.length <= maxBlockers
      ? []
      : [`    … ${blocking.length - maxBlockers} more (Enter on the arrow)`]),
    ...(result.pendingRefs.length === 0
      ? []
      : [`ℹ ${result.pendingRefs.length} verdict(s) waiting; the prompt follows (F4)`]),
    ...(result.held === null ? [] : [`✗ pass ${passId} stays open: ${safeLine(result.held)}`]),
    ...nextLines(closeReason, arrowId, grid)
  ]
}

/** Where to go after a pass that did not get there (OPUI-325, RUN-247). */
function nextLines(closeReason: string, arrowId: string, grid: Grid | null): readonly string[] {
  const upstream = upstreamOf(arrowId, grid)
  switch (reasonCode(closeReason)) {
    case 'artifact-changed':
      return [`ℹ artifact of ${arrowId} changed since it was verified; run the arrow again`]
    case 'aborted-remediation':
      return upstream === null
        ? ['ℹ accept risk per finding (F5, a)']
        : [`ℹ accept risk per finding (F5, a) or route upstream: /run-arrow ${upstream.id}`]
    case 'requires-deeper-artifact':
      return upstream === null ? [] : [`ℹ next: /run-arrow ${upstream.id}`]
    default:
      return []
  }
}

function upstreamOf(arrowId: string, grid: Grid | null): Arrow | null {
  const arrow = grid?.arrows.find(({ id }) => id === arrowId)
  return grid === null || arrow === undefined ? null : predecessorOf(grid, arrow)
}
