import type { ReceivedRequest } from './endpoint.ts'
import type { DemoHost, TourSession } from './host.ts'
import type { DemoPlace } from './sample.ts'
import type { Watch } from './watch.ts'

// What a station of the tour is, and what it has to work with.

export type TourContext = {
  readonly place: DemoPlace
  readonly session: TourSession
  readonly watch: Watch
  /** Every request the endpoint received so far. */
  readonly requests: readonly ReceivedRequest[]
  readonly command: DemoHost['command']
}

export type TourStep = {
  readonly title: string
  /** Does it and resolves with the proof in words; rejects when the effect is missing. */
  play(context: TourContext): Promise<string>
}

/** Types something, a slash command or what is meant for the model, and presses Enter. */
export function submit({ session }: Pick<TourContext, 'session'>, text: string): void {
  session.dispatch({ kind: 'submit', text, delivery: 'steer' })
}
