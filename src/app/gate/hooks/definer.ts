import { z } from 'zod'
import type { Catalogue } from '../../../gate/catalogue/index.ts'
import { ask } from '../../../gate/runner/adversary/index.ts'
import type { DeclarePorts, Defined, Suspension } from '../../../gate/runner/on-the-spot/index.ts'
import type { Arrow } from '../../../protocol/grid.ts'
import { withReminder } from './bundle.ts'
import type { Converse } from './converse.ts'
import { definitionOf, readDefinition } from './definition.ts'
import { DefinerFailure } from './errors.ts'
import { prompts } from './prompts.ts'
import { fill } from './render.ts'

export type DefinerOptions = {
  readonly converse: Converse
  readonly catalogue: Catalogue
  /** Deep tier, for this act only (GATE-97). */
  readonly model: () => string
}

/** Completes the contract for a hand-off nobody declared (GATE-97, RUN-801). What it may do is add. Throws `DefinerFailure`. */
export function createDefiner({ converse, catalogue, model }: DefinerOptions): NonNullable<DeclarePorts['define']> {
  return async (suspension, signal): Promise<Defined> => {
    const { arrowId, source, target, context, proposal } = suspension
    const task = fill(prompts.definer, {
      id: arrowId,
      source,
      target,
      context,
      proposal: JSON.stringify(definitionOf(proposal), null, 1)
    })
    const call = (reminder: string | null) =>
      converse({
        model: model(),
        system: prompts.reader,
        task: withReminder(task, { reminder }),
        tools: 'read-only',
        signal
      })
    const asked = await ask(call, additionShape(suspension, catalogue), () => signal.aborted)
    switch (asked.kind) {
      case 'reply':
        return { kind: 'definition', arrow: asked.reply }
      case 'failed':
        return { kind: 'invalid', text: asked.text }
      case 'unreachable':
        throw new DefinerFailure(
          'definer-unreachable',
          `model unreachable: ${asked.text}`,
          'run it again when the model answers, or without a model for the contract alone'
        )
      case 'over':
        throw new DefinerFailure('definer-interrupted', 'interrupted')
    }
  }
}

/** Identity as the model names it, and the proposal with what it adds; whether the identity fits is judged where it counts. */
function additionShape({ proposal }: Suspension, catalogue: Catalogue): z.ZodType<Arrow> {
  const list = z.array(z.unknown()).default([])
  return z
    .object({
      id: z.string(),
      'source-role': z.string(),
      'target-role': z.string(),
      context: z.string(),
      clauses: list,
      requirements: list,
      dependencies: list
    })
    .transform((given, context): Arrow => {
      const known = definitionOf(proposal)
      const whole = (key: 'clauses' | 'requirements' | 'dependencies') => [
        ...((known[key] as readonly unknown[] | undefined) ?? []),
        ...given[key]
      ]
      const dependencies = known.dependencies === undefined && given.dependencies.length === 0
      const read = readDefinition(
        {
          ...known,
          ...given,
          clauses: whole('clauses'),
          requirements: whole('requirements'),
          dependencies: dependencies ? null : whole('dependencies')
        },
        catalogue
      )
      if ('arrow' in read) return read.arrow
      context.addIssue({ code: 'custom', message: read.problem })
      return z.NEVER
    })
}
