import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf, systemCodeOf } from '../../lib/error.ts'
import { sha256Hex, sha256Of } from '../../lib/hash.ts'
import { visibleLine } from '../../lib/safe-text.ts'
import { readRegular } from '../../platform/regular-file.ts'
import type { Grid } from '../../protocol/grid.ts'
import type { Catalogue } from '../catalogue/index.ts'
import { GridFailure } from './errors.ts'
import { parseGrid } from './grid-parse.ts'
import { maxYamlBytes } from './safe-yaml.ts'

// `.ghyll/grid.current` holds one line, `v<N>`, and names `grid.v<N>.yaml`. Nothing is guessed: when the two do not fit, reading fails
// with what an operator can do about it, and no pass opens until they did (INIT-84…86).

/** Where a project keeps its grid. */
export const gridFolder = (projectDir: string) => join(projectDir, '.ghyll')
/** The file of one version; its number is the version the file declares (INIT-85). */
export const gridFileName = (version: number) => `grid.v${version}.yaml`
/** The file that names the version in force (INIT-84). */
export const pointerName = 'grid.current'

export type ActiveGrid = {
  readonly grid: Grid
  readonly path: string
  /** Keys of the file that nobody knows; to be reported once (INIT-71). */
  readonly unknownKeys: readonly string[]
  /** SHA-256 of the bytes that were read, by file name: whoever watches the files compares with these and with no later look (RUN-214). */
  readonly digests: GridDigests
}

export type GridDigests = ReadonlyMap<string, string>

/** What the two files hold once ghyll has written `text` as this version and put it in force (RUN-214, INIT-82). */
export function digestsOf(version: number, text: string): GridDigests {
  return new Map([
    [pointerName, sha256Hex(pointerText(version))],
    [gridFileName(version), sha256Hex(text)]
  ])
}

/** The pointer's text (INIT-84). */
export const pointerText = (version: number) => `v${version}\n`

/** The grid in force. Throws `GridFailure` with one of the errors of INIT-85. */
export function readActiveGrid(projectDir: string, catalogue: Catalogue): ActiveGrid {
  const versions = gridVersions(projectDir)
  const { version, sha256 } = readPointer(projectDir, versions)
  if (!versions.includes(version)) throw versionMissing(version)
  const highest = versions.at(-1) ?? version
  if (highest > version)
    throw new GridFailure(
      'grid-inconsistent',
      `grid-inconsistent: ${gridFileName(highest)} exists but ${pointerName} names v${version}; ` +
        `remove it, or run \`ghyll init repoint v${highest}\``
    )
  const { digests, ...read } = readGridVersion(projectDir, version, catalogue)
  return { ...read, digests: new Map([[pointerName, sha256], ...digests]) }
}

/** One version, checked in full (INIT-85). Throws `GridFailure`. */
export function readGridVersion(projectDir: string, version: number, catalogue: Catalogue): ActiveGrid {
  const path = join(gridFolder(projectDir), gridFileName(version))
  const { text, sha256 } = readText(path)
  const read = parseGrid(text, catalogue)
  if ('problem' in read) throw malformed(path, read.problem.text, read.problem.at)
  const { grid, unknownKeys } = read
  if (grid.version !== version)
    throw new GridFailure(
      'grid-version-mismatch',
      `grid file ${path} declares grid-version=${grid.version} but is named v${version}`
    )
  return { grid, path, unknownKeys, digests: new Map([[gridFileName(version), sha256]]) }
}

/** Versions that have a file (links included, for they take the name), ascending (INIT-80). */
export function gridVersions(projectDir: string): readonly number[] {
  return namesIn(gridFolder(projectDir))
    .flatMap((name) => /^grid\.v([1-9]\d{0,14})\.yaml$/.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => a - b)
}

/** A version that was named, by the pointer or by the operator, has no file (INIT-85, INIT-86). */
export function versionMissing(version: number): GridFailure {
  const code = 'grid-current-points-to-missing-version'
  return new GridFailure(code, `${code}: ${gridFileName(version)} not found`)
}

/** Whether something bears the pointer's name, a dangling link included (INIT-80). */
export function hasPointer(projectDir: string): boolean {
  return namesIn(gridFolder(projectDir)).includes(pointerName)
}

/** The version a pointer's text names, or null when it is malformed. White space around the line does not matter (INIT-84). */
function parsePointer(text: string): number | null {
  const digits = /^v([1-9]\d{0,14})$/.exec(text.trim())?.[1]
  return digits === undefined ? null : Number(digits)
}

function readPointer(
  projectDir: string,
  versions: readonly number[]
): { readonly version: number; readonly sha256: string } {
  if (!hasPointer(projectDir)) {
    const found =
      versions.length === 0 ? 'no grid version on disk' : `on disk: ${versions.map((n) => `v${n}`).join(', ')}`
    const hint = versions.length === 0 ? 'run `ghyll init` first' : 'choose one with `ghyll init repoint v<N>`'
    throw new GridFailure('grid-current-absent', `grid-current-absent: ${found}`, { hint })
  }
  const path = join(gridFolder(projectDir), pointerName)
  const { text, sha256 } = readText(path, 4096)
  const version = parsePointer(text)
  if (version !== null) return { version, sha256 }
  const shown = [...visibleLine(text)].slice(0, 64).join('')
  throw new GridFailure('grid-current-malformed', `grid-current-malformed: "${shown}"`)
}

function readText(path: string, limit = maxYamlBytes): { readonly text: string; readonly sha256: string } {
  try {
    const stats = lstatSync(path)
    if (!stats.isFile()) throw malformed(path, 'not a regular file')
    if (stats.size > limit) throw malformed(path, `larger than ${limit} bytes (${stats.size})`)
    const bytes = readRegular(path, limit)
    return { text: bytes.toString('utf8'), sha256: sha256Of(bytes) }
  } catch (error) {
    if (systemCodeOf(error) === undefined || error instanceof GridFailure) throw error
    throw malformed(path, messageOf(error), '', error)
  }
}

function malformed(path: string, problem: string, at = '', cause?: unknown): GridFailure {
  const place = at === '' ? path : `${path}: ${at}`
  return new GridFailure('grid-malformed', `grid-malformed: ${place}: ${problem}`, { cause })
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    const code = systemCodeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw malformed(folder, messageOf(error), '', error)
  }
}
