import type { ConfinedOutcome, ConfinedRequest } from '../../platform/confined.ts'

/** What evaluators use of the machine; a program hands in its own registry of children, so that none outlives it. */
export type Machine = {
  confine(request: ConfinedRequest): Promise<ConfinedOutcome>
  /** The environment that commands inherit the harmless part of (CONC-19). */
  readonly env: NodeJS.ProcessEnv
  /** Between SIGTERM and SIGKILL, in milliseconds; 5 s without it (CONC-20). */
  readonly graceMs?: number
  /** The profiler's answer: greenfield or brownfield (`builtin:profile`, CONC-84). */
  profile(projectDir: string, signal: AbortSignal): Promise<string>
}
