import type { GatePort, SlashCommand } from '../../agent/session/index.ts'
import { floorOf } from '../../gate/runner/depth.ts'
import {
  abortPassCommand,
  type DispatchResult,
  dispatch,
  eventLine,
  invalidateCommand,
  outcomeLines,
  resultLines
} from '../../gate/runner/index.ts'
import { unreachable } from '../../lib/assert.ts'
import { messageOf } from '../../lib/error.ts'
import type { Children } from '../../platform/children.ts'
import type { GateCommand } from '../../protocol/command.ts'
import type { GateTold, HeaderFacts, ScreenAnswer, TransientEvent } from '../../protocol/event.ts'
import type { Started } from '../start.ts'
import { createAdversary } from './adversary.ts'
import { closedGateCommands, gateCommands, type RunAsk } from './commands.ts'
import { inspect } from './inspect.ts'
import { createIdentity } from './op-id.ts'
import { type OpenGate, openGate } from './open-gate.ts'
import { outdatedArrows } from './outdated.ts'
import { readPlaces } from './places.ts'
import { createPresenter } from './presenter.ts'
import { closedView, type GateParts, viewOf } from './view.ts'

/** What the gate tells: its own events, and lines of the transcript. */
export type GateSay = (
  event:
    | GateTold
    | Extract<ScreenAnswer, { kind: 'inspected' | 'places-read' }>
    | { readonly kind: 'command-output'; readonly command: string; readonly lines: readonly string[] }
    | { readonly kind: 'notice'; readonly level: 'info' | 'warning'; readonly text: string }
    | { readonly kind: 'header-changed'; readonly header: Partial<HeaderFacts> }
) => void

/** The gate as the program holds it, open or closed. */
export interface GateHost {
  readonly port: GatePort
  readonly commands: readonly SlashCommand[]
  /** Shows the first view and the banners; called once the session exists. */
  start(): void
  dispatch(command: GateCommand): void
  /** Events of the session that the gate follows. */
  follow(event: Pick<TransientEvent, 'kind'> | { readonly kind: string }): void
  /** Verdicts that wait now, for `exec` (OPUI-801). */
  waiting(): number
  /** Ends what runs and closes the store; parked passes stay (RUN-244). */
  close(): void
}

export type GateHostOptions = {
  readonly started: Started
  readonly children: Children
  readonly say: GateSay
  /** Somebody is there to be asked. */
  readonly canAsk: boolean
}

export async function openGateHost(options: GateHostOptions): Promise<GateHost> {
  const { started, children, say } = options
  const adversary = createAdversary(started.model, null)
  const opened = await openGate({
    started,
    children,
    adversary,
    warnFull: (text) => say({ kind: 'command-output', command: 'verdicts', lines: [text] })
  })
  if (opened.kind === 'closed') return closedHost(opened.reason, say)
  return openHost(options, opened, adversary)
}

function closedHost(reason: string | null, say: GateSay): GateHost {
  return {
    port: { floor: () => 0, drainVerdicts: async () => undefined },
    commands: closedGateCommands(reason),
    start() {
      if (reason !== null) say({ kind: 'notice', level: 'warning', text: `gates unavailable: ${reason}` })
      say({ kind: 'gate-viewed', view: closedView })
    },
    dispatch(command) {
      if (command.kind === 'inspect') {
        say({ kind: 'inspected', request: command.request, inspection: { kind: 'nothing', text: 'no gate is open' } })
      } else if (command.kind === 'read-places') say({ kind: 'places-read', request: command.request, places: [] })
      else say({ kind: 'gate-refused', text: reason ?? 'no grid; run `ghyll init` first' })
    },
    follow: () => undefined,
    waiting: () => 0,
    close: () => undefined
  }
}

function openHost(
  { started, say, canAsk }: GateHostOptions,
  { gates, queue, engine, evaluations, startLines, missingBindings }: OpenGate,
  adversary: ReturnType<typeof createAdversary>
): GateHost {
  const work = new AbortController()
  let outdated: ReadonlySet<string> = new Set()
  const parts = (): GateParts => ({ gates, queue, reads: engine.reads, outdated })
  const print = (command: string, lines: readonly string[]) => {
    if (lines.length > 0) say({ kind: 'command-output', command, lines })
  }
  const identity = createIdentity((opId) => say({ kind: 'header-changed', header: { opId } }))
  const settled = (result: DispatchResult) => {
    print('run-arrow', resultLines(result, gates.grid.current(), 'settled'))
    say({ kind: 'arrow-settled', text: `${result.arrowId} ${result.arrowStatus}` })
    void lookAtArtifacts()
  }
  const presenter = createPresenter({
    gates,
    queue,
    opId: identity.current,
    show: canAsk ? (prompt, place) => say({ kind: 'prompt-opened', prompt, place }) : null,
    closed: (item, how, notice) => say({ kind: 'prompt-closed', item, how, notice }),
    refused: (item, text) => say({ kind: 'prompt-refused', item, text }),
    print: (lines) => print('attest', lines),
    settled
  })
  const refresh = gathered(() => {
    const view = viewOf(parts())
    say({ kind: 'gate-viewed', view })
    const { version = null, residue = null, unevaluated = null } = view.grid ?? {}
    say({ kind: 'header-changed', header: { gridVersion: version, residue, unevaluated } })
  })
  const stops = [
    gates.bus.subscribe((event) => {
      say({ kind: 'gate-event-told', event })
      const line = eventLine(event)
      if (line !== null) print('event', [line])
      refresh()
    }),
    gates.settled.observe(() => refresh()),
    queue.observe(refresh)
  ]

  return {
    port: {
      floor: () => Math.max(0, ...gates.passes.all().map(({ arrow }) => floorOfArrow(arrow.clauses))),
      drainVerdicts: (signal) => presenter.drain(signal)
    },
    commands: gateCommands({
      gates,
      reads: engine.reads,
      identity,
      adversary,
      presenter,
      run,
      settled,
      statusFacts: () => ({
        verdictsWaiting: queue.size(),
        adversary: adversary.status(),
        unsavedRows: engine.journal()?.unsaved() ?? 0,
        eventLogFailures: gates.bus.failures().audit,
        missingBindings: missingBindings(),
        onTheSpotThisSession: 0
      }),
      showPanel: (panel) => say({ kind: 'panel-asked', panel })
    }),
    start() {
      print('recovery', startLines)
      const missing = missingBindings()
      if (missing.length > 0) {
        gates.bus.publish({
          kind: 'binding-missing',
          payload: { count: `${missing.length}`, keys: missing.join(',') }
        })
      }
      say({ kind: 'notice', level: 'info', text: adversary.banner() })
      refresh()
      void lookAtArtifacts()
      if (queue.size() > 0) void presenter.drain()
    },
    dispatch: take,
    follow(event) {
      if (event.kind !== 'turn-ended') return
      presenter.turnEnded()
      void lookAtArtifacts()
    },
    waiting: () => queue.size(),
    close() {
      work.abort('manual-stop')
      for (const stop of stops) stop()
      queue.close()
      engine.close()
    }
  }

  /** Runs an arrow with its event lines as they come, and the prompts behind it when it parks (OPUI-320…327, 403). */
  async function run({ arrowId, context }: RunAsk, interrupt: AbortSignal): Promise<readonly string[]> {
    const signal = AbortSignal.any([interrupt, work.signal])
    const since = started.clock.now()
    const clauses = gates.grid.arrow(arrowId)?.clauses ?? []
    say({
      kind: 'dispatch-progressed',
      progress: { arrow: arrowId, pass: null, phase: 'checks', round: null, clause: null, since }
    })
    evaluations.listen(({ arrowId: arrow, clauseId, passId }) => {
      const at = clauses.findIndex(({ id }) => id === clauseId) + 1
      const clause = { id: clauseId, at, of: clauses.length }
      say({
        kind: 'dispatch-progressed',
        progress: { arrow, pass: passId, phase: 'verification', round: null, clause, since }
      })
    })
    try {
      const outcome = await dispatch(gates, {
        arrowId,
        context,
        opId: identity.current(),
        signal,
        onPredecessor: (id, first) => print('run-arrow', outcomeLines(id, first, gates.grid.current()))
      })
      if (outcome.kind === 'dispatched' && outcome.result.isParked) setImmediate(() => void presenter.drain())
      if (outcome.kind === 'refused') say({ kind: 'gate-refused', text: outcome.refusal.text })
      return outcomeLines(arrowId, outcome, gates.grid.current())
    } finally {
      evaluations.listen(null)
      say({ kind: 'dispatch-progressed', progress: null })
      void lookAtArtifacts()
    }
  }

  function take(command: GateCommand): void {
    switch (command.kind) {
      case 'attest':
      case 'answer-escalation':
      case 'answer-risk':
      case 'skip-prompt':
      case 'cancel-prompt':
      case 'declare-arrow':
      case 'refuse-arrow':
      case 'settle-amendment':
      case 'bind':
        presenter.answer(command)
        return
      case 'run-arrow':
        print('run-arrow', [`/run-arrow ${command.arrow}`])
        void run({ arrowId: command.arrow, context: undefined, define: false }, new AbortController().signal).then(
          (lines) => print('run-arrow', lines),
          (thrown) => print('run-arrow', [`✗ /run-arrow: ${messageOf(thrown)}`])
        )
        return
      case 'invalidate-arrow':
        print(
          'invalidate-arrow',
          invalidateCommand(
            gates,
            `${command.arrow} --reason ${command.reason || 'operator-requested'}`,
            identity.current()
          )
        )
        return
      case 'abort-pass':
        print('abort-pass', abortPassCommand(gates, command.pass))
        return
      case 'settle-finding':
        settleFinding(command)
        return
      case 'present-verdicts':
        void (command.item === null ? presenter.drain() : presenter.present(command.item))
        return
      case 'skip-verdicts':
        presenter.skipAll()
        return
      case 'set-op-id':
        say({ kind: 'op-id-answered', error: identity.set(command.opId) })
        return
      case 'inspect':
        say({ kind: 'inspected', request: command.request, inspection: inspect(parts(), command.subject) })
        return
      case 'read-places':
        void readPlaces(started.root, command.places).then((places) =>
          say({ kind: 'places-read', request: command.request, places })
        )
        return
      default:
        unreachable(command)
    }
  }

  /** The operator's own transitions of a finding (RUN-511). */
  function settleFinding({ finding, to, reason }: Extract<GateCommand, { kind: 'settle-finding' }>): void {
    const opId = identity.current()
    if (opId === '') {
      say({ kind: 'gate-refused', text: 'no op-id set; use /op-id <identity> first' })
      return
    }
    const moved = gates.findings.transition({ id: finding, to, role: 'operator', opId, reason })
    if ('refused' in moved) say({ kind: 'gate-refused', text: moved.refused.text })
    else refresh()
  }

  async function lookAtArtifacts(): Promise<void> {
    try {
      const found = await outdatedArrows(gates, work.signal)
      if (found.size === outdated.size && [...found].every((id) => outdated.has(id))) return
      outdated = found
      refresh()
    } catch (thrown) {
      if (!work.signal.aborted) started.log.warn(`gate: artifacts could not be looked at: ${messageOf(thrown)}`)
    }
  }
}

function floorOfArrow(clauses: Parameters<typeof floorOf>[0]): number {
  const result = floorOf(clauses)
  return 'floor' in result ? result.floor : 0
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
