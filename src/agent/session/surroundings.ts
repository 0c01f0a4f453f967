import type { Item } from './facts.ts'
import type { Errand } from './line.ts'
import type { Machine } from './loop.ts'
import type { Ports } from './ports.ts'
import type { Voice } from './voice.ts'

/** What steps are performed with. */
export type Surroundings = {
  readonly machine: Machine
  readonly ports: Ports
  readonly voice: Voice
  readonly settlesPredecessors: boolean
  runErrand(errand: Errand, signal: AbortSignal): Promise<readonly Item[]>
  /** What is told once the session is ready: its commands (CTX-127). */
  greeting(): readonly Item[]
}
