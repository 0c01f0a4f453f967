import { join, normalize } from 'node:path'
import { messageOf } from '../../lib/error.ts'
import { writeFileAtomic } from '../../platform/atomic-file.ts'
import type { Grid } from '../../protocol/grid.ts'
import { assembleGrid } from './assemble.ts'
import { auditGrid } from './audit.ts'
import { declaredBindings, notFoundLines } from './bindings.ts'
import { declaredContexts, defaultContext } from './contexts.ts'
import { divergenceText, findDivergences } from './divergence.ts'
import { InitFailure } from './errors.ts'
import { checkFit, parseFit, unknownFit } from './fit.ts'
import { gridFileName, gridFolder, gridVersions, hasPointer, pointerName } from './grid-file.ts'
import { gridText } from './grid-text.ts'
import { writeGrid } from './grid-write.ts'
import { checkedCatalogue, checkedOpId, timestamp, withLock } from './preliminaries.ts'
import { checkProjectDir, type Profile, profileProject } from './profile.ts'
import type { ProjectFacts } from './proposal.ts'
import { readSettings } from './settings.ts'
import { explicitLanguages, type Guidelines, traitLanguages, traitsPath, writeTraits } from './traits.ts'
import { decideAutomatically, incompleteText } from './verdicts.ts'
import { answerWizard, startWizard, type WizardSetup, type WizardState } from './wizard.ts'

// `ghyll init`: everything is checked and decided before anything is written.

export type InitOptions = {
  /** As typed; `shownDir` names it in messages. */
  readonly dir: string
  readonly shownDir: string
  readonly opId: string
  readonly language: string
  readonly forceTraits: boolean
  readonly interactive: boolean
  readonly contexts: readonly string[]
  readonly bindings: readonly string[]
  readonly settings: readonly string[]
  readonly fit: string | null
  readonly overrideRefusal: string | null
  readonly dryRun: boolean
}

export type InitPorts = {
  readonly guidelines: Guidelines
  readonly env: NodeJS.ProcessEnv
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Leads the wizard to its end, on a screen or line by line; only called for `interactive`. */
  readonly drive: (start: WizardState) => Promise<WizardState>
}

export type InitResult = {
  readonly exitCode: 0 | 1 | 3
  /** For standard output. */
  readonly out: readonly string[]
  /** For standard error, each with `⚠ ` before it. */
  readonly advisories: readonly string[]
  /** For standard error, after the name of the command; null when there is none. */
  readonly error: string | null
}

/** Makes the first grid of a project (INIT-24…44, INIT-80…104). Throws `InitFailure` and `GridFailure`; nothing is written then. */
export async function initProject(options: InitOptions, ports: InitPorts): Promise<InitResult> {
  const flags = readFlags(options, ports.guidelines)
  checkProjectDir(options.dir, options.shownDir)
  const existing = existingGrid(options)
  // What writes nothing has nothing to rewrite either.
  if (existing !== null && (options.dryRun || !options.forceTraits)) throw new InitFailure(existing.refusal)
  const profile = await profileProject(options.dir, options.shownDir)
  const traits = traitLanguages(options.language, profile.languages, ports.guidelines)
  if (existing !== null) return rewriteTraits(options, traits, ports, existing.path)

  const setup = setupOf(options, flags, profile)
  const ended = options.interactive ? await ports.drive(startWizard(setup)) : runAlone(setup)
  if (ended.step === 'quit') return nothingWritten(1, 'abandoned; nothing was written')
  if (ended.step === 'refused') return nothingWritten(3, 'refusal accepted; nothing was written')
  if (ended.refusal?.kind === 'proposed') return nothingWritten(3, ended.refusal.text)

  const grid = gridOf(flags, ended, ports.now())
  const audit = auditGrid(grid, ended.verdicts.arrows, { dir: options.dir, profile }, flags.catalogue)
  if (audit.errors.length > 0) throw new InitFailure(`audit: ${audit.errors.join('; ')}`)
  const advisories = [
    ...fitAdvisories(ended),
    ...(await notFoundLines(flags.bindings, ports.env)),
    ...profile.tree.unreadable.map((folder) => `cannot read ${folder}/`)
  ]
  const audited = audit.advisories.map((line) => `audit: ${line}`)
  if (options.dryRun) return { exitCode: 0, out: dryRun(grid, audited), advisories, error: null }

  await withLock(options.dir, () => writeGrid(options.dir, grid, flags.catalogue))
  const written = { out: summary(options, grid), advisories: [...advisories, ...audited] }
  try {
    const more = [...(await traitLines(options, traits, ports)), ...(await divergenceLines(options, profile, ended))]
    return { exitCode: 0, out: [...written.out, ...more], advisories: written.advisories, error: null }
  } catch (error) {
    if (!(error instanceof InitFailure)) throw error
    return { exitCode: 1, ...written, error: `grid written; traits failed: ${error.message}` }
  }
}

type Flags = ReturnType<typeof readFlags>

/** Everything the command line says, checked before the project is looked at (INIT-5). */
function readFlags(options: InitOptions, guidelines: Guidelines) {
  const opId = checkedOpId(options.opId)
  const catalogue = checkedCatalogue()
  const settings = readSettings(options.settings)
  const bindings = declaredBindings(options.bindings, catalogue)
  const fit = options.fit === null ? unknownFit : parseFit(options.fit)
  const contexts = options.contexts.length === 0 ? null : declaredContexts(options.contexts)
  if (options.overrideRefusal?.trim() === '') throw new InitFailure('refusal-override-residue-required')
  // Only to have a wrong list told now; what is detected is not known yet.
  traitLanguages(options.language, [], guidelines)
  return { opId, catalogue, settings, bindings, fit, contexts }
}

function setupOf({ language, overrideRefusal }: InitOptions, flags: Flags, profile: Profile): WizardSetup {
  const { catalogue, settings, bindings, fit, contexts } = flags
  const languages = [...new Set([...profile.languages, ...explicitLanguages(language)])].toSorted()
  const facts: ProjectFacts = { profile, languages, bindings: new Set(Object.keys(bindings)) }
  const rules = { catalogue, residueNoteMaxBytes: settings.settings.residueNoteMaxBytes }
  return { facts, rules, contexts, fit, override: overrideRefusal }
}

function gridOf({ opId, catalogue, settings, bindings }: Flags, ended: WizardState, now: number): Grid {
  return assembleGrid(
    {
      verdicts: ended.verdicts,
      contexts: ended.contexts,
      facts: ended.setup.facts,
      settings,
      bindings,
      refusalOverride: ended.refusal?.kind === 'overridden' ? ended.refusal.reason : null,
      residue: ended.residue,
      opId,
      createdAt: timestamp(now)
    },
    catalogue
  )
}

function fitAdvisories({ fit, contexts, setup }: WizardState): readonly string[] {
  const fitting = checkFit(fit, contexts.length, setup.facts.profile)
  return fitting.kind === 'proceed' && fitting.advisory !== null ? [fitting.advisory] : []
}

type Existing = { readonly path: string; readonly refusal: string }

/** What keeps a first grid from being made, a dangling link included (INIT-80). */
function existingGrid({ dir, shownDir }: InitOptions): Existing | null {
  const versions = gridVersions(dir)
  const isPointed = hasPointer(dir)
  const name = versions[0] === undefined ? (isPointed ? pointerName : null) : gridFileName(versions[0])
  if (name === null) return null
  const path = normalize(join(shownDir, '.ghyll', name))
  const refusal = `${path} already exists; refusing to overwrite it (evolve it with a grid amendment)`
  const hint = isPointed ? '' : `; restore the pointer with \`ghyll init repoint v${versions.at(-1)}\``
  return { path, refusal: refusal + hint }
}

/** The automatic path through the same states (INIT-55): what nobody has said stays unknown. */
function runAlone(setup: WizardSetup): WizardState {
  let state = startWizard(setup)
  while (state.step !== 'clause' && state.step !== 'refusal')
    state = answerWizard(state, state.step === 'contexts' ? '' : '?')
  if (state.step === 'refusal') return state
  const verdicts = decideAutomatically(state.verdicts, setup.rules)
  const incomplete = incompleteText(verdicts)
  if (incomplete !== null) throw new InitFailure(incomplete)
  return { ...state, verdicts, step: 'done' }
}

function nothingWritten(exitCode: 1 | 3, error: string | null): InitResult {
  return { exitCode, out: [], advisories: [], error }
}

function dryRun(grid: Grid, audited: readonly string[]): readonly string[] {
  return [gridText(grid).trimEnd(), ...audited.map((line) => `# ${line}`)]
}

/** INIT-100…102; the numbers are counted from the grid itself. */
function summary({ shownDir }: InitOptions, grid: Grid): readonly string[] {
  const path = normalize(join(shownDir, '.ghyll', gridFileName(grid.version)))
  const { boundedContexts, arrows, residue } = grid
  const skipped = residue.filter(({ kind }) => kind === 'auto-skipped').length
  const isDefault = boundedContexts.length === 1 && boundedContexts[0]?.description === defaultContext.description
  return [
    `init complete: ${arrows.length} arrows across ${boundedContexts.length} contexts; grid at ${path}`,
    ...(isDefault ? ['  (default context auto-declared — no bounded contexts detected)'] : []),
    ...(skipped > 0 ? [`  residue: ${skipped} clauses auto-skipped (required args without defaults)`] : [])
  ]
}

async function traitLines(
  { dir, shownDir, forceTraits }: InitOptions,
  languages: readonly string[] | null,
  { guidelines }: InitPorts
): Promise<readonly string[]> {
  if (languages === null || !(await writeTraits(dir, languages, guidelines, forceTraits))) return []
  return [`  traits: ${languages.join(',')} inlined into ${normalize(join(shownDir, traitsPath))}`]
}

/** An existing grid with `--force-traits`: the block alone is rewritten (INIT-80). */
async function rewriteTraits(
  options: InitOptions,
  languages: readonly string[] | null,
  ports: InitPorts,
  path: string
): Promise<InitResult> {
  const lines = await withLock(options.dir, () => traitLines(options, languages, ports))
  return { exitCode: 0, out: [`grid unchanged: ${path} already exists`, ...lines], advisories: [], error: null }
}

async function divergenceLines(
  { dir, shownDir, interactive }: InitOptions,
  profile: Profile,
  { contexts }: WizardState
): Promise<readonly string[]> {
  if (!interactive || profile.mode !== 'brownfield') return []
  const found = findDivergences(dir, profile, contexts)
  try {
    await writeFileAtomic(join(gridFolder(dir), 'divergence-candidates.md'), divergenceText(found))
  } catch (error) {
    throw new InitFailure(`divergence candidates: ${messageOf(error)}`, 'failure', error)
  }
  const gaps = found.gaps.length === 0 ? '' : `; no extractor for ${found.gaps.join(', ')}`
  const path = normalize(join(shownDir, '.ghyll', 'divergence-candidates.md'))
  return [`  divergence candidates: ${found.candidates.length} in ${path}${gaps}`]
}
