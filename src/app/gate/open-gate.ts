import {
  type ActiveGrid,
  GridFailure,
  gridFolder,
  gridVersions,
  profileProject,
  readActiveGrid,
  removeLeftovers
} from '../../gate/bootstrap/index.ts'
import { type Catalogue, checkArguments, loadCatalogue } from '../../gate/catalogue/index.ts'
import {
  type Engine,
  findStore,
  isEmptyReport,
  openEngine,
  type RecoveryReport,
  recoveryLines
} from '../../gate/engine/index.ts'
import { createArtifacts, createRegistry, type Machine } from '../../gate/evaluators/index.ts'
import { createGates, createVerdictQueue, type Gates, type VerdictQueue } from '../../gate/runner/index.ts'
import { Failure, messageOf } from '../../lib/error.ts'
import { safeLine } from '../../lib/safe-text.ts'
import type { Children } from '../../platform/children.ts'
import type { EvaluatorRegistry } from '../../protocol/evaluation.ts'
import type { Grid } from '../../protocol/grid.ts'
import type { Started } from '../start.ts'
import type { Adversary } from './adversary.ts'
import { amendmentBanner } from './amendments.ts'
import { codeGlobs } from './code-globs.ts'
import { type EvaluationWatch, watchEvaluations } from './progress.ts'
import { resumePasses } from './resume-passes.ts'
import { type WatchedFiles, watchGateFiles } from './watched-files.ts'

/** The gate of a project between the start and the end of a session (PERS-400). */
export type OpenGate = {
  readonly gates: Gates
  readonly queue: VerdictQueue
  readonly engine: Engine
  readonly evaluations: EvaluationWatch
  /** What the start found, to be shown once; empty when there is nothing to tell (PERS-403). */
  readonly startLines: readonly string[]
  /** Keys of machine clauses nobody bound (PERS-400 step 12). */
  readonly missingBindings: () => readonly string[]
}

export type GateStart =
  | ({ readonly kind: 'open' } & OpenGate)
  /** `reason` null: the project has no grid. */
  | { readonly kind: 'closed'; readonly reason: string | null; readonly hint: string | undefined }

export type OpenGateOptions = {
  readonly started: Started
  readonly children: Children
  readonly adversary: Adversary
  readonly warnFull: (line: string) => void
}

/** Opens it, or says why it stays closed: a gate that does not open never keeps a session from starting (PERS-401). */
export async function openGate(options: OpenGateOptions): Promise<GateStart> {
  const { root, log } = options.started
  try {
    const catalogue = loadCatalogue()
    const active = readGrid(root, catalogue)
    return active === null
      ? { kind: 'closed', reason: null, hint: undefined }
      : { kind: 'open', ...(await open(options, active, catalogue)) }
  } catch (thrown) {
    // Nothing was written that a gate relies on; whatever it is, the rest of the session does not depend on it.
    log.error(`gate: ${thrown instanceof Error ? thrown.stack : String(thrown)}`)
    return thrown instanceof Failure
      ? { kind: 'closed', reason: thrown.message, hint: thrown.hint }
      : { kind: 'closed', reason: `cannot open: ${messageOf(thrown)}`, hint: undefined }
  }
}

/** null: this is no project with gates. A pointer that is missing beside grid files or a store is an error (PERS-400). */
function readGrid(root: string, catalogue: Catalogue): ActiveGrid | null {
  try {
    removeLeftovers(gridFolder(root))
    return readActiveGrid(root, catalogue)
  } catch (thrown) {
    const isFresh = gridVersions(root).length === 0 && findStore(root) === 'missing'
    if (thrown instanceof GridFailure && thrown.code === 'grid-current-absent' && isFresh) return null
    throw thrown
  }
}

async function open(
  { started, children, adversary, warnFull }: OpenGateOptions,
  { grid, unknownKeys }: ActiveGrid,
  catalogue: Catalogue
): Promise<OpenGate> {
  const { root: projectDir, clock, session, log } = started
  const machine: Machine = {
    confine: children.confine,
    env: { ...started.env },
    profile: async (folder) => (await profileProject(folder)).mode
  }
  const engine = openEngine({ projectDir, grid, clock, session })
  try {
    const files = watchGateFiles({ projectDir, gridVersion: grid.version, dataVersion: engine.dataVersion })
    const artifacts = createArtifacts({
      projectDir,
      catalogue,
      machine,
      moreGlobs: await codeGlobs(projectDir)
    })
    const registry = createRegistry(catalogue, machine, grid.languageBindings)
    const evaluations = watchEvaluations(registry)
    const gates = createGates({
      grid,
      registry: evaluations.registry,
      earlier: engine.earlier,
      ports: {
        clock,
        projectDir,
        processPrefix: processPrefix(),
        warn: (message, cause) => log.warn(`gate: ${message}: ${messageOf(cause)}`),
        artifacts,
        gateFiles: files,
        bindingPrompt: null,
        routing: () => routingOf(started),
        adversary: adversary.slot,
        amendments: null,
        argsOf(concept, args) {
          const checked = checkArguments(catalogue, concept, args)
          return 'args' in checked ? checked.args : args
        },
        strictEvents: false
      }
    })
    engine.load(gates)
    const problems = await resumePasses(
      gates,
      engine.report.recovery.preserved,
      engine.answers,
      artifacts,
      AbortSignal.timeout(resumeMs)
    )
    engine.attach(gates)
    followAppends(gates, engine, files)
    const queue = createVerdictQueue(gates, warnFull)
    queue.refill()
    return {
      gates,
      queue,
      engine,
      evaluations,
      startLines: [
        ...unknownKeys.map((key) => safeLine(`⚠ grid v${grid.version}: nobody knows the key ${key}; it is ignored`)),
        ...toldRecovery(engine.report.recovery),
        ...problems.map((text) => `⚠ ${text}`),
        ...amendmentBanner(engine.amendments)
      ],
      missingBindings: () => missingOf(gates.grid.current() ?? grid, registry)
    }
  } catch (thrown) {
    engine.close()
    throw thrown
  }
}

/** Longest look at artifacts of passes that wait since an earlier process; the session is not held up longer (SESS-104). */
const resumeMs = 5_000

function routingOf({ config, locked, model }: Started) {
  const { defaultModel, deepModel, gateFloorDisabled, gateFloorEscalateAtRank } = config.routing
  return {
    gateFloorEnabled: !gateFloorDisabled && gateFloorEscalateAtRank > 0,
    escalateAtRank: gateFloorEscalateAtRank,
    fastModel: defaultModel,
    deepModel: deepModel === defaultModel ? null : deepModel,
    lockedModel: locked ? model : null
  }
}

function missingOf(grid: Grid, registry: EvaluatorRegistry): readonly string[] {
  const keys = grid.arrows.flatMap(({ clauses }) =>
    clauses
      .filter(({ eval: type, concept, missing }) => type === 'machine' && concept !== null && missing.length === 0)
      .map(({ concept, args }) => registry.keyOf(concept ?? '', args))
  )
  return registry.missing(keys)
}

/** What ghyll appends itself changes no file behind its back (RUN-214). */
function followAppends(gates: Gates, engine: Engine, files: WatchedFiles): void {
  gates.attestations.observe((record) => {
    const file = engine.treeFileOf(record)
    if (file !== null) files.appended(file)
  })
}

/** Once in the transcript, and only when there is something to tell (PERS-403). */
function toldRecovery(report: RecoveryReport): readonly string[] {
  return isEmptyReport(report) ? [] : ['recovery:', ...recoveryLines(report)]
}

/** Tells the processes of one project apart in finding ids (RUN-500). */
function processPrefix(): string {
  return process.pid.toString(36)
}
