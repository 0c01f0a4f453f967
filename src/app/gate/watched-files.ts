import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { GridDigests } from '../../gate/bootstrap/index.ts'
import type { Append, Engine } from '../../gate/engine/index.ts'
import type { GateFiles } from '../../gate/runner/index.ts'
import { systemCodeOf } from '../../lib/error.ts'
import { sha256Of } from '../../lib/hash.ts'
import { type FileStamp, noFile, stampAt } from '../../platform/file-stamp.ts'
import { readRegular } from '../../platform/regular-file.ts'

/** The gate's own files as ghyll knows them (RUN-214): a tool of the model must not be able to edit its judge. */
export interface WatchedFiles extends GateFiles {
  /** ghyll wrote the grid: this is what its files should hold. */
  gridWritten(digests: GridDigests): void
  /**
   * ghyll appended to this file of the project, or tried to. Only what stood there when it began is taken for what was known: a line that
   * somebody put before ours in the meantime stays one of somebody else.
   */
  appended(file: string, append: Append): void
}

export type WatchedFilesOptions = {
  readonly projectDir: string
  /** Of the files as they were read. */
  readonly gridDigests: GridDigests
  readonly storeChanged: Engine['storeChanged']
  /** Length of each file of the attestation tree as the session found it, by paths relative to the project. */
  readonly treeLengths: ReadonlyMap<string, number>
}

/** Where verdicts are kept: the tree that the next start believes (ATT-400), and the flat file that an audit reads (ATT-450). */
const verdictTree = '.ghyll/attestations'
const verdictsFlat = '.ghyll/attestations.jsonl'

/**
 * Watches them from now on. Besides the file the next verdict goes to, all other records are watched as well: a line somebody puts beside
 * them would be a verdict at the next start (RUN-214).
 */
export function watchGateFiles(options: WatchedFilesOptions): WatchedFiles {
  const { projectDir, storeChanged } = options
  const stampOf = (file: string) => stampAt(join(projectDir, file))
  const stamps = new Map<string, FileStamp>([[verdictsFlat, stampOf(verdictsFlat)]])
  for (const [file, length] of options.treeLengths) stamps.set(file, { ...stampOf(file), length })
  let digests = options.gridDigests

  return {
    gridWritten(written) {
      digests = written
    },
    appended(file, { found, left }) {
      if (isSame(stamps.get(file) ?? noFile, found)) stamps.set(file, left)
    },
    changed() {
      for (const [name, digest] of digests) {
        const file = `.ghyll/${name}`
        if (digestOf(join(projectDir, file)) !== digest) return { path: file, reason: 'content differs' }
      }
      const records = recordFiles(projectDir)
      if (records === null) return { path: verdictTree, reason: 'unreadable' }
      for (const file of new Set([...stamps.keys(), ...records])) {
        const now = stampOf(file)
        const known = stamps.get(file) ?? noFile
        if (!isSame(known, now))
          return { path: file, reason: now.length === known.length ? 'written to' : 'length differs' }
      }
      return storeChanged()
    }
  }
}

/** An empty file is none: a write that failed may leave one behind. */
function isSame(known: FileStamp, now: FileStamp): boolean {
  return now.length === known.length && (now.length === 0 || now.changedNs === known.changedNs)
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
    return sha256Of(readRegular(path, maxGridBytes))
  } catch {
    return 'unreadable' // gone, hidden or no file any more: that differs from what was there, which is all that counts
  }
}
