import { recentEvents } from '../../gate/engine/index.ts'
import {
  type BindingPrompt,
  type DispatchResult,
  eventLine,
  type Gates,
  resultLines,
  type StatusFacts,
  statusLabel
} from '../../gate/runner/index.ts'
import { messageOf } from '../../lib/error.ts'
import type { OperatorEvent } from '../../protocol/gate.ts'
import type { Started } from '../start.ts'
import { amendmentCommands } from './amendments.ts'
import { watchArtifacts } from './artifact-watch.ts'
import { createAsking } from './asking.ts'
import { createBindingPrompt } from './bindings.ts'
import { gateCommands } from './commands.ts'
import { createDeclaring } from './declaring.ts'
import { announceRoute, floorOfOpen } from './floor.ts'
import type { Asking, GateHost, GateSay } from './host.ts'
import { createInterruptible } from './interruptible.ts'
import { watchNeeded } from './needed-verdicts.ts'
import type { Identity } from './op-id.ts'
import type { OpenGate } from './open-gate.ts'
import { panelCommands } from './panel-commands.ts'
import { createRunCommand } from './run-command.ts'
import { createUnderWay } from './under-way.ts'
import { type GateParts, viewOf } from './view.ts'

/** How bindings are asked for is made after the gates that ask. */
export type LateBindings = { prompt: BindingPrompt | null }

export type OpenHostOptions = {
  readonly started: Started
  readonly opened: OpenGate
  readonly identity: Identity
  readonly bindings: LateBindings
  readonly say: GateSay
  readonly asking: Asking
  readonly isLeaving: () => boolean
}

/** An open gate in a session: what is typed, pressed and answered goes in, what happens is told (PERS-400). */
export function openHost(options: OpenHostOptions): GateHost {
  const { started, opened, identity, bindings, say, asking, isLeaving } = options
  const { gates, queue, engine, evaluations, startLines, missingBindings, catalogue, adversary, hooks, committer } =
    opened
  const closing = new AbortController()
  let onTheSpot = 0
  const print = (command: string, lines: readonly string[]) => {
    if (lines.length > 0) say({ kind: 'command-output', command, lines })
  }
  const changed = gathered(() => {
    if (!closing.signal.aborted) say({ kind: 'gate-viewed', view: viewOf(parts()) })
  })
  const artifacts = watchArtifacts({
    gates,
    signal: closing.signal,
    changed,
    failed: (cause) => started.log.warn(`gate: artifacts could not be looked at: ${messageOf(cause)}`)
  })
  const parts = (): GateParts => ({ gates, queue, reads: engine.reads, outdated: artifacts.outdated() })
  const underWay = createUnderWay({ failed: (line) => print('verdicts', [line]), changed })
  const verdicts = watchNeeded(gates)
  const interruptible = createInterruptible({
    closing: closing.signal,
    isLeaving,
    ended() {
      changed()
      artifacts.look()
    }
  })

  const opId = identity.current
  const settling = underWay.track
  const { presenter, asker, questions } = createAsking({ gates, queue, identity, asking, say, print, settling })
  const { root: projectDir, clock } = started
  const declare = createDeclaring({ committer, catalogue, projectDir, asker, define: hooks.define, opId })
  const amendments = amendmentCommands({ committer, asker, propose: hooks.propose, opId })
  const run = createRunCommand({
    gates,
    runs: { evaluations, clock, opId },
    declare,
    interruptible,
    say,
    print: (lines) => print('run-arrow', lines),
    refused: verdicts.refused,
    // The questions follow the lines of the result, which the session prints when the command returns.
    parked: () => underWay.track(nextMoment().then(drainUnwaited))
  })
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
  const stops = [gates.bus.subscribe(tell), gates.settled.observe(tellSettled), queue.observe(changed)]

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
      settling,
      statusFacts,
      say
    }),
    questions,
    start() {
      print('recovery', startLines)
      if (asking === 'screen') say({ kind: 'gate-events-read', events: recentEvents(projectDir) })
      announceMissing(gates, missingBindings())
      say({ kind: 'notice', level: 'info', text: adversary.banner() })
      changed()
      artifacts.look()
      if (queue.size() > 0) void presenter.drain()
    },
    dispatch: panelCommands({ projectDir, parts, identity, presenter, asker, say, print, changed }),
    follow(event) {
      if (event.kind === 'gate-routed') announceRoute(gates, event)
      if (event.kind !== 'turn-ended') return
      presenter.turnEnded()
      artifacts.look()
    },
    waiting: verdicts.waiting,
    needed: verdicts.needed,
    isQuiet: () => underWay.isEmpty() && questions?.asking() == null,
    async close() {
      closing.abort('manual-stop')
      for (const stop of stops) stop()
      queue.close()
      await underWay.ended()
      engine.close()
    }
  }

  /** How long somebody takes to answer is nobody's business here. */
  function drainUnwaited(): void {
    void presenter.drain()
  }

  function tell(event: OperatorEvent): void {
    say({ kind: 'gate-event-told', event })
    const line = eventLine(event)
    if (line !== null) print('event', [line])
    if (event.kind === 'on-the-spot-defined') onTheSpot += 1
    // The round that asks waits for the answer inside its dispatch (RUN-633).
    if (event.kind === 'risk-acceptance-requested') void presenter.drainNow()
    changed()
  }

  function tellSettled(result: DispatchResult): void {
    print('run-arrow', resultLines(result, gates.grid.current(), 'settled'))
    const { arrowId, arrowStatus: status } = result
    say({ kind: 'arrow-settled', text: `${arrowId} ${statusLabel(status)}`, status })
    changed()
    artifacts.look()
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
