import { letBugsThrough } from '../../../lib/assert.ts'
import { Failure, messageOf } from '../../../lib/error.ts'
import { attestationId } from '../arrow-id.ts'
import type { Bus } from '../bus.ts'
import { createObservers } from '../observers.ts'
import type { Phase } from '../phase.ts'
import type { AttestationWriter } from '../ports.ts'
import type { Attestation } from '../records.ts'
import { type Refusal, refusal } from '../refusal.ts'
import type { Stamps } from '../stamp.ts'
import { forbidden, selfCertProblem, structureProblem, writeProblem } from './check.ts'

// Operator verdicts, immutable. A record is on disk before it is in memory, and in memory before anybody hears of it (ATT-301).

/** A verdict to be recorded: everything but what the store itself decides. `ref` is the base ref. */
export type AttestationDraft = Omit<Attestation, 'id' | 'timestamp' | 'unknownKeys'>

export type RecordRefusal = Refusal & { readonly code: string }

export type Recorded =
  | { readonly kind: 'recorded'; readonly record: Attestation }
  /** The same verdict again: success, and nothing was written (ATT-204). */
  | { readonly kind: 'already'; readonly record: Attestation }
  | { readonly kind: 'refused'; readonly refused: RecordRefusal }

export interface Attestations {
  /**
   * Validates, writes, inserts and tells, in one synchronous section (ATT-300, ATT-301). `certain` is called once the record is on disk and
   * before anybody hears of it; not at all when it is refused.
   */
  record(draft: AttestationDraft, certain?: () => void): Recorded
  /** What `record` would answer without writing: the record that says the same already, or null (ATT-204). */
  repeated(draft: AttestationDraft): Attestation | null
  /** The latest round on a ref, or null (ATT-205). */
  latest(ref: string): Attestation | null
  /** All rounds of a ref, oldest first. */
  rounds(ref: string): readonly Attestation[]
  get(id: string): Attestation | null
  /** Oldest first; records of arrows that are gone included (ATT-304). */
  all(): readonly Attestation[]
  size(): number
  /** Takes over what is on disk, without writing or telling (ATT-303). Throws when a record is no record. */
  load(records: Iterable<Attestation>): void
  /** Engine table and flat file, in this order. */
  observe(observer: (record: Attestation) => void): () => void
  failures(): number
}

export type AttestationsOptions = {
  readonly bus: Bus
  readonly stamps: Stamps
  readonly phase: Phase
  readonly write: AttestationWriter
  readonly residueMaxBytes: () => number
  /** The pass on this arrow this op-id opened, where the grid separates the two (ATT-343); null otherwise. */
  readonly ownPass: (arrowId: string, opId: string) => string | null
  /** Whether the arrow is declared in this version; an on-the-spot record whose append failed may be repeated (ATT-204). */
  readonly isDeclared: (arrowId: string, gridVersion: number) => boolean
  /** Kernel state that follows a record before the bus tells of it: the pass's clause, then the tracker (EVT-400). */
  readonly follow: (record: Attestation) => void
  readonly warn: (message: string, cause: unknown) => void
}

/** A store without records; those on disk come by `load` (ATT-303). */
export function createAttestations(options: AttestationsOptions): Attestations {
  const { bus, stamps, phase, warn } = options
  const byId = new Map<string, Attestation>()
  const byRef = new Map<string, string[]>()
  const observers = createObservers<Attestation>('attestations', warn)

  const rounds = (ref: string) => (byRef.get(ref) ?? []).flatMap((id) => byId.get(id) ?? [])
  const latest = (ref: string) => rounds(ref).at(-1) ?? null
  const insert = (record: Attestation) => {
    const isKnown = byId.has(record.id)
    byId.set(record.id, record)
    if (isKnown) return
    const ref = baseRef(record)
    const ids = byRef.get(ref)
    if (ids === undefined) byRef.set(ref, [record.id])
    else ids.push(record.id)
  }

  /** Of two passes of one arrow that wait at once, each is answered for itself, whichever is answered first: no other answer ends it. */
  const mayFollow = (last: Attestation, draft: AttestationDraft) =>
    last.passId !== draft.passId ||
    last.verdict === 'insufficient-basis' ||
    (draft.kind === 'on-the-spot' && !options.isDeclared(draft.arrowId, draft.gridVersion))

  const refuseSelfCert = (draft: AttestationDraft, refused: RecordRefusal): Recorded => {
    const clause = draft.clauseId === '' ? {} : { clause_id: draft.clauseId }
    const subject = { arrow_id: draft.arrowId, ...clause, op_id: draft.opId, role: draft.attestedByRole }
    bus.publish({ kind: 'self-cert-refused', ...subject, payload: { reason: refused.text } })
    return { kind: 'refused', refused }
  }

  const writeFirst = (record: Attestation): Attestation | RecordRefusal => {
    try {
      return options.write(record) ?? record
    } catch (cause) {
      letBugsThrough(cause)
      if (cause instanceof Failure) return refusal(cause.code, cause.message)
      return refusal('attestation-audit-write-failed', `attestation-audit-write-failed: ${messageOf(cause)}`)
    }
  }

  return {
    record(draft, certain) {
      const last = latest(draft.ref)
      const id = attestationId(draft.ref, last === null ? 1 : roundOf(last) + 1)
      const record = { ...draft, id, ref: id === draft.ref ? '' : draft.ref, timestamp: stamps.nowNs() }
      const structure = structureProblem(record)
      if (structure !== null) return { kind: 'refused', refused: structure }
      const selfCert = selfCertProblem(record) ?? ownPassProblem(record, options.ownPass)
      if (selfCert !== null) return refuseSelfCert(draft, selfCert)
      const problem = writeProblem(record, options.residueMaxBytes())
      if (problem !== null) return { kind: 'refused', refused: problem }
      if (last !== null && !mayFollow(last, draft)) {
        if (saysTheSame(last, draft)) return { kind: 'already', record: last }
        const text = `attestation-duplicate: "${draft.ref}" has verdict=${last.verdict} by op-id=${last.opId} already`
        return { kind: 'refused', refused: refusal('attestation-duplicate', text) }
      }
      const written = writeFirst(record)
      if ('code' in written) return { kind: 'refused', refused: written }
      certain?.()
      insert(written)
      observers.notify({ ...written })
      options.follow(written)
      bus.publish({
        kind: 'attestation-recorded',
        arrow_id: written.arrowId,
        ...(written.clauseId !== '' && { clause_id: written.clauseId }),
        pass_id: written.passId,
        op_id: written.opId,
        payload: {
          attestation_id: written.id,
          attestation_ref: draft.ref,
          kind: written.kind,
          outcome: written.verdict
        }
      })
      return { kind: 'recorded', record: { ...written } }
    },
    repeated(draft) {
      const last = latest(draft.ref)
      if (last === null || mayFollow(last, draft)) return null
      return saysTheSame(last, draft) ? { ...last } : null
    },
    latest(ref) {
      const found = latest(ref)
      return found === null ? null : { ...found }
    },
    rounds: (ref) => rounds(ref).map((record) => ({ ...record })),
    get(id) {
      const found = byId.get(id)
      return found === undefined ? null : { ...found }
    },
    all: () => [...byId.values()].map((record) => ({ ...record })).sort(byTime),
    size: () => byId.size,
    load(records) {
      phase.loading()
      const known = [...records]
      // Rounds of one ref in their order, whatever the order of the files.
      known.sort((a, b) => roundOf(a) - roundOf(b) || byTime(a, b))
      for (const record of known) {
        insert({ ...record })
        stamps.after(record.timestamp)
      }
    },
    observe: observers.observe,
    failures: observers.failures
  }
}

/** The base ref of a record (ATT-203). */
export function baseRef({ id, ref }: Pick<Attestation, 'id' | 'ref'>): string {
  return ref === '' ? id : ref
}

/** Round number of a record on its ref, from 1 (ATT-203). */
export function roundOf({ id, ref }: Pick<Attestation, 'id' | 'ref'>): number {
  if (ref === '' || ref === id || !id.startsWith(`${ref}-r`)) return 1
  const round = Number(id.slice(ref.length + 2))
  return Number.isSafeInteger(round) && round > 1 ? round : 1
}

/** Same op-id, role, verdict, unit and payload: the same verdict said again (ATT-204). */
function saysTheSame(last: Attestation, draft: AttestationDraft): boolean {
  return (
    last.opId === draft.opId &&
    last.attestedByRole === draft.attestedByRole &&
    last.verdict === draft.verdict &&
    last.unit === draft.unit &&
    sameJson(last.unitPayloadJson, draft.unitPayloadJson)
  )
}

function sameJson(a: string, b: string): boolean {
  try {
    return a === b || JSON.stringify(JSON.parse(a)) === JSON.stringify(JSON.parse(b))
  } catch {
    // One of them is no JSON: then only the same text is the same.
    return false
  }
}

function ownPassProblem({ arrowId, opId }: Attestation, ownPass: AttestationsOptions['ownPass']) {
  const pass = ownPass(arrowId, opId)
  return pass === null ? null : forbidden(`op-id opened pass ${pass}`)
}

function byTime(a: Attestation, b: Attestation): number {
  if (a.timestamp === b.timestamp) return a.id < b.id ? -1 : 1
  return a.timestamp < b.timestamp ? -1 : 1
}
