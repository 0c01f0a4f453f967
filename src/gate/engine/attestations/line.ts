import { messageOf } from '../../../lib/error.ts'
import type { Verdict, VerdictUnit } from '../../../protocol/gate.ts'
import type { Attestation, AttestationKind } from '../../runner/index.ts'

// One record, one line of JSON, in both files (ATT-101, ATT-104). Numbers are read from their source text: a timestamp has more
// digits than a double keeps, and so may a number in a key nobody knows (ATT-102).

/** What one line says. `record` is null when the line is no JSON object; `problems` are fields of a wrong type. */
export type ReadLine = {
  readonly record: Attestation | null
  /** Hash of the line before, null where the line has none (ATT-460). */
  readonly prevSha256: string | null
  readonly problems: readonly string[]
}

/** The line of a record with its newline; keys in the order of ATT-101, empty optional ones left out. */
export function writeLine(record: Attestation, prevSha256: string | null): string {
  const known: Record<string, unknown> = {
    attestation_id: record.id,
    kind: record.kind,
    arrow_id: record.arrowId,
    clause_id: record.clauseId,
    op_id: record.opId,
    attested_by_role: record.attestedByRole,
    source_role: record.sourceRole,
    target_role: record.targetRole,
    verdict: record.verdict,
    reason: record.reason,
    timestamp: rawJson.rawJSON(record.timestamp.toString()),
    grid_version: record.gridVersion,
    pass_id: record.passId,
    context: record.context,
    stratum: record.stratum,
    adversary_role: record.adversaryRole,
    unit: record.unit,
    unit_payload_json: record.unitPayloadJson,
    hint_json: record.hintJson === '{}' ? '' : record.hintJson,
    attestation_ref: record.ref,
    prev_sha256: prevSha256 ?? ''
  }
  const filled = Object.entries(known).filter(([key, value]) => value !== '' || required.has(key))
  return `${JSON.stringify({ ...Object.fromEntries(filled), ...record.unknownKeys })}\n`
}

/** Reads one line, without its newline. Whether the content makes sense is asked elsewhere (`check.ts`) (ATT-102, ATT-103). */
export function readLine(line: string): ReadLine {
  let parsed: unknown
  try {
    parsed = JSON.parse(line, keepDigits)
  } catch (error) {
    // The message of the parser is told to people, who look for the place in the line.
    return { record: null, prevSha256: null, problems: [`json-unmarshal: ${messageOf(error)}`] }
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed) || isRaw(parsed))
    return { record: null, prevSha256: null, problems: ['json-unmarshal: not an object'] }
  return readObject(parsed as Record<string, unknown>)
}

function readObject(fields: Record<string, unknown>): ReadLine {
  const problems: string[] = []
  const text = (key: string): string => {
    const value = fields[key]
    if (value === undefined || value === null) return ''
    if (typeof value === 'string') return value.toWellFormed()
    problems.push(`${key} is not a string`)
    return ''
  }
  const integer = (key: string): bigint => {
    const value = fields[key]
    const digits = isRaw(value) ? value.rawJSON : typeof value === 'number' ? String(value) : ''
    if (/^-?\d{1,19}$/.test(digits)) {
      const read = BigInt(digits)
      if (read === BigInt.asIntN(64, read)) return read
    }
    problems.push(value === undefined ? `${key} is missing` : `${key} is not an integer`)
    return 0n
  }
  const gridVersion = integer('grid_version')
  if (gridVersion < 0n || gridVersion > BigInt(Number.MAX_SAFE_INTEGER)) problems.push('grid_version is out of range')
  const unknown = Object.entries(fields).filter(([key]) => !keys.has(key))
  const record: Attestation = {
    id: text('attestation_id'),
    kind: text('kind') as AttestationKind,
    arrowId: text('arrow_id'),
    clauseId: text('clause_id'),
    opId: text('op_id'),
    attestedByRole: text('attested_by_role'),
    sourceRole: text('source_role'),
    targetRole: text('target_role'),
    verdict: text('verdict') as Verdict,
    reason: text('reason'),
    timestamp: integer('timestamp'),
    gridVersion: Number(gridVersion),
    passId: text('pass_id'),
    context: text('context'),
    stratum: text('stratum'),
    adversaryRole: text('adversary_role'),
    unit: text('unit') as VerdictUnit | '',
    unitPayloadJson: text('unit_payload_json'),
    hintJson: text('hint_json') || '{}',
    ref: text('attestation_ref'),
    ...(unknown.length === 0 ? {} : { unknownKeys: Object.fromEntries(unknown) })
  }
  const prevSha256 = text('prev_sha256') || null
  return { record, prevSha256, problems }
}

const required: ReadonlySet<string> = new Set([
  'attestation_id',
  'kind',
  'arrow_id',
  'op_id',
  'attested_by_role',
  'verdict',
  'timestamp',
  'grid_version'
])

const keys: ReadonlySet<string> = new Set([
  ...required,
  'clause_id',
  'source_role',
  'target_role',
  'reason',
  'pass_id',
  'context',
  'stratum',
  'adversary_role',
  'unit',
  'unit_payload_json',
  'hint_json',
  'attestation_ref',
  'prev_sha256'
])

// Source text access of JSON (ES2026), which the type library does not know yet.
type RawJson = { readonly rawJSON: string }
const rawJson = JSON as unknown as { rawJSON(text: string): RawJson; isRawJSON(value: unknown): boolean }

function isRaw(value: unknown): value is RawJson {
  return rawJson.isRawJSON(value)
}

function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined || context.source === String(value)) return value
  return rawJson.rawJSON(context.source)
}
