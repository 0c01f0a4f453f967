import type { ConversationHost, GatePort, SlashCommand } from '../../agent/session/index.ts'
import {
  type BindingPrompt,
  type DispatchResult,
  eventLine,
  type Gates,
  type Outdated,
  outcomeLines,
  type RunArrowArgs,
  resultLines,
  type StatusFacts,
  statusLabel
} from '../../gate/runner/index.ts'
import { messageOf } from '../../lib/error.ts'
import type { Children } from '../../platform/children.ts'
import type { GateTold, GhyllEvent, HeaderFacts, ScreenAnswer } from '../../protocol/event.ts'
import type { Started } from '../start.ts'
import { amendmentCommands } from './amendments.ts'
import { runArrow } from './arrow-runs.ts'
import { createAsking } from './asking.ts'
import { createBindingPrompt } from './bindings.ts'
import { closedHost } from './closed-host.ts'
import { gateCommands, isRefusal } from './commands.ts'
import { createDeclaring } from './declaring.ts'
import { announceRoute, floorOfOpen } from './floor.ts'
import type { LineSurface } from './line-surface.ts'
import { createIdentity, type Identity } from './op-id.ts'
import { type OpenGate, openGate } from './open-gate.ts'
import { outdatedArrows, sameOutdated } from './outdated.ts'
import { type PanelCommand, panelCommands } from './panel-commands.ts'
import { type GateParts, viewOf } from './view.ts'

/** What the gate tells: its own events, and lines of the transcript. */
export type GateSay = (
  event:
    | GateTold
    | Extract<ScreenAnswer, { kind: 'inspected' | 'places-read' }>
    | { readonly kind: 'command-output'; readonly command: string; readonly lines: readonly string[] }
    | { readonly kind: 'notice'; readonly level: 'info' | 'warning'; readonly text: string; readonly hint?: string }
    | { readonly kind: 'header-changed'; readonly header: Partial<HeaderFacts> }
) => void

/** How the operator is asked for verdicts: by overlays, by typed lines, or not at all (OPUI-800, OPUI-801). */
export type Asking = 'screen' | 'lines' | 'nobody'

/** The gate as the program holds it, open or closed. */
export interface GateHost {
  readonly port: GatePort
  readonly commands: readonly SlashCommand[]
  /** Questions as typed lines; null unless it asks by lines. */
  readonly questions: Pick<LineSurface, 'asking' | 'enter' | 'cancel'> | null
  /** Shows the first view and the banners, and asks what waits since an earlier process. */
  start(): void
  dispatch(command: PanelCommand): void
  /** Events of the session that the gate follows. */
  follow(event: GhyllEvent): void
  /** Refs that wait for a verdict now. */
  waiting(): readonly string[]
  /** No question is open and nothing of a verdict is still on its way. */
  isQuiet(): boolean
  /** Ends what runs and closes the store; parked passes stay (RUN-244). */
  close(): Promise<void>
}

export type GateHostOptions = {
  readonly started: Started
  readonly children: Children
  /** Holds the gate's own conversations with models (RUN-621). */
  readonly models: ConversationHost
  readonly say: GateSay
  readonly asking: Asking
  /** The session is on its way out: what it interrupts now ends as `manual-stop` (RUN-236). */
  readonly isLeaving: () => boolean
}

export async function openGateHost(options: GateHostOptions): Promise<GateHost> {
  const { started, children, models, say, asking } = options
  const canAsk = asking !== 'nobody'
  const bindings: LateBindings = { prompt: null }
  const opened = await openGate({
    started,
    children,
    models,
    canAsk,
    bindingPrompt: canAsk ? { declare: async (...asked) => (await bindings.prompt?.declare(...asked)) === true } : null,
    warnFull: (text) => say({ kind: 'command-output', command: 'verdicts', lines: [text] })
  })
  const identity = createIdentity((opId) => say({ kind: 'header-changed', header: { opId } }))
  return opened.kind === 'closed'
    ? closedHost(opened, identity, say)
    : openHost(options, opened, { identity, bindings })
}

/** How bindings are asked for is made after the gates that ask. */
type LateBindings = { prompt: BindingPrompt | null }

function openHost(
  { started, say, asking, isLeaving }: GateHostOptions,
  opened: OpenGate,
  { identity, bindings }: { readonly identity: Identity; readonly bindings: LateBindings }
): GateHost {
  const { gates, queue, engine, evaluations, startLines, missingBindings, catalogue, adversary, hooks, committer } =
    opened
  const work = new AbortController()
  const underWay = new Set<Promise<unknown>>()
  let outdated: ReadonlyMap<string, Outdated> = new Map()
  let onTheSpot = 0
  const parts = (): GateParts => ({ gates, queue, reads: engine.reads, outdated })
  const print = (command: string, lines: readonly string[]) => {
    if (lines.length > 0) say({ kind: 'command-output', command, lines })
  }
  const changed = gathered(() => {
    if (!work.signal.aborted) say({ kind: 'gate-viewed', view: viewOf(parts()) })
  })
  /** Keeps the program from ending before it, and whoever waits for quiet hears of its end. */
  const track = (promise: Promise<unknown>) => {
    const tracked = promise
      .catch((thrown) => print('verdicts', [`✗ ${messageOf(thrown)}`]))
      .finally(() => {
        underWay.delete(tracked)
        changed()
      })
    underWay.add(tracked)
  }

  const { presenter, asker, questions } = createAsking({ gates, queue, identity, asking, say, print, settling: track })
  const opId = identity.current
  const declare = createDeclaring({
    committer,
    catalogue,
    projectDir: started.root,
    asker,
    define: hooks.define,
    opId
  })
  const amendments = amendmentCommands({ committer, asker, propose: hooks.propose, opId })
  bindings.prompt = createBindingPrompt({
    asker,
    catalogue,
    env: { ...started.env },
    committer,
    opId,
    print(text) {
      print('run-arrow', text)
      changed()
    }
  })
  const stops = [
    gates.bus.subscribe((event) => {
      say({ kind: 'gate-event-told', event })
      const line = eventLine(event)
      if (line !== null) print('event', [line])
      if (event.kind === 'on-the-spot-defined') onTheSpot += 1
      // The round that asks waits for the answer inside its dispatch (RUN-633).
      if (event.kind === 'risk-acceptance-requested') void presenter.drainNow()
      changed()
    }),
    gates.settled.observe(settled),
    queue.observe(changed)
  ]

  return {
    port: {
      floor: () => floorOfOpen(gates)?.floor ?? 0,
      drainVerdicts: (signal) => presenter.drain(signal)
    },
    commands: gateCommands({
      gates,
      queue,
      engine,
      identity,
      adversary,
      amendments: { list: amendments.list, drain: (interrupt) => interruptible(interrupt, amendments.drain) },
      presenter,
      run,
      settling: track,
      statusFacts,
      say
    }),
    questions,
    start() {
      print('recovery', startLines)
      announceMissing(gates, missingBindings())
      say({ kind: 'notice', level: 'info', text: adversary.banner() })
      changed()
      void lookAtArtifacts()
      if (queue.size() > 0) void presenter.drain()
    },
    dispatch: panelCommands({ projectDir: started.root, parts, identity, presenter, asker, say, print, changed }),
    follow(event) {
      if (event.kind === 'gate-routed') announceRoute(gates, event)
      if (event.kind !== 'turn-ended') return
      presenter.turnEnded()
      void lookAtArtifacts()
    },
    waiting: () => gates.passes.all().flatMap((pass) => gates.openRequests(pass).map(({ ref }) => ref)),
    isQuiet: () => underWay.size === 0 && questions?.asking() == null,
    async close() {
      work.abort('manual-stop')
      for (const stop of stops) stop()
      queue.close()
      await Promise.all(underWay)
      engine.close()
    }
  }

  /** OPUI-320…327, and the prompts behind it when it parks (OPUI-403). */
  async function run({ arrowId, context, define }: RunArrowArgs, interrupt: AbortSignal): Promise<readonly string[]> {
    return interruptible(interrupt, async (signal) => {
      const declared = define ? await declare(arrowId, signal) : null
      if (declared?.isDeclared === false) {
        if (isRefusal(declared.lines)) say({ kind: 'gate-refused', text: (declared.lines[0] ?? '').slice(2) })
        return declared.lines
      }
      print('run-arrow', declared?.lines ?? [])
      const outcome = await runArrow(
        {
          gates,
          evaluations,
          clock: started.clock,
          opId: identity.current,
          print: (text) => print('run-arrow', text),
          progressed: (progress) => say({ kind: 'dispatch-progressed', progress })
        },
        { arrowId, context },
        signal
      )
      const told = outcomeLines(arrowId, outcome, gates.grid.current())
      if (outcome.kind === 'refused') say({ kind: 'gate-refused', text: (told[0] ?? '').replace(/^✗ /, '') })
      // The questions follow the lines of the result, which the session prints when this returns.
      if (outcome.kind === 'dispatched' && outcome.result.isParked) track(nextMoment().then(() => drainUnwaited()))
      return told
    })
  }

  /** Work of a command: the operator's interrupt and the end of the session stop it, each with its reason (RUN-236). */
  async function interruptible<Result>(
    interrupt: AbortSignal,
    perform: (signal: AbortSignal) => Promise<Result>
  ): Promise<Result> {
    const stop = new AbortController()
    const onInterrupt = () => stop.abort(isLeaving() ? 'manual-stop' : 'operator-interrupt')
    if (interrupt.aborted) onInterrupt()
    interrupt.addEventListener('abort', onInterrupt, { once: true })
    try {
      return await perform(AbortSignal.any([stop.signal, work.signal]))
    } finally {
      interrupt.removeEventListener('abort', onInterrupt)
      changed()
      void lookAtArtifacts()
    }
  }

  /** How long somebody takes to answer is nobody's business here. */
  function drainUnwaited(): void {
    void presenter.drain()
  }

  function settled(result: DispatchResult): void {
    print('run-arrow', resultLines(result, gates.grid.current(), 'settled'))
    say({ kind: 'arrow-settled', text: `${result.arrowId} ${statusLabel(result.arrowStatus)}` })
    changed()
    void lookAtArtifacts()
  }

  function statusFacts(): StatusFacts {
    return {
      verdictsWaiting: queue.size(),
      adversary: adversary.status(),
      unsavedRows: engine.journal()?.unsaved() ?? 0,
      eventLogFailures: gates.bus.failures().audit,
      missingBindings: missingBindings(),
      onTheSpotThisSession: onTheSpot
    }
  }

  async function lookAtArtifacts(): Promise<void> {
    try {
      const found = await outdatedArrows(gates, work.signal)
      if (sameOutdated(found, outdated)) return
      outdated = found
      changed()
    } catch (thrown) {
      if (!work.signal.aborted) started.log.warn(`gate: artifacts could not be looked at: ${messageOf(thrown)}`)
    }
  }
}

function announceMissing(gates: Gates, keys: readonly string[]): void {
  if (keys.length > 0)
    gates.bus.publish({ kind: 'binding-missing', payload: { count: `${keys.length}`, keys: keys.join(',') } })
}

function nextMoment(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Several reasons to read the stores in one moment are one reading. */
function gathered(work: () => void): () => void {
  let isDue = false
  return () => {
    if (isDue) return
    isDue = true
    setImmediate(() => {
      isDue = false
      work()
    })
  }
}
