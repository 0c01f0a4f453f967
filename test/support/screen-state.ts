import type { Command } from '../../src/protocol/command.ts'
import { sessionId } from '../../src/protocol/ids.ts'
import { createInputDecoder } from '../../ui/keys/index.ts'
import { armed, painted } from '../../ui/overlays/stack.ts'
import { press } from '../../ui/store/press.ts'
import { reduce } from '../../ui/store/reduce.ts'
import { type Effect, initialState, type ScreenState } from '../../ui/store/state.ts'
import { boot, type ScriptedEvent } from './screen-harness.ts'

// The screen as a pure state: bytes and events in, state and commands out, no terminal and no clock.

/** An idle session in a project with a grid, an op-id set unless told otherwise. */
export function gateScreen(
  facts: { readonly columns?: number; readonly rows?: number; readonly opId?: string | null } = {}
): ScreenState {
  const { columns = 80, rows = 24, opId = 'alice@example.com' } = facts
  const state = initialState({ ...boot, header: { ...boot.header, gridVersion: 1, opId } }, { columns, rows })
  return told(state, { kind: 'phase-changed', from: 'init', to: 'ready', reason: '' })
}

/** The state after these events. */
export function told(state: ScreenState, ...events: readonly ScriptedEvent[]): ScreenState {
  return events
    .map((event) => ({ ...event, session: sessionId('s'), at: 1 }) as Parameters<typeof reduce>[1])
    .reduce(reduce, state)
}

/** The front overlay after it was painted and left in peace for long enough. */
export function armedBy(state: ScreenState): ScreenState {
  const now = Math.max(0, state.keys.lastAt)
  return { ...state, overlays: armed(painted(state.overlays, now), now + 400) }
}

export type Typed = {
  readonly state: ScreenState
  readonly effects: readonly Effect[]
  readonly commands: readonly Command[]
}

/** Types the pieces with `gapMs` between them, as a person would, from `state` on. */
function typingEvery(gapMs: number, state: ScreenState, ...pieces: readonly string[]): Typed {
  const decoder = createInputDecoder()
  const effects: Effect[] = []
  let now = Math.max(0, state.keys.lastAt)
  let at = state
  for (const piece of pieces) {
    now += gapMs
    for (const input of [...decoder.push(piece, now), ...decoder.flush(now)]) {
      const outcome = press(at, input, now)
      at = outcome.state
      effects.push(...outcome.effects)
    }
  }
  return { state: at, effects, commands: effects.flatMap((each) => (each.kind === 'dispatch' ? [each.command] : [])) }
}

/** A key every 125 ms: eight a second. */
export function typing(state: ScreenState, ...pieces: readonly string[]): Typed {
  return typingEvery(125, state, ...pieces)
}
