import { assert } from '../../lib/assert.ts'
import type { ContextEntry } from '../../protocol/entry.ts'
import type { DialectFamily, WireMessage } from '../../protocol/model.ts'
import type { ToolAudience, ToolSpec } from '../../protocol/tool.ts'
import { type TokenCounter, tokenCounter } from '../context/index.ts'
import {
  type Corrections,
  correctionFor,
  type Dialect,
  dialectFor,
  noCorrections,
  observeRejection,
  observeUsage
} from '../dialects/index.ts'
import type { Ports } from './ports.ts'
import type { ModelFacts, Rules } from './rules.ts'

/** How a session speaks to its models: prompts, wire messages and estimates, each in the dialect of the model asked. */
export type Voice = {
  facts(model: string): ModelFacts
  dialect(model: string): Dialect
  counter(model: string): TokenCounter
  /** What estimates for this model are multiplied by (MODEL-011). */
  correction(model: string): number
  system(model: string, audience: ToolAudience, planMode: boolean): { prompt: string; warnings: readonly string[] }
  /** Corrected tokens of a whole request (CTX-010). */
  tokens(model: string, audience: ToolAudience, planMode: boolean, entries: readonly ContextEntry[]): number
  build(model: string, audience: ToolAudience, planMode: boolean, entries: readonly ContextEntry[]): BuiltRequest
  /** Learns from what an endpoint reported. */
  observe(model: string, reported: number, estimated: number): void
  /** Learns from a rejection as too long. */
  rejected(model: string, estimated: number): void
}

export type BuiltRequest = {
  readonly messages: readonly WireMessage[]
  readonly tools: readonly ToolSpec[]
  /** Before correction. */
  readonly estimated: number
}

/** One per session: what it learns about its endpoints is its own. */
export function createVoice(
  rules: Pick<Rules, 'models'>,
  workdir: string,
  ports: Pick<Ports, 'tools' | 'log'> & { readonly workflow: Pick<Ports['workflow'], 'compose'> }
): Voice {
  const counters = new Map<DialectFamily, TokenCounter>()
  let corrections: Corrections = noCorrections

  const facts = (model: string) => {
    const known = rules.models[model]
    assert(known !== undefined, `model ${model} is not configured`)
    return known
  }
  const dialect = (model: string) => dialectFor(facts(model).family)
  const counter = (model: string) => {
    const { family } = facts(model)
    const speaker = dialectFor(family)
    const known = counters.get(family)
    if (known !== undefined) return known
    const made = tokenCounter({
      entry: (entry) => speaker.tokenCount([entry]),
      text: (text) => speaker.tokenCount([{ kind: 'text', text }])
    })
    counters.set(family, made)
    return made
  }
  const correction = (model: string) => correctionFor(corrections, model)
  const system = (model: string, audience: ToolAudience, planMode: boolean) => {
    const speaker = dialect(model)
    return ports.workflow.compose({
      base: speaker.systemPrompt(workdir),
      overlay: planMode && audience === 'session' ? speaker.planModePrompt() : null,
      count: (text) => counter(model).text(text)
    })
  }
  return {
    facts,
    dialect,
    counter,
    correction,
    system,
    tokens(model, audience, planMode, entries) {
      const { prompt } = system(model, audience, planMode)
      const parts = { system: prompt, entries, tools: ports.tools.specs(audience) }
      return counter(model).request(parts, correction(model))
    },
    build(model, audience, planMode, entries) {
      const { prompt } = system(model, audience, planMode)
      const tools = ports.tools.specs(audience)
      const { messages, repairs } = dialect(model).buildMessages(entries, prompt)
      if (repairs > 0) ports.log(`request to ${model}: ${repairs} places of the history were mended (MODEL-026)`)
      return { messages, tools, estimated: counter(model).request({ system: prompt, entries, tools }) }
    },
    observe(model, reported, estimated) {
      corrections = observeUsage(corrections, model, { reported, estimated })
    },
    rejected(model, estimated) {
      corrections = observeRejection(corrections, model, { maxContext: facts(model).maxContext, estimated })
    }
  }
}
