import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gridText, type InitOptions, initProject, readActiveGrid } from '../../src/gate/bootstrap/index.ts'
import { loadCatalogue } from '../../src/gate/catalogue/index.ts'
import type { Arrow, Binding, Clause, Grid } from '../../src/protocol/grid.ts'
import { makePlace, type Place, type PlaceOptions, twoModels } from './place.ts'

/** The arrow most tests run: its predecessor runs by itself, three of its clauses ask the operator. */
export const askingArrow = 'analyst→architect/default'

/** Clauses of `askingArrow` that ask, in order. */
const askedClauses = ['C11', 'C12', 'C13'] as const

/** What a finished analysis looks like: every machine clause of `askingArrow` passes on it. */
export const analysis: Readonly<Record<string, string>> = {
  'README.md': '# Sample\n',
  'specs/context-map.md': '# Map\n\n## Contexts\n\n- default\n',
  'specs/default/coverage-claim.md': '# Coverage\n\nThe cart and nothing else.\n',
  'specs/default/ubiquitous-language.md': '# Language\n\n## Cart\n\nWhat somebody means to buy.\n',
  'specs/default/invariants.md': '# Rules\n\n## Invariants\n\n- total of a cart >= 0\n',
  'specs/default/features/total.feature': '@id:total\nFeature: total\n  Scenario: two apples cost 2.00\n'
}

export type GatePlaceOptions = PlaceOptions & {
  /** The default grid as it is, sensitive clauses and all. */
  readonly isSensitive?: boolean
  readonly opId?: string
  /** Shell line of a program that a further machine clause of the asking arrow runs, `C4`. */
  readonly program?: string
}

/**
 * A place after `ghyll init` where robust questions of the project's own stand in place of the roles' sensitive ones, so that they ask
 * the operator without a model. The asking arrow has three of them, which is what a test wants to answer.
 */
export async function makeGatePlace({
  isSensitive = false,
  opId = 'alice@example.com',
  program,
  files = analysis,
  config = twoModels('http://127.0.0.1:9/v1'),
  ...rest
}: GatePlaceOptions = {}): Promise<Place> {
  const place = await makePlace({ files, config, ...rest })
  const result = await initProject(
    { ...initOptions, dir: place.project, opId },
    {
      guidelines: { names: () => [], text: () => null },
      env: place.env,
      now: Date.now,
      drive: async (start) => start
    }
  )
  if (result.exitCode !== 0) throw new Error(`init: ${result.error}`)
  if (!isSensitive) rewriteGrid(place, (grid) => ({ ...grid, arrows: grid.arrows.map(robust) }))
  if (program !== undefined) rewriteGrid(place, (grid) => withProgram(grid, program))
  return place
}

const initOptions: InitOptions = {
  dir: '.',
  shownDir: '.',
  opId: '',
  language: 'auto',
  forceTraits: false,
  interactive: false,
  contexts: [],
  bindings: [],
  settings: [],
  fit: null,
  overrideRefusal: null,
  dryRun: false
}

/** Rewrites the grid in force before anything relies on it. */
function rewriteGrid(place: Place, change: (grid: Grid) => Grid): void {
  const { grid, path } = readActiveGrid(place.project, loadCatalogue())
  writeFileSync(path, gridText(change(grid)))
}

function withProgram(grid: Grid, command: string): Grid {
  const binding: Binding = { command, protocol: 'exit', timeoutMs: 60_000, env: [], extractor: null, mapper: null }
  const extend = (arrow: Arrow): Arrow => {
    const [like] = arrow.clauses
    if (arrow.id !== askingArrow || like === undefined) return arrow
    const args = { scope: 'specs/**', language: 'markdown' }
    return { ...arrow, clauses: [{ ...like, id: 'C4', concept: 'compiles', args }, ...arrow.clauses] }
  }
  return { ...grid, languageBindings: { 'compiles.markdown': binding }, arrows: grid.arrows.map(extend) }
}

function robust(arrow: Arrow): Arrow {
  const asked: readonly string[] = askedClauses
  const kept = arrow.clauses.filter(
    ({ id, eval: type }) => arrow.id !== askingArrow || type === 'machine' || asked.includes(id)
  )
  return { ...arrow, stratum: 'L0', clauses: kept.map(ownQuestion) }
}

/** A role's own clause could not be made robust (ROLE-37); what a project asks beside it may be. */
function ownQuestion(clause: Clause): Clause {
  if (clause.eval === 'machine') return clause
  return { ...clause, depth: 'depth-robust', minTier: 0, source: 'operator-extension' }
}

/** Text of a file of the project's `.ghyll`. */
export function gateFile(place: Place, name: string): string {
  return readFileSync(join(place.project, '.ghyll', name), 'utf8')
}
