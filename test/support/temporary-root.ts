import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Every temporary folder of a run lies in one, which goes when the run ends: also those of killed processes and of tests that did
 * not come to their end. Test processes and what they start find it by `TMPDIR`.
 */
export function setup(): () => void {
  const before = process.env.TMPDIR
  const root = mkdtempSync(join(tmpdir(), 'ghyll-'))
  // Open to others: what a test does as nobody has to get through (`unprivileged`).
  chmodSync(root, 0o755)
  process.env.TMPDIR = root
  return () => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  }
}
