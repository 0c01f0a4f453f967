import { abortPass, invalidateArrow } from '../acts.ts'
import { meantArrowId, normaliseArrowId } from '../arrow-id.ts'
import { statusLabel } from '../derive.ts'
import type { Gates } from '../gates.ts'
import { arrowListing } from '../listing.ts'
import type { ClauseOutcome, PassRecord } from '../records.ts'
import { noGrid } from '../refusal.ts'
import { arrowState, snapshotOf } from '../snapshot.ts'
import { refusalTold, runArrowUsage } from '../texts/dispatch.ts'
import { attestationLines, findingLines, openPassLines, passDetailLines, unknownPassLine } from '../texts/listings.ts'
import { refusedTold, type Told, told } from '../texts/told.ts'

// The slash commands of the gate that are one call and its text (OPUI-220…380). `args` is what stands behind the name.

export type RunArrowArgs = { readonly arrowId: string; readonly context: string | undefined; readonly define: boolean }

/** Reads the arguments of `/run-arrow`, or says what is wrong with them (OPUI-107, OPUI-320). An arrow to be defined is named in full. */
export function readRunArrow(gates: Gates, args: string): RunArrowArgs | { readonly wrong: Told } {
  const words = args
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '')
  const wrong = (reason: string) => ({ wrong: refusedTold(`/run-arrow: ${reason}`, runArrowUsage) })
  let arrow: string | null = null
  let context: string | undefined
  let define = false
  for (let n = 0; n < words.length; n += 1) {
    const word = words[n] ?? ''
    if (word === '--define') define = true
    else if (word === '--context') {
      n += 1
      context = words[n]
      if (context === undefined || context.startsWith('--')) return wrong('--context needs a value')
    } else if (word.startsWith('--')) return wrong(`unknown flag "${word}"`)
    else if (arrow !== null) return wrong(`unexpected argument "${word}"`)
    else arrow = word
  }
  if (arrow === null) return wrong('no arrow given')
  return { arrowId: define ? normaliseArrowId(arrow) : arrowMeant(gates, arrow), context, define }
}

function arrowMeant(gates: Gates, text: string): string {
  return meantArrowId(text, gates.grid.current()?.arrows ?? [])
}

/** `/list-arrows [<filter>]`: rows whose id, context or status contains the filter (OPUI-310, OPUI-311). */
export function listArrows(gates: Gates, filter: string): readonly string[] {
  const grid = gates.grid.current()
  if (grid === null || grid.arrows.length === 0) return [noGrid.text]
  const wanted = normaliseArrowId(filter)
  if (wanted === '') return arrowListing(grid)
  const arrows = grid.arrows.filter((arrow) => {
    const { status } = arrowState(gates, grid, arrow)
    return [arrow.id, arrow.context, statusLabel(status)].some((text) => text.includes(wanted))
  })
  return arrowListing({ ...grid, arrows })
}

/** `/attestations [<arrow-id>]` (OPUI-220) */
export function listAttestations(gates: Gates, args: string): readonly string[] {
  const arrowId = arrowMeant(gates, args)
  const records = gates.attestations.all().filter((record) => arrowId === '' || record.arrowId === arrowId)
  return attestationLines(records, ({ arrowId: id, opId }) => [
    ...(gates.history.openedBy(id, opId) === null ? [] : (['own-pass'] as const)),
    ...(gates.grid.arrow(id) === null ? (['orphan'] as const) : [])
  ])
}

/** `/passes [<pass-id>]`; `ended` reads a pass that is over from the table (OPUI-230, OPUI-231). */
export function listPasses(
  gates: Gates,
  args: string,
  ended: (id: string) => { readonly pass: PassRecord; readonly clauses: readonly ClauseOutcome[] } | null
): readonly string[] {
  const id = args.trim()
  if (id === '') return openPassLines(snapshotOf(gates)?.openPasses ?? [])
  const live = gates.passes.get(id)
  if (live !== null) return passDetailLines(live.record, live.board.all())
  const found = ended(id)
  return found === null ? [unknownPassLine(id)] : passDetailLines(found.pass, found.clauses)
}

/** `/findings [<arrow-id>]` (OPUI-380) */
export function listFindings(gates: Gates, args: string): readonly string[] {
  const arrowId = arrowMeant(gates, args)
  const findings = arrowId === '' ? gates.findings.all() : gates.findings.ofArrow(arrowId)
  return findingLines(findings, gates.grid.current()?.version ?? 0)
}

const needsOpId = '/invalidate-arrow refuses: no op-id set; use /op-id <identity> first'
const invalidateUsage = 'usage: /invalidate-arrow <arrow-id> [--reason <text>]'

/** `/invalidate-arrow` (GATE-95, OPUI-340). */
export function invalidateCommand(gates: Gates, args: string, opId: string): Told {
  if (!gates.phase.isAttached()) return refusedTold('engine not initialized; /invalidate-arrow unavailable')
  if (opId === '') return refusedTold(needsOpId)
  const match = /^\s*(\S+)(?:\s+--reason\s+(\S.*))?\s*$/su.exec(args)
  if (match === null) {
    const reason = args.trim() === '' ? 'no arrow given' : 'malformed arguments'
    return refusedTold(`/invalidate-arrow: ${reason}`, invalidateUsage)
  }
  return invalidateTold(gates, { arrowId: arrowMeant(gates, match[1] ?? ''), reason: match[2]?.trim() ?? '' }, opId)
}

/** The same once it is known what is meant; an empty reason is `operator-requested` (OPUI-340). */
export function invalidateTold(
  gates: Gates,
  { arrowId, reason }: { readonly arrowId: string; readonly reason: string },
  opId: string
): Told {
  if (opId === '') return refusedTold(needsOpId)
  const outcome = invalidateArrow(gates, { arrowId, opId, reason, source: 'operator' })
  if (outcome.kind === 'refused') {
    const { code, text } = outcome.refusal
    return code === 'unknown-arrow' || code === 'no-grid'
      ? refusalTold(arrowId, { code, text }, null)
      : refusedTold(`/invalidate-arrow: ${text}`)
  }
  const { invalidation, aborted } = outcome
  return told([
    `✓ arrow ${arrowId} invalidated; persisted to .ghyll/engine.db arrow_invalidations (reason=${invalidation.reason} op-id=${invalidation.opId})`,
    ...aborted.map(({ id, closeReason }) => `  · pass ${id} aborted: ${closeReason}`)
  ])
}

/** `/abort-pass` (OPUI-370). */
export function abortPassCommand(gates: Gates, args: string): Told {
  const id = args.trim()
  if (id === '') return refusedTold('/abort-pass: no pass given', 'usage: /abort-pass <pass-id>')
  const outcome = abortPass(gates, id)
  if (outcome.kind === 'refused') {
    const { code, text } = outcome.refusal
    return refusedTold(code === 'no-open-pass' ? text : `/abort-pass: ${text}`)
  }
  return told([`✓ pass ${id} aborted: operator-interrupt (${outcome.cancelled} verdict request(s) cancelled)`])
}
