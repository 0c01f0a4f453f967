import type { ConversationHost } from '../../../agent/session/index.ts'
import type { Config } from '../../../config/types.ts'
import type { Catalogue } from '../../../gate/catalogue/index.ts'
import { type CyclePorts, createCycle } from '../../../gate/runner/adversary/index.ts'
import type { DrainPorts } from '../../../gate/runner/amendment/index.ts'
import type { Cycle, Gates } from '../../../gate/runner/index.ts'
import type { DeclarePorts } from '../../../gate/runner/on-the-spot/index.ts'
import { assert } from '../../../lib/assert.ts'
import { createAnalyst } from './analyst.ts'
import { createHookBundle } from './bundle.ts'
import { createConverse, packetBytesFor } from './converse.ts'
import { createDefiner } from './definer.ts'

/** What the gate does with models. Each of these makes real calls; none is there without a usable model. */
export type ModelHooks = {
  readonly cycle: Cycle
  readonly propose: NonNullable<DrainPorts['propose']>
  readonly define: NonNullable<DeclarePorts['define']>
}

export type ModelHooksOptions = {
  readonly host: ConversationHost
  readonly config: Pick<Config, 'subAgent' | 'routing' | 'models'>
  /** Model of `--model`, which then serves every errand; or null. */
  readonly lockedModel: string | null
  readonly catalogue: Catalogue
  /** The hooks are made before the gates they serve. */
  readonly gates: () => Gates
  readonly ports: Omit<CyclePorts, 'packetBytes'>
}

/**
 * Wires the hooks to the configured models: the cycle to the model of its pass, analyst and definer to the deepest there is (RUN-611,
 * RUN-726, GATE-97).
 */
export function createModelHooks(options: ModelHooksOptions): ModelHooks {
  const { host, config, lockedModel, catalogue, gates, ports } = options
  const converse = createConverse(host, config.subAgent)
  const smallest = Math.min(...Object.values(config.models).map(({ maxContext }) => maxContext))
  const packetBytes = packetBytesFor(config.subAgent.tokenBudget, smallest)
  const cycle = createCycle(gates, createHookBundle(converse), { ...ports, packetBytes })
  assert(cycle !== null, 'the bundle is complete')
  const model = () => lockedModel ?? config.routing.deepModel ?? config.routing.defaultModel
  return {
    cycle,
    propose: createAnalyst({ converse, catalogue, model, grid: () => gates().grid.current() }),
    define: createDefiner({ converse, catalogue, model })
  }
}
