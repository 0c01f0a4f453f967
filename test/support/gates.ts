import { createGates, type Gates } from '../../src/gate/runner/gates.ts'
import type {
  AdversarySlot,
  AmendmentSlot,
  ArtifactState,
  BindingPrompt,
  KernelPorts
} from '../../src/gate/runner/ports.ts'
import type { Attestation, PassRecord, RunRow } from '../../src/gate/runner/records.ts'
import type { RoutingSettings } from '../../src/gate/runner/routing.ts'
import type { EvaluationContext, EvaluatorRegistry } from '../../src/protocol/evaluation.ts'
import type { EvaluationResult, OperatorEvent } from '../../src/protocol/gate.ts'
import type { Arrow, Clause, Grid, Role, RoleId } from '../../src/protocol/grid.ts'
import { manualClock } from './clock.ts'
import { gridOf as aGrid, arrowOf as anArrow, machineClause } from './grid.ts'

// Gates over a grid of one's own, with everything outside played by values a test can change.

/** A robust clause the machine decides, whatever its arguments. */
export function clauseOf(id: string, more: Partial<Clause> = {}): Clause {
  return machineClause({
    id,
    description: `what ${id || 'nobody named'} demands`,
    cost: 1,
    concept: more.eval === 'attested' ? null : 'no-todo-marker',
    args: {},
    ...more
  })
}

/** A robust clause the operator decides. */
export function attestedOf(id: string, more: Partial<Clause> = {}): Clause {
  return clauseOf(id, { eval: 'attested', concept: null, ...more })
}

/** A clause of the machine that a model of this rank at least has to have worked on. */
export function sensitiveOf(id: string, minTier: 1 | 2 | 3, more: Partial<Clause> = {}): Clause {
  return clauseOf(id, { depth: 'depth-sensitive', minTier, ...more })
}

/** A hand-off in the context `shop`, or the one named, with these clauses and nothing declared to depend on. */
export function arrowOf(source: RoleId, target: Role, clauses: readonly Clause[], more: Partial<Arrow> = {}): Arrow {
  const context = more.context ?? 'shop'
  return anArrow({
    id: `${source}→${target}/${context}`,
    sourceRole: source,
    targetRole: target,
    producerRole: source,
    context,
    stratum: 'L0',
    clauses,
    dependencies: null,
    ...more
  })
}

/** Version 1 of a grid with these arrows and their contexts. */
export function gridOf(arrows: readonly Arrow[], more: Partial<Grid> = {}): Grid {
  const contexts = [...new Set(['shop', ...arrows.map(({ context }) => context)])]
  return aGrid({
    createdAt: '2026-01-01T00:00:00Z',
    createdByOpId: 'alice',
    boundedContexts: contexts.map((id) => ({ id, description: null })),
    arrows,
    ...more
  })
}

export const passResult: EvaluationResult = { status: 'pass', reason: null, details: {} }
export const failResult: EvaluationResult = { status: 'fail', reason: null, details: { error: 'two markers found' } }

export type World = {
  readonly gates: Gates
  readonly events: OperatorEvent[]
  readonly rows: RunRow[]
  readonly passRows: PassRecord[]
  readonly written: Attestation[]
  readonly warnings: string[]
  /** What the evaluators say, by clause id; everything else passes. */
  readonly results: Map<string, EvaluationResult | Error | ((context: EvaluationContext) => Promise<EvaluationResult>)>
  readonly missing: Set<string>
  /** What the outside does next. */
  artifact: ArtifactState | Error
  changedFile: { readonly path: string; readonly reason: string } | null
  routing: RoutingSettings
  adversary: AdversarySlot
  failOpen: Error | null
  failRun: Error | null
  failWrite: Error | null
  bindingPrompt: BindingPrompt | null
  amendments: AmendmentSlot | null
  /** Kinds of the events so far, in order. */
  kinds(): readonly string[]
}

export type WorldOptions = {
  readonly attach?: boolean
  readonly audit?: boolean
  readonly start?: number
  readonly before?: (gates: Gates) => void
}

/** Gates in a world where everything works and every evaluator passes. */
export function worldOf(grid: Grid | null, options: WorldOptions = {}): World {
  const results: World['results'] = new Map()
  const missing = new Set<string>()
  const registry: EvaluatorRegistry = {
    keyOf: (concept, args) => (typeof args.language === 'string' ? `${concept}.${args.language}` : concept),
    lookUp: (key) =>
      missing.has(key)
        ? null
        : {
            key,
            generation: 1,
            evaluate: async (context) => {
              const result = results.get(context.clauseId) ?? passResult
              if (result instanceof Error) throw result
              return typeof result === 'function' ? result(context) : result
            }
          },
    missing: (keys) => [...new Set(keys)].filter((key) => missing.has(key)).sort()
  }
  const world = {
    events: [] as OperatorEvent[],
    rows: [] as RunRow[],
    passRows: [] as PassRecord[],
    written: [] as Attestation[],
    warnings: [] as string[],
    results,
    missing,
    artifact: { digest: 'artifact-1', dependencies: {} } as ArtifactState | Error,
    changedFile: null as World['changedFile'],
    routing: {
      gateFloorEnabled: true,
      escalateAtRank: 2,
      fastModel: 'fast',
      deepModel: 'deep',
      lockedModel: null
    } as RoutingSettings,
    adversary: { disabled: false, cycle: null } as AdversarySlot,
    failOpen: null as Error | null,
    failRun: null as Error | null,
    failWrite: null as Error | null,
    bindingPrompt: null as BindingPrompt | null,
    amendments: null as AmendmentSlot | null,
    kinds: (): readonly string[] => world.events.map(({ kind }) => kind)
  }
  const ports: KernelPorts = {
    clock: manualClock(options.start),
    projectDir: '/project',
    processPrefix: '9f2c',
    warn: (message, cause) => world.warnings.push(`${message}${cause instanceof Error ? `: ${cause.message}` : ''}`),
    artifacts: {
      take: async () => {
        if (world.artifact instanceof Error) throw world.artifact
        return world.artifact
      }
    },
    gateFiles: { changed: () => world.changedFile },
    get bindingPrompt() {
      return world.bindingPrompt
    },
    routing: () => world.routing,
    adversary: () => world.adversary,
    get amendments() {
      return world.amendments
    },
    argsOf: (_, args) => args,
    strictEvents: true
  }
  const gates = createGates({ ports, grid, registry })
  options.before?.(gates)
  if (options.audit !== false) gates.bus.subscribe((event) => world.events.push(event), 'audit')
  if (options.attach !== false) {
    gates.attach(
      {
        openPass(pass) {
          if (world.failOpen !== null) throw world.failOpen
          world.passRows.push(pass)
        },
        appendRun(row) {
          if (world.failRun !== null) throw world.failRun
          world.rows.push(row)
        }
      },
      (record) => {
        if (world.failWrite !== null) throw world.failWrite
        world.written.push(record)
        return undefined
      }
    )
  }
  return Object.assign(world, { gates })
}

/** A signal nobody aborts. */
export function quiet(): AbortSignal {
  return new AbortController().signal
}
