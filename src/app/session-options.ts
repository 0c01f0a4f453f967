import type { SessionOptions } from '../agent/session/index.ts'
import type { Started } from './start.ts'

/** What the configuration and the command line mean for a session. */
export function sessionOptions(started: Started): SessionOptions {
  const { config } = started
  const models = Object.entries(config.models).map(
    ([name, { family, maxContext, stampLabel }]) => [name, { name, family, maxContext, stampLabel }] as const
  )
  return {
    session: started.session,
    workdir: started.workdir,
    model: started.model,
    locked: started.locked,
    settlesPredecessors: true,
    models: Object.fromEntries(models),
    routing: config.routing,
    checkpointIntervalTurns: config.memory.checkpointIntervalTurns,
    driftCheckIntervalTurns: config.memory.driftCheckIntervalTurns,
    maxResultBytes: config.tools.maxResultBytes,
    subAgent: config.subAgent
  }
}
