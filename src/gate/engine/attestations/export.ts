import { statSync } from 'node:fs'
import { writeFileAtomic } from '../../../platform/atomic-file.ts'
import type { Attestation } from '../../runner/index.ts'
import { inTimeOrder } from '../answers.ts'
import { AttestationFailure } from '../errors.ts'
import { writeLine } from './line.ts'
import { lineHash } from './lines.ts'
import { flatFile, flatOf } from './paths.ts'

/** Replaces the flat file by these records in the order of their times, with a chain of its own (ATT-503). Rejects with `attestation-target-exists`. */
export async function exportFlat(
  projectDir: string,
  records: readonly Attestation[],
  isForced: boolean
): Promise<void> {
  const path = flatOf(projectDir)
  if (!isForced && (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0)
    throw new AttestationFailure('attestation-target-exists', `${flatFile} exists and is not empty`, {
      path: flatFile,
      hint: '--force replaces it'
    })
  await writeFileAtomic(path, chained(inTimeOrder(records)), { mode: 0o644 })
}

/** The lines of one file, each naming the one before it (ATT-460). */
export function chained(records: readonly Attestation[]): string {
  let prev: string | null = null
  return records
    .map((record) => {
      const line = writeLine(record, prev)
      prev = lineHash(Buffer.from(line.slice(0, -1)))
      return line
    })
    .join('')
}
