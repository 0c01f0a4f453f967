import { createHash } from 'node:crypto'
import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AttestationPlace, GateFiles } from '../../gate/runner/index.ts'

/** The gate's own files as ghyll knows them (RUN-214): a tool of the model must not be able to edit its judge. */
export interface WatchedFiles extends GateFiles {
  /** ghyll wrote the grid: what is there now is what it should be. */
  gridWritten(version: number): void
  /** ghyll appended to this file of the project; it may not have another length when the next line follows. */
  appended(file: string): void
}

export type WatchedFilesOptions = {
  readonly projectDir: string
  readonly gridVersion: number
  /** Changes when another program wrote to the store. */
  readonly dataVersion: () => number
  /** Length of each file of the attestation tree as the session found it, by paths relative to the project. */
  readonly treeLengths: ReadonlyMap<string, number>
  /** The file of the tree such a record goes to, null while none can be written. */
  readonly treeFileOf: (place: AttestationPlace) => string | null
}

export function watchGateFiles(options: WatchedFilesOptions): WatchedFiles {
  const { projectDir, gridVersion, dataVersion } = options
  const storeVersion = dataVersion()
  const lengths = new Map<string, number>()
  let grid = gridFiles(gridVersion)
  let digests = grid.map((file) => digestOf(join(projectDir, file)))

  return {
    gridWritten(version) {
      grid = gridFiles(version)
      digests = grid.map((file) => digestOf(join(projectDir, file)))
    },
    appended(file) {
      lengths.set(file, lengthOf(join(projectDir, file)))
    },
    changed(next) {
      for (const [n, file] of grid.entries()) {
        if (digestOf(join(projectDir, file)) !== digests[n]) return { path: file, reason: 'content differs' }
      }
      const nextFile = next === undefined ? null : options.treeFileOf(next)
      if (nextFile !== null && !lengths.has(nextFile)) lengths.set(nextFile, options.treeLengths.get(nextFile) ?? 0)
      for (const [file, length] of lengths) {
        if (lengthOf(join(projectDir, file)) !== length) return { path: file, reason: 'length differs' }
      }
      if (dataVersion() !== storeVersion) return { path: '.ghyll/engine.db', reason: 'another program wrote to it' }
      return null
    }
  }
}

function gridFiles(version: number): readonly string[] {
  return ['.ghyll/grid.current', `.ghyll/grid.v${version}.yaml`]
}

function digestOf(path: string): string {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex')
  } catch {
    return 'unreadable' // gone or hidden: that differs from what was there, which is all that counts
  }
}

/** A file that is not there is as long as an empty one, which a write that failed may leave behind. */
function lengthOf(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.size ?? 0
}
