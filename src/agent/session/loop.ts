import { type DurableEvent, isDurable } from '../../protocol/event.ts'
import { evolve } from './evolve.ts'
import { type Folded, type Item, isFact } from './facts.ts'
import { nextStep } from './next-step.ts'
import { opening } from './opening.ts'
import type { Ports } from './ports.ts'
import { settle } from './settle.ts'
import type { SessionState } from './state.ts'
import type { Outcome, Step } from './steps.ts'

/**
 * The state of a running session and the only two ways it changes: `record` what was decided here, `fold` what the store has
 * already kept and announced. Both are synchronous, so nobody sees a state between two items.
 */
export type Machine = {
  state(): SessionState
  record(items: readonly Item[]): void
  fold(event: Folded): void
  /** Aborts with the work under way: one signal per turn, or per step outside a turn (SESS-048). */
  signal(): AbortSignal
  abort(): void
  /** Starts new work; called between turns only. */
  renew(): void
  wake(): void
  /** Resolves when someone woke the session since the last call (SESS-040). */
  woken(): Promise<void>
}

/** A machine at `start`: what is recorded is on disk first, then told, then folded. */
export function createMachine(start: SessionState, ports: Pick<Ports, 'clock' | 'store' | 'tell'>): Machine {
  let state = start
  let work = new AbortController()
  let isAwake = false
  let onWake: (() => void) | null = null

  const fold = (item: Folded) => {
    state = evolve(state, item)
  }
  return {
    state: () => state,
    fold,
    record(items) {
      const at = ports.clock.now()
      const stamped: Folded[] = items.map((item) => (isFact(item) ? item : { ...item, session: state.session, at }))
      // Neighbouring durable events are one transaction (SESS-025); durable first, then told, then folded.
      for (const group of grouped(stamped)) {
        if (group.durable.length > 0) ports.store.record(group.durable)
        for (const item of group.all) fold(item)
        if (group.told !== null) ports.tell(group.told)
      }
    },
    signal: () => work.signal,
    abort: () => work.abort(),
    renew() {
      if (work.signal.aborted) work = new AbortController()
    },
    wake() {
      isAwake = true
      onWake?.()
    },
    async woken() {
      if (!isAwake)
        await new Promise<void>((resolve) => {
          onWake = resolve
        })
      onWake = null
      isAwake = false
    }
  }
}

/**
 * Runs a session to its end. `perform` alone touches the world; what it is asked for comes from `nextStep`, what its
 * outcome means from `settle`.
 */
export async function runSession(
  machine: Machine,
  perform: (step: Step, state: SessionState) => Promise<Outcome>,
  isLong: (name: string) => boolean
): Promise<SessionState> {
  for (;;) {
    if (machine.state().current === null) machine.renew()
    else if (machine.signal().aborted && !machine.state().run.interrupted) machine.record([{ fact: 'interrupt-asked' }])
    const step = nextStep(machine.state())
    if (step.kind === 'end') return machine.state()
    machine.record(opening(machine.state(), step, isLong))
    const outcome = await perform(step, machine.state())
    machine.record(settle(machine.state(), outcome))
  }
}

type Group = {
  readonly all: readonly Folded[]
  readonly durable: Parameters<Ports['store']['record']>[0]
  readonly told: Parameters<Ports['tell']>[0] | null
}

function grouped(items: readonly Folded[]): readonly Group[] {
  const groups: Group[] = []
  let neighbours: DurableEvent[] | null = null
  for (const item of items) {
    if (isFact(item) || !isDurable(item)) {
      neighbours = null
      groups.push({ all: [item], durable: [], told: isFact(item) ? null : item })
    } else if (neighbours !== null) neighbours.push(item)
    else {
      // All of such a group is durable; it grows in place, as a reply can have thousands of calls.
      neighbours = [item]
      groups.push({ all: neighbours, durable: neighbours, told: null })
    }
  }
  return groups
}
