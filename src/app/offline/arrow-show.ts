import type { Database } from 'better-sqlite3'
import type { CliIo } from '../../cli/io.ts'
import { printError, printWarning } from '../../cli/print.ts'
import {
  type ArrowView,
  AttestationFailure,
  arrowJson,
  arrowLines,
  loadTree,
  showArrow
} from '../../gate/engine/index.ts'
import { type Attestation, normaliseArrowId, type Outdated } from '../../gate/runner/index.ts'
import { messageOf } from '../../lib/error.ts'
import type { Grid } from '../../protocol/grid.ts'
import { outdatedOnDisk } from '../gate/outdated.ts'
import { answer, gridOrNull, type OfflineOptions, placeOf, readGrid, readStore, recordsOfTable } from './support.ts'

/** `ghyll arrow show` (OPUI-650) */
export async function runArrowShow(options: OfflineOptions & { readonly arrow: string }, io: CliIo): Promise<number> {
  const { dir } = placeOf(options)
  const arrowId = normaliseArrowId(options.arrow)
  const { grid, found } = readStore(dir, (db) => {
    const grid = db === null ? readGrid(dir) : gridOrNull(dir)
    return { grid, found: showArrow({ db, grid, attestations: verdictsOf(dir, db, io), arrowId }) }
  })
  if (found.kind === 'unknown') {
    // Nothing in the table and no grid either: what is wrong with the grid is what the operator has to know.
    if (found.arrows === 0 && grid === null) readGrid(dir)
    const place = `grid version=${found.gridVersion}, ${found.arrows} total arrows`
    printError(io, `arrow "${arrowId}" not in grid (${place})`)
    return 1
  }
  const { view } = found
  const isAsked = options.verbose || options.json
  const outdated = isAsked ? await outdatedHere(dir, grid, view, options.timeoutMs, io) : null
  return answer(io, options, arrowJson(view, outdated), arrowLines(view, { isVerbose: options.verbose, outdated }))
}

/** Whether what a valid arrow was verified on has moved since (RUN-252). */
async function outdatedHere(
  dir: string,
  grid: Grid | null,
  { definition, isValid, effective }: ArrowView,
  timeoutMs: number,
  io: CliIo
): Promise<Outdated | null> {
  const arrow = grid?.arrows.find(({ id }) => id === definition.id)
  if (!isValid || arrow === undefined) return null
  try {
    return await outdatedOnDisk(dir, arrow, effective, { env: io.env, timeoutMs })
  } catch (error) {
    printWarning(io, `its artifact could not be looked at: ${messageOf(error)}`)
    return null
  }
}

/** Verdicts from the tree, which is the truth; from the table, with a warning, when the tree cannot be read. */
function verdictsOf(dir: string, db: Database | null, io: CliIo): readonly Attestation[] {
  const table = recordsOfTable(db)
  try {
    return loadTree(dir, table.length > 0).records
  } catch (error) {
    if (!(error instanceof AttestationFailure)) throw error
    printWarning(io, `${error.message}; attestations are shown from the table`)
    return table
  }
}
