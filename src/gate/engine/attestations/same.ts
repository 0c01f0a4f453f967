import { isDeepStrictEqual } from 'node:util'
import type { Attestation } from '../../runner/index.ts'

/** Whether two records say the same: every field, payloads by value, unknown keys left out (ATT-103). */
export function sameRecord(a: Attestation, b: Attestation): boolean {
  return isDeepStrictEqual(comparable(a), comparable(b))
}

function comparable({ unknownKeys: _, ...record }: Attestation): object {
  return {
    ...record,
    hintJson: payloadOf(record.hintJson === '' ? '{}' : record.hintJson),
    unitPayloadJson: payloadOf(record.unitPayloadJson)
  }
}

function payloadOf(text: string): unknown {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return text // no JSON: as it stands
  }
}
