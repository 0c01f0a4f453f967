import { closeSync, constants, fstatSync, fsyncSync, ftruncateSync } from 'node:fs'
import { join } from 'node:path'
import { endOfWholeLines, openRegular } from './append.ts'
import type { TornTail } from './load.ts'

/**
 * Cuts the torn tails that `loadTree` found back to the last newline, and syncs, before anything is written behind them (ATT-501).
 * Answers what was cut. Throws `attestation-tree-symlink`, with the link's target untouched, or the system's error.
 */
export function cutTornTails(projectDir: string, torn: readonly TornTail[]): readonly TornTail[] {
  return torn.flatMap(({ file }) => {
    const descriptor = openRegular(join(projectDir, file), constants.O_RDWR)
    try {
      const offset = endOfWholeLines(descriptor)
      if (offset === fstatSync(descriptor).size) return []
      ftruncateSync(descriptor, offset)
      fsyncSync(descriptor)
      return [{ file, offset }]
    } finally {
      closeSync(descriptor)
    }
  })
}
