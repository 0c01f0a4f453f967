import { byteLength } from '../../../lib/cap-text.ts'
import type { Verdict, VerdictUnit } from '../../../protocol/gate.ts'
import { type Refusal, refusal } from '../refusal.ts'

// The act that goes with a verdict, and what it leaves behind (ATT-331…334).

export const verdictUnits = ['confirm', 'record-locations-inspected', 'write-residue-note'] as const

/** Largest residue note when the grid does not say otherwise, in bytes of UTF-8. */
export const defaultResidueMaxBytes = 16_384

/** The cap in force; one of 0 or less is rejected by the grid, and here the default holds (ATT-334). */
export function residueCap(given: number | undefined): number {
  return given !== undefined && given > 0 ? given : defaultResidueMaxBytes
}

export type UnitRefusal = Refusal<
  'verdict-unit-invalid' | 'verdict-unit-missing-field' | 'verdict-inspected-empty' | 'verdict-residue-too-long'
>

/** The unit a verdict is recorded with; both answers to an escalation write a note (ATT-332). */
export function unitOf(verdict: Verdict, isEscalation = false): VerdictUnit {
  if (isEscalation || verdict === 'insufficient-basis') return 'write-residue-note'
  return verdict === 'pass' ? 'confirm' : 'record-locations-inspected'
}

/** What is wrong with a payload for its unit, or null. A payload holds nothing but its own unit's field (ATT-333). */
export function unitProblem(
  unit: string,
  payloadJson: string,
  residueMaxBytes: number = defaultResidueMaxBytes
): UnitRefusal | null {
  if (!verdictUnits.some((known) => known === unit))
    return refusal('verdict-unit-invalid', `verdict-unit-invalid: "${unit}"`)
  const payload = objectOf(payloadJson)
  if (payload === null) return missing('payload is no JSON object')
  const { inspected, residue } = payload
  if (unit === 'confirm')
    return inspected === undefined && residue === undefined ? null : missing('confirm payload must be empty')
  if (unit === 'record-locations-inspected') {
    if (residue !== undefined) return missing('inspected locations come without residue')
    return isInspected(inspected) ? null : refusal('verdict-inspected-empty', 'verdict-inspected-empty: inspected')
  }
  if (inspected !== undefined) return missing('a residue note comes without inspected')
  if (typeof residue !== 'string' || residue.trim() === '') return missing('residue')
  const size = byteLength(residue)
  const max = residueCap(residueMaxBytes)
  return size <= max ? null : refusal('verdict-residue-too-long', `verdict-residue-too-long: ${size} > ${max}`)
}

/** The payload for a unit from what was typed: nothing, locations separated by commas, or a note (OPUI-211, OPUI-423). */
export function payloadOf(unit: VerdictUnit, text: string): string {
  if (unit === 'confirm') return '{}'
  if (unit === 'write-residue-note') return JSON.stringify({ residue: text })
  const inspected = text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
  return JSON.stringify({ inspected })
}

/** The note a record left behind, or null (OPUI-431). */
export function residueNote(payloadJson: string): string | null {
  const residue = objectOf(payloadJson)?.residue
  return typeof residue === 'string' ? residue : null
}

/** A text as a JSON object, or null (ATT-320). */
export function objectOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    // Not JSON at all: the same answer as for JSON that is no object.
    return null
  }
}

function isInspected(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((each) => typeof each === 'string' && each.trim() !== '' && each === each.trim())
  )
}

function missing(what: string): UnitRefusal {
  return refusal('verdict-unit-missing-field', `verdict-unit-missing-field: ${what}`)
}
