import { letBugsThrough } from '../../../lib/assert.ts'
import { isSameJson } from '../../../lib/equal.ts'
import { messageOf } from '../../../lib/error.ts'
import { safeLine } from '../../../lib/safe-text.ts'
import type { Arrow } from '../../../protocol/grid.ts'
import { type Committer, tamperedRefusal } from '../amendment/committer.ts'
import { type GridOutcome, versionProblem, writeVersion } from '../amendment/version.ts'
import { attestationRef } from '../arrow-id.ts'
import type { AttestationDraft } from '../attestation/store.ts'
import { arrowProblem } from '../grid-check.ts'
import { validateOpId } from '../op-id.ts'
import { noGrid, type Refusal, refusal } from '../refusal.ts'
import { attestingRole, isSelfCertification } from './roles.ts'
import { type Selected, type Skipped, selectClauses } from './select.ts'
import type { Suspension } from './suspend.ts'

// Declaring an arrow on the spot (RUN-801, GATE-97): somebody who is no endpoint reads the definition and confirms it; the record comes
// first, then the next version of the grid. There is no exception for one session.

/** What the model-backed definer made of the proposal. */
export type Defined =
  | { readonly kind: 'definition'; readonly arrow: Arrow }
  /** Its answer was no definition. */
  | { readonly kind: 'invalid'; readonly text: string }

export type Confirmed =
  | {
      readonly kind: 'declare'
      readonly role: string
      /** Contract clauses the operator left out, with the words that stay in their place. */
      readonly skipped: readonly Skipped[]
    }
  | { readonly kind: 'refuse' }

export interface DeclarePorts {
  /** Deep tier, for this act only; null: the contract alone. Throws on trouble of its own. */
  readonly define: ((suspension: Suspension, signal: AbortSignal) => Promise<Defined>) | null
  /** Shows the definition and asks (OPUI-550). `gridVersionAfter` is the version in whose name is asked. */
  confirm(
    ask: { readonly suspension: Suspension; readonly definition: Arrow; readonly gridVersionAfter: number },
    signal: AbortSignal
  ): Promise<Confirmed>
  /** Clauses that may not be skipped (ROLE-17). */
  isBase(clauseId: string, suspension: Suspension): boolean
}

export type DeclareRefusal = Refusal

export type DeclareOutcome =
  | {
      readonly kind: 'declared'
      readonly arrow: Arrow
      readonly gridVersion: number
      readonly attestationId: string
      readonly role: string
    }
  /** Declared meanwhile: the caller looks it up and proceeds (GATE-98). */
  | { readonly kind: 'already'; readonly arrow: Arrow }
  /** The work stays suspended; nothing was written (GATE-99). */
  | { readonly kind: 'left' }
  | { readonly kind: 'refused'; readonly refusal: DeclareRefusal }

export type DeclareCommand = {
  readonly suspension: Suspension
  /** Attesting role; what the confirmation names counts, and is held to the same rule. */
  readonly role: string
  /** Read again when it is confirmed: whoever had none is asked for it beside the definition (OPUI-550). */
  readonly opId: () => string
  readonly signal: AbortSignal
}

/** Carries a suspended transition to a declared arrow, or says why not (RUN-801, GATE-97). */
export async function declareOnTheSpot(
  committer: Committer,
  ports: DeclarePorts,
  { suspension, role, opId: currentOpId, signal }: DeclareCommand
): Promise<DeclareOutcome> {
  const { gates } = committer
  if (signal.aborted) return refuse(refusal('operator-interrupt'))
  const first = allowed(committer, suspension, role, currentOpId())
  if ('refused' in first) return refuse(first.refused)
  const defined = await defineArrow(ports, suspension, signal)
  if (signal.aborted) return refuse(refusal('operator-interrupt'))
  if ('refused' in defined) return refuse(defined.refused)
  const problem = definitionProblem(committer, suspension, defined.arrow)
  if (problem !== null) return refuse(problem)
  const gridVersionAfter = (gates.grid.current()?.version ?? 0) + 1
  const confirmed = await ports.confirm({ suspension, definition: defined.arrow, gridVersionAfter }, signal)
  if (signal.aborted) return refuse(refusal('operator-interrupt'))
  if (confirmed.kind === 'refuse') return { kind: 'left' }
  const identity = validateOpId(currentOpId())
  if ('refused' in identity) return refuse(identity.refused)
  const { opId } = identity
  const attester = allowed(committer, suspension, confirmed.role, opId)
  if ('refused' in attester) return refuse(attester.refused)
  const selected = selectClauses(defined.arrow, confirmed.skipped, {
    maxBytes: gates.grid.current()?.residueNoteMaxBytes ?? 0,
    isBase: (id) => ports.isBase(id, suspension)
  })
  if ('refused' in selected) return refuse(selected.refused)
  const { arrow, residue } = selected
  return committer.lock.run(async () => record(committer, { arrow, residue, role: attester.role, opId, signal }))
}

/** The record, then the version it speaks of. Without a wait, so that nobody takes that version's number meanwhile. */
function record(
  committer: Committer,
  { arrow, residue, role, opId, signal }: Selected & { role: string; opId: string; signal: AbortSignal }
): DeclareOutcome {
  const { gates } = committer
  if (signal.aborted) return refuse(refusal('operator-interrupt'))
  const declared = gates.grid.arrow(arrow.id)
  if (declared !== null) return { kind: 'already', arrow: declared }
  const grid = gates.grid.current()
  const refused = tamperedRefusal(committer)
  if (grid === null || refused !== null) return refuse(refused ?? noGrid)
  const change = { newArrows: [arrow], bindings: {}, residue, interruptions: 1, opId }
  const unsound = versionProblem(committer, change)
  if (unsound !== null) return refuse(unsound)
  const recorded = gates.attestations.record(attestationOf(arrow, grid.version + 1, role, opId))
  if (recorded.kind === 'refused') return refuse(recorded.refused)
  const written = writeVersion(committer, change, 'on-the-spot')
  if (written.kind !== 'written') return refuse(failureOf(written))
  const attestationId = recorded.record.id
  gates.bus.publish({
    kind: 'on-the-spot-defined',
    arrow_id: arrow.id,
    op_id: opId,
    payload: { attestation_id: attestationId, grid_version_after: `${written.grid.version}` }
  })
  const inForce = gates.grid.arrow(arrow.id) ?? arrow
  return { kind: 'declared', arrow: inForce, gridVersion: written.grid.version, attestationId, role }
}

/** ATT-345 */
function attestationOf(
  { id, sourceRole, targetRole, context, stratum }: Arrow,
  gridVersion: number,
  role: string,
  opId: string
): AttestationDraft {
  return {
    kind: 'on-the-spot',
    arrowId: id,
    clauseId: '',
    opId,
    attestedByRole: role,
    sourceRole,
    targetRole,
    verdict: 'pass',
    reason: '',
    gridVersion,
    passId: `spot-${id}`,
    context,
    stratum,
    adversaryRole: '',
    unit: 'confirm',
    unitPayloadJson: '{}',
    hintJson: '{}',
    ref: attestationRef(id, null, gridVersion)
  }
}

/** An endpoint that tries to attest is refused, and the record says who tried. */
function allowed({ gates }: Committer, { arrowId, source, target }: Suspension, role: string, opId: string) {
  const attester = attestingRole(role, source, target)
  if ('refused' in attester && isSelfCertification(attester.refused))
    gates.bus.publish({
      kind: 'self-cert-refused',
      arrow_id: arrowId,
      ...(opId === '' ? {} : { op_id: opId }),
      role: role.trim(),
      payload: { reason: attester.refused.text }
    })
  return attester
}

async function defineArrow(
  { define }: DeclarePorts,
  suspension: Suspension,
  signal: AbortSignal
): Promise<{ readonly arrow: Arrow } | { readonly refused: Refusal }> {
  if (define === null) return { arrow: suspension.proposal }
  try {
    const defined = await define(suspension, signal)
    if (defined.kind === 'definition') return { arrow: defined.arrow }
    return { refused: invalid(defined.text) }
  } catch (cause) {
    letBugsThrough(cause)
    const text = `definer-hook-panicked: ${safeLine(messageOf(cause))}`
    return { refused: refusal('definer-hook-panicked', text) }
  }
}

/** The definition is of the suspended transition, sound, and takes nothing away from the contract. */
function definitionProblem({ ports }: Committer, suspension: Suspension, arrow: Arrow): Refusal | null {
  const { arrowId, source, target, context, proposal } = suspension
  const differs = Object.entries({
    id: [arrow.id, arrowId],
    source: [arrow.sourceRole, source],
    target: [arrow.targetRole, target],
    context: [arrow.context, context]
  }).find(([, [given, wanted]]) => given !== wanted)
  if (differs !== undefined) {
    const text = `on-the-spot-definition-mismatch: ${differs[0]} "${differs[1][0]}" should be "${differs[1][1]}"`
    return refusal('on-the-spot-definition-mismatch', text)
  }
  const problem = arrowProblem(arrow, ports.vocabulary)
  if (problem !== null) return invalid(`${problem.at}: ${problem.text}`)
  const lost = proposal.clauses.find((clause) => !arrow.clauses.some((each) => isSameJson(each, clause)))
  return lost === undefined ? null : invalid(`clause ${lost.id} of the contract is missing or changed`)
}

function failureOf(outcome: Exclude<GridOutcome, { kind: 'written' }>): Refusal {
  if (outcome.kind === 'refused') return outcome.refusal
  return refusal(outcome.outcome, `${outcome.outcome}: ${safeLine(outcome.reason)}`)
}

function invalid(text: string): Refusal {
  return refusal('definer-produced-invalid-definition', `definer-produced-invalid-definition: ${text}`)
}

function refuse(refused: Refusal): DeclareOutcome {
  return { kind: 'refused', refusal: refused }
}
