import type { ConversationHost } from '../../agent/session/index.ts'
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
import { type Engine, findStore, noVerdictLines, openEngine, startLines } from '../../gate/engine/index.ts'
import { createArtifacts, createRegistry, type Machine } from '../../gate/evaluators/index.ts'
import { type RiskPrompt, riskPrompt } from '../../gate/runner/adversary/index.ts'
import { type Committer, createAmendmentSlot, ledgerPath, pendingBanner } from '../../gate/runner/amendment/index.ts'
import {
  type BindingPrompt,
  createGates,
  createVerdictQueue,
  type Gates,
  type VerdictQueue
} from '../../gate/runner/index.ts'
import { Failure, messageOf } from '../../lib/error.ts'
import type { Children } from '../../platform/children.ts'
import type { Started } from '../start.ts'
import { type Adversary, createAdversary } from './adversary.ts'
import { codeGlobs } from './code-globs.ts'
import { openAmendments, openCommitter } from './committer.ts'
import { gridNotes } from './grid-notes.ts'
import { createModelHooks, type ModelHooks } from './hooks/index.ts'
import { type EvaluationWatch, watchEvaluations } from './progress.ts'
import { missingBindings, watchRegistries } from './registries.ts'
import { resumePasses } from './resume-passes.ts'
import { watchGateFiles } from './watched-files.ts'

/** The gate of a project between the start and the end of a session (PERS-400). */
export type OpenGate = {
  readonly gates: Gates
  readonly queue: VerdictQueue
  readonly engine: Engine
  readonly evaluations: EvaluationWatch
  readonly catalogue: Catalogue
  readonly adversary: Adversary
  /** What models do for it beside the cycle. */
  readonly hooks: Pick<ModelHooks, 'propose' | 'define'>
  /** Writes grids, and holds the amendments that wait for it. */
  readonly committer: Committer
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
  /** Holds the conversations of the cycle, the analyst and the definer. */
  readonly models: ConversationHost
  /** False where no question is ever answered (OPUI-801). */
  readonly canAsk: boolean
  /** Asks for missing bindings; null: nobody can be asked. */
  readonly bindingPrompt: BindingPrompt | null
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
  { started, children, models, canAsk, bindingPrompt, warnFull }: OpenGateOptions,
  active: ActiveGrid,
  catalogue: Catalogue
): Promise<OpenGate> {
  const { grid } = active
  const { root: projectDir, clock, session, log } = started
  const machine: Machine = {
    confine: children.confine,
    env: { ...started.env },
    profile: async (folder) => (await profileProject(folder)).mode
  }
  const engine = openEngine({ projectDir, grid, clock, session })
  try {
    const { storeChanged, treeLengths } = engine
    const files = watchGateFiles({ projectDir, gridDigests: active.digests, storeChanged, treeLengths })
    engine.onAppend(files.appended)
    const artifacts = createArtifacts({
      projectDir,
      catalogue,
      machine,
      moreGlobs: await codeGlobs(projectDir)
    })
    const evaluations = watchEvaluations()
    const evaluators = watchRegistries(createRegistry(catalogue, machine, grid.languageBindings), evaluations)
    const risk: RiskPrompt = canAsk
      ? { answered: (findingId, signal) => riskPrompt(queue).answered(findingId, signal) }
      : { answered: async (findingId) => queue.settleRisk(findingId) }
    const hooks = createModelHooks({
      host: models,
      config: started.config,
      lockedModel: started.locked ? started.model : null,
      catalogue,
      gates: () => gates,
      ports: {
        artifact: artifacts,
        risk,
        keep: (record) => engine.eventLog()?.record('adversarial-cycle-report', record)
      }
    })
    const adversary = createAdversary(started.model, hooks.cycle)
    const gates: Gates = createGates({
      grid,
      registry: evaluators.first,
      earlier: engine.earlier,
      ports: {
        clock,
        projectDir,
        processPrefix: processPrefix(),
        warn: (message, cause) => log.warn(`gate: ${message}: ${messageOf(cause)}`),
        artifacts,
        gateFiles: files,
        bindingPrompt,
        routing: () => routingOf(started),
        adversary: adversary.slot,
        amendments: createAmendmentSlot({
          gates: () => gates,
          queue: () => amendments,
          readLedger: (context) => artifacts.text(ledgerPath(context), AbortSignal.timeout(ledgerMs))
        }),
        argsOf(concept, args) {
          const checked = checkArguments(catalogue, concept, args)
          return 'args' in checked ? checked.args : args
        },
        strictEvents: false
      }
    })
    engine.load(gates)
    const amendments = openAmendments(gates, engine)
    const problems = await resumePasses(
      gates,
      engine.report.recovery.preserved,
      engine.answers,
      artifacts,
      AbortSignal.timeout(resumeMs)
    )
    engine.attach(gates)
    // Between two sessions the grid file may have been amended (INIT-133).
    for (const { id, requirements } of grid.arrows)
      gates.depths.retain(
        id,
        requirements.map((each) => each.id)
      )
    const queue: VerdictQueue = createVerdictQueue(gates, warnFull)
    queue.refill()
    const committer = openCommitter({
      gates,
      queue: amendments,
      engine,
      catalogue,
      projectDir,
      files,
      registry: (bindings) => evaluators.with(gates.grid.registry(), bindings),
      log
    })
    return {
      gates,
      queue,
      engine,
      evaluations,
      catalogue,
      adversary,
      hooks,
      committer,
      startLines: [
        ...gridNotes(active),
        ...startLines(engine.report),
        ...noVerdictLines(engine.treeProblem()),
        ...problems.map((text) => `⚠ ${text}`),
        ...pendingBanner(amendments.pending())
      ],
      missingBindings: () => missingBindings(gates)
    }
  } catch (thrown) {
    engine.close()
    throw thrown
  }
}

/** Longest look at artifacts of passes that wait since an earlier process; the session is not held up longer (SESS-104). */
const resumeMs = 5_000

/** Longest read of a ledger before an integrator's pass is verified (RUN-711). */
const ledgerMs = 5_000

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

/** Tells the processes of one project apart in finding ids (RUN-500). */
function processPrefix(): string {
  return process.pid.toString(36)
}
