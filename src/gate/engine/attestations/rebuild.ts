import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { syncFolder } from '../../../platform/atomic-file.ts'
import type { Attestation } from '../../runner/index.ts'
import { inTimeOrder } from '../answers.ts'
import { chained } from './export.ts'
import { encodePath } from './path.ts'
import { gateFolder, treeRoot } from './paths.ts'

export type Rebuilt = {
  readonly files: number
  /** Where the tree that stood there was put, relative to the project; null when there was none. */
  readonly replaced: string | null
}

/**
 * Writes the tree anew from records of the table (ATT-503): aside first, synced, then in its place. A tree that is there is kept under
 * another name, for it may hold what the table does not. Throws the system's error.
 */
export function rebuildTree(projectDir: string, records: readonly Attestation[], stamp: string): Rebuilt {
  const aside = join(projectDir, `${treeRoot}.rebuilding`)
  const root = join(projectDir, treeRoot)
  rmSync(aside, { recursive: true, force: true })
  const files = Map.groupBy(inTimeOrder(records), pathOf)
  const folders = new Set<string>([aside])
  mkdirSync(aside, { recursive: true, mode: 0o755 })
  for (const [path, group] of files) {
    const file = join(aside, path)
    mkdirSync(dirname(file), { recursive: true, mode: 0o755 })
    writeSynced(file, chained(group))
    for (let folder = dirname(file); folder !== aside; folder = dirname(folder)) folders.add(folder)
  }
  for (const folder of folders) syncFolder(folder)

  const replaced = existsSync(root) ? `${treeRoot}.replaced-${stamp.replace(/[^0-9TZ]/g, '')}` : null
  if (replaced !== null) renameSync(root, join(projectDir, replaced))
  renameSync(aside, root)
  syncFolder(join(projectDir, gateFolder))
  return { files: files.size, replaced }
}

/** Legacy rows name no pass; they get a file of their own, so that none of them is lost. */
function pathOf(record: Attestation): string {
  return encodePath(record.passId === '' ? { ...record, passId: 'legacy' } : record).segments.join('/')
}

function writeSynced(path: string, text: string): void {
  const descriptor = openSync(path, 'wx', 0o644)
  try {
    writeFileSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
