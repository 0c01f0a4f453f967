import type { DialectFamily } from '../../protocol/model.ts'
import type { RoutingConfig, SubAgentConfig } from '../../protocol/settings.ts'

/** What a session knows of one configured model; address and key stay with the client. */
export type ModelFacts = {
  readonly name: string
  /** Dialect family. */
  readonly family: DialectFamily
  readonly maxContext: number
  /** For commit trailers (MODEL-090). */
  readonly stampLabel: string
}

/** The values of the configuration that steer a session. They never change while it lives. */
export type Rules = {
  readonly models: Readonly<Record<string, ModelFacts>>
  readonly routing: RoutingConfig
  /** `--model` was given: the router never switches (ROUTE-004 rows 2 and 3). */
  readonly locked: boolean
  readonly checkpointIntervalTurns: number
  readonly driftCheckIntervalTurns: number
  /** A drift port is there (CTX-040). */
  readonly measuresDrift: boolean
  /** Cap on every tool result, negative for none (TOOL-011); the session applies it to what a sub-agent answers (CTX-093). */
  readonly maxResultBytes: number
  readonly subAgent: SubAgentConfig
}

/** Tool calls since the last words of the operator; those beyond it are refused (SESS-036). */
export const maxToolDepth = 50
/** What is said when they are (SESS-072). */
export const tooDeepText = `tool call depth exceeded (${maxToolDepth})`
/** Retries of one logical model call on one model (SESS-045). */
export const maxRetries = 3
