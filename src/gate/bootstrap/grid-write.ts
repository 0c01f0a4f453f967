import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { assert } from '../../lib/assert.ts'
import { messageOf, systemCodeOf } from '../../lib/error.ts'
import type { Grid } from '../../protocol/grid.ts'
import type { Catalogue } from '../catalogue/index.ts'
import { GridFailure } from './errors.ts'
import { type GridDisk, systemDisk } from './grid-disk.ts'
import {
  digestsOf,
  type GridDigests,
  gridFileName,
  gridFolder,
  gridVersions,
  pointerName,
  pointerText,
  readGridVersion,
  versionMissing
} from './grid-file.ts'
import { parseGrid } from './grid-parse.ts'
import { gridText } from './grid-text.ts'

/**
 * Writes `grid` as its version and makes it the one in force, in the order of INIT-82: after a crash between any two steps the pointer
 * names the old version or the new one, and a file that bears its final name is whole. The caller holds the locks of INIT-81. Answers what
 * the two files hold from here on, by their digests (RUN-214). Throws `GridFailure`; the project then is at the version it had (INIT-83).
 */
export function writeGrid(
  projectDir: string,
  grid: Grid,
  catalogue: Catalogue,
  disk: GridDisk = systemDisk
): GridDigests {
  const content = gridText(grid)
  const back = parseGrid(content, catalogue)
  assert('grid' in back && isDeepStrictEqual(back.grid, grid), `grid v${grid.version} does not read back as written`)
  const folder = gridFolder(projectDir)
  const name = gridFileName(grid.version)
  if (gridVersions(projectDir).includes(grid.version)) throw alreadyExists(name)
  const temporary = join(folder, `${name}.tmp`)
  const final = join(folder, name)
  /** What has to go again when a later step fails. */
  let written: string | null = null
  let isTaken = false
  try {
    prepare(folder, disk) // step 1
    disk.create(temporary, content) // 2
    written = temporary
    disk.syncFile(temporary) // 3
    disk.syncFolder(folder) // 4
    isTaken = !publish(temporary, final, disk) // 5
    if (!isTaken) {
      written = final
      disk.syncFolder(folder) // 6
      writePointer(folder, grid.version, disk) // 7, 8
      written = null
      disk.syncFolder(folder) // 9
    }
  } catch (error) {
    throw writeFailed(error)
  } finally {
    if (written !== null) takeBack(written, disk)
  }
  if (isTaken) throw alreadyExists(name)
  return digestsOf(grid.version, content)
}

/** False when the name was taken meanwhile (INIT-83). */
function publish(from: string, to: string, disk: GridDisk): boolean {
  try {
    disk.publish(from, to)
    return true
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Makes `version` the one in force after its file was checked in full (INIT-86, steps 7–9). Throws `GridFailure`. */
export function repoint(projectDir: string, version: number, catalogue: Catalogue, disk: GridDisk = systemDisk): void {
  if (!gridVersions(projectDir).includes(version)) throw versionMissing(version)
  readGridVersion(projectDir, version, catalogue)
  const folder = gridFolder(projectDir)
  try {
    removeLeftovers(folder, disk)
    writePointer(folder, version, disk)
    disk.syncFolder(folder)
  } catch (error) {
    throw writeFailed(error)
  }
}

/** Removes what an interrupted write left, regular files only (INIT-82 step 1; also at a session's start). */
export function removeLeftovers(folder: string, disk: GridDisk = systemDisk): void {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    if (!/^grid\.(?:v.*\.yaml|current)\.tmp$/.test(name)) continue
    const path = join(folder, name)
    if (lstatSync(path).isFile()) disk.remove(path)
  }
}

function prepare(folder: string, disk: GridDisk): void {
  const stats = lstatSync(folder, { throwIfNoEntry: false })
  if (stats === undefined) disk.makeFolder(folder)
  else if (!stats.isDirectory()) throw new Error(`${folder} is not a directory`)
  else removeLeftovers(folder, disk)
}

function writePointer(folder: string, version: number, disk: GridDisk): void {
  const temporary = join(folder, `${pointerName}.tmp`)
  disk.create(temporary, pointerText(version))
  try {
    disk.syncFile(temporary)
    disk.replace(temporary, join(folder, pointerName))
  } catch (error) {
    takeBack(temporary, disk)
    throw error
  }
}

function takeBack(path: string, disk: GridDisk): void {
  try {
    disk.remove(path)
  } catch {
    // The failure that led here is the one to tell; the next write removes what is left.
  }
}

function alreadyExists(name: string): GridFailure {
  return new GridFailure('grid-version-already-exists', `grid-version-already-exists: ${name}`)
}

function writeFailed(cause: unknown): GridFailure {
  return new GridFailure('grid-write-failed', `grid-write-failed: ${messageOf(cause)}`, { cause })
}
