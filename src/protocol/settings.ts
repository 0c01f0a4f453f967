// The values that steer a session, the same wherever they travel: checked by the configuration, obeyed by the agent.

/** When a step goes to which model (ROUTE-002…010). */
export type RoutingConfig = {
  readonly defaultModel: string
  readonly deepModel: string | null
  readonly contextDepthThreshold: number
  readonly toolDepthThreshold: number
  readonly enableAutoRouting: boolean
  readonly gateFloorEscalateAtRank: number
  readonly gateFloorDisabled: boolean
}

/** How far a sub-agent may go (CTX-090…093). */
export type SubAgentConfig = {
  /** Name of the model; `routing.defaultModel` when omitted. */
  readonly defaultModel: string
  readonly maxTurns: number
  readonly tokenBudget: number
  readonly timeoutSeconds: number
}
