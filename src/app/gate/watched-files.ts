import { createHash } from 'node:crypto'
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { GateFiles } from '../../gate/runner/index.ts'
import { systemCodeOf } from '../../lib/error.ts'
import { readRegular } from '../../platform/regular-file.ts'

/** The gate's own files as ghyll knows them (RUN-214): a tool of the model must not be able to edit its judge. */
export interface WatchedFiles extends GateFiles {
  /** ghyll wrote the grid: what is there now is what it should be. */
  gridWritten(version: number): void
  /** ghyll appended to this file of the project; nobody else may have written to it when the next line follows. */
  appended(file: string): void
}

export type WatchedFilesOptions = {
  readonly projectDir: string
  readonly gridVersion: number
  /** Changes when another program wrote to the store. */
  readonly dataVersion: () => number
  /** Length of each file of the attestation tree as the session found it, by paths relative to the project. */
  readonly treeLengths: ReadonlyMap<string, number>
}

/** Where verdicts are kept: the tree that the next start believes (ATT-400), and the flat file that an audit reads (ATT-450). */
const verdictTree = '.ghyll/attestations'
export const verdictsFlat = '.ghyll/attestations.jsonl'

/**
 * Watches them from now on. Besides the file the next verdict goes to, all other records are watched as well: a line somebody puts beside
 * them would be a verdict at the next start (RUN-214).
 */
export function watchGateFiles(options: WatchedFilesOptions): WatchedFiles {
  const { projectDir, gridVersion, dataVersion } = options
  const storeVersion = dataVersion()
  const stampOf = (file: string) => stampAt(join(projectDir, file))
  const stamps = new Map<string, Stamp>([[verdictsFlat, stampOf(verdictsFlat)]])
  for (const [file, length] of options.treeLengths) stamps.set(file, { ...stampOf(file), length })
  let grid = gridFiles(gridVersion)
  let digests = grid.map((file) => digestOf(join(projectDir, file)))

  return {
    gridWritten(version) {
      grid = gridFiles(version)
      digests = grid.map((file) => digestOf(join(projectDir, file)))
    },
    appended(file) {
      stamps.set(file, stampOf(file))
    },
    changed() {
      for (const [n, file] of grid.entries()) {
        if (digestOf(join(projectDir, file)) !== digests[n]) return { path: file, reason: 'content differs' }
      }
      const records = recordFiles(projectDir)
      if (records === null) return { path: verdictTree, reason: 'unreadable' }
      for (const file of new Set([...stamps.keys(), ...records])) {
        const now = stampOf(file)
        const known = stamps.get(file) ?? absent
        if (now.length !== known.length) return { path: file, reason: 'length differs' }
        if (now.written !== known.written && now.length > 0) return { path: file, reason: 'written to' }
      }
      if (dataVersion() !== storeVersion) return { path: '.ghyll/engine.db', reason: 'another program wrote to it' }
      return null
    }
  }
}

function gridFiles(version: number): readonly string[] {
  return ['.ghyll/grid.current', `.ghyll/grid.v${version}.yaml`]
}

/** The files of the tree that a start would read, or null when nobody can tell. */
function recordFiles(projectDir: string): readonly string[] | null {
  try {
    return readdirSync(join(projectDir, verdictTree), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => `${verdictTree}/${name}`)
  } catch (error) {
    return systemCodeOf(error) === 'ENOENT' ? [] : null
  }
}

/** More than any grid that was loaded; bytes. */
const maxGridBytes = 16 * 1024 * 1024

function digestOf(path: string): string {
  try {
    return createHash('sha256').update(readRegular(path, maxGridBytes)).digest('hex')
  } catch {
    return 'unreadable' // gone, hidden or no file any more: that differs from what was there, which is all that counts
  }
}

/**
 * What tells that somebody wrote to a file of records: its length in bytes, and when the system last saw it change, in nanoseconds, which
 * an edit that keeps the length (`fail` and `pass` are equally long) cannot set back.
 */
type Stamp = { readonly length: number; readonly written: bigint }

/** A file that is not there is as long as an empty one, which a write that failed may leave behind. */
const absent: Stamp = { length: 0, written: 0n }

function stampAt(path: string): Stamp {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? absent : { length: Number(stats.size), written: stats.ctimeNs }
}
