import type { ScreenPorts } from '../protocol/screen.ts'
import type { DemoPlace } from './sample.ts'

/**
 * What the demo needs from the program around it. Both run in `place.project` with `place.env` as their whole environment, children
 * included.
 */
export interface DemoHost {
  /**
   * Opens the full screen, or what stands for it on this terminal, with `greeting` as one of its first lines; resolves with the exit
   * code when the visitor leaves.
   */
  openScreen(place: DemoPlace, greeting: string): Promise<number>
  /** Declares the gates of the project, before its first commit: what `ghyll init` does, with no clause that needs a model. */
  declareGates(project: string, env: DemoPlace['env']): Promise<void>
  /** Runs an offline command of the program in the project; its exit code and what it printed. */
  command(place: DemoPlace, args: readonly string[]): Promise<{ readonly code: number; readonly out: string }>
  /** Opens a session without any screen, the way `exec` does. */
  openSession(place: DemoPlace): Promise<TourSession>
}

/** A session as the tour drives it: what the screen gets, and its end. */
export type TourSession = Pick<ScreenPorts, 'subscribe' | 'dispatch'> & {
  /** Resolves with the exit code after the session has shut down in order. */
  readonly ended: Promise<number>
}
