import type { Grid } from '../../protocol/grid.ts'
import type { Catalogue } from '../catalogue/index.ts'
import { type Amended, addLanguage, bindClause, type Stamp, skipClause } from './amend.ts'
import { pairsOf } from './answers.ts'
import { InitFailure } from './errors.ts'
import { readActiveGrid } from './grid-file.ts'
import { repoint, writeGrid } from './grid-write.ts'
import { checkedCatalogue, checkedOpId, timestamp, withLock } from './preliminaries.ts'
import { checkProjectDir, profileProject } from './profile.ts'
import { applyRetention } from './retention.ts'

// The acts on a grid that exists: amend a deferred clause, restore a pointer, look before attesting. All under the lock of INIT-81.

export type AmendOptions = {
  readonly dir: string
  readonly shownDir: string
  readonly opId: string
  readonly act: 'bind' | 'skip' | 'language'
  /** What follows the act on the command line. */
  readonly words: readonly string[]
}

export type Done = { readonly out: readonly string[]; readonly advisories: readonly string[] }

/** `ghyll init amend` (INIT-133…135). Throws `InitFailure` and `GridFailure`; the grid then is as it was. */
export async function amendProject(options: AmendOptions, now: () => number): Promise<Done> {
  const opId = checkedOpId(options.opId)
  const { dir, shownDir } = options
  checkProjectDir(dir, shownDir)
  const catalogue = checkedCatalogue()
  const stamp = { opId, createdAt: timestamp(now()) }
  return withLock(dir, async () => {
    const { grid, unknownKeys } = readActiveGrid(dir, catalogue)
    const { grid: next, text } = await amended(grid, options, catalogue, stamp)
    writeGrid(dir, next, catalogue)
    const { warnings } = applyRetention(dir, next.retention, new Set([grid.version, next.version]), now())
    return { out: [`grid v${next.version}: ${text}`], advisories: [...unknownKeyLines(unknownKeys), ...warnings] }
  })
}

/** Told once per act, kept in the file (INIT-71). */
function unknownKeyLines(keys: readonly string[]): readonly string[] {
  return keys.length === 0 ? [] : [`keys nobody knows, kept as they are: ${keys.join(', ')}`]
}

async function amended(grid: Grid, options: AmendOptions, catalogue: Catalogue, stamp: Stamp): Promise<Amended> {
  const [first, second, ...rest] = options.words
  if (options.act === 'language') {
    if (first === undefined || second !== undefined)
      throw new InitFailure('amend language takes <language-id>', 'usage')
    return addLanguage(grid, first, await profileProject(options.dir, options.shownDir), catalogue, stamp)
  }
  if (first === undefined || second === undefined)
    throw new InitFailure(`amend ${options.act} takes <arrow-id> <clause-id> …`, 'usage')
  if (options.act === 'skip') return skipClause(grid, first, second, rest.join(' '), stamp)
  const pairs = pairsOf(rest)
  if (typeof pairs === 'string') throw new InitFailure(pairs, 'usage')
  return bindClause(grid, first, second, pairs, catalogue, stamp)
}

export type GridOptions = { readonly dir: string; readonly shownDir: string; readonly opId: string }

/** `ghyll init repoint v<N>` (INIT-86). Throws `InitFailure` and `GridFailure`. */
export async function repointProject(options: GridOptions & { readonly version: string }): Promise<Done> {
  checkedOpId(options.opId)
  checkProjectDir(options.dir, options.shownDir)
  const version = /^v([1-9]\d{0,14})$/.exec(options.version)?.[1]
  if (version === undefined) throw new InitFailure(`repoint takes v<N>, not "${options.version}"`, 'usage')
  const catalogue = checkedCatalogue()
  await withLock(options.dir, () => repoint(options.dir, Number(version), catalogue))
  return { out: [`grid.current names v${version}`], advisories: [] }
}

/** What `ghyll init attest` needs before anything is recorded: a sound op-id and a grid with arrows (INIT-123). */
export function gridToAttest(options: GridOptions): { readonly opId: string; readonly grid: Grid } {
  const opId = checkedOpId(options.opId)
  checkProjectDir(options.dir, options.shownDir)
  const { grid } = readActiveGrid(options.dir, checkedCatalogue())
  if (grid.arrows.length === 0) throw new InitFailure('grid has no arrows; nothing to attest')
  return { opId, grid }
}
