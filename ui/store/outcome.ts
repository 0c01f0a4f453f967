import type { Command } from '../../src/protocol/command.ts'
import { type RequestId, requestId } from '../../src/protocol/ids.ts'
import type { Outcome, ScreenState } from './state.ts'

/** A state with nothing to do outside it. */
export function only(state: ScreenState): Outcome {
  return { state, effects: [] }
}

/** A state and the commands that go out with it, in order. */
export function dispatching(state: ScreenState, ...commands: readonly Command[]): Outcome {
  return { state, effects: commands.map((command) => ({ kind: 'dispatch', command })) }
}

/** The id for the next thing the screen asks for, and the state that has used it up; the answer carries the id. */
export function numberedRequest(state: ScreenState): { readonly state: ScreenState; readonly request: RequestId } {
  const { nextRequest } = state
  return { state: { ...state, nextRequest: nextRequest + 1 }, request: requestId(`ui-${nextRequest}`) }
}
