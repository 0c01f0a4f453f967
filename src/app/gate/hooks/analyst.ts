import { z } from 'zod'
import { type Catalogue, readBinding } from '../../../gate/catalogue/index.ts'
import { ask } from '../../../gate/runner/adversary/index.ts'
import type { Amendment, DrainPorts, Proposed } from '../../../gate/runner/amendment/index.ts'
import type { Arrow, Binding, Grid } from '../../../protocol/grid.ts'
import { withReminder } from './bundle.ts'
import type { Converse } from './converse.ts'
import { definitionOf, readDefinition } from './definition.ts'
import { prompts } from './prompts.ts'
import { fill } from './render.ts'

export type AnalystOptions = {
  readonly converse: Converse
  readonly catalogue: Catalogue
  /** The deep model where there is one. */
  readonly model: () => string
  readonly grid: () => Grid | null
}

/** The analyst called back for an amendment: it edits the specifications, then proposes what changes in the grid (RUN-726). */
export function createAnalyst({
  converse,
  catalogue,
  model,
  grid
}: AnalystOptions): NonNullable<DrainPorts['propose']> {
  return async (amendment, signal): Promise<Proposed> => {
    const system = fill(prompts.analyst, briefing(amendment, grid()))
    const call = (reminder: string | null) =>
      converse({
        model: model(),
        system,
        task: withReminder('Close the gap in the specifications, then answer.', { reminder }),
        tools: 'sub-agent',
        signal
      })
    const asked = await ask(call, proposalShape(catalogue), () => signal.aborted)
    if (asked.kind === 'reply') return { kind: 'proposal', ...asked.reply }
    return { kind: 'failed', text: asked.kind === 'over' ? 'interrupted' : asked.text }
  }
}

function briefing(amendment: Amendment, grid: Grid | null): Readonly<Record<string, string>> {
  return {
    description: amendment.description,
    source_arrow: amendment.sourceArrow,
    contexts: amendment.contexts.join(', '),
    findings: amendment.findingIds.join(', '),
    grid_version: `${grid?.version ?? 0}`,
    arrows: (grid?.arrows ?? []).map((arrow) => JSON.stringify(definitionOf(arrow))).join('\n')
  }
}

type Proposal = Omit<Extract<Proposed, { kind: 'proposal' }>, 'kind'>

/** The answer; a definition or binding nobody could put into a grid makes all of it malformed. */
function proposalShape(catalogue: Catalogue): z.ZodType<Proposal> {
  const definition = z.unknown().transform((value, context): Arrow => {
    const read = readDefinition(value, catalogue)
    if ('arrow' in read) return read.arrow
    context.addIssue({ code: 'custom', message: read.problem })
    return z.NEVER
  })
  const bindings = z.record(z.string(), z.unknown()).transform((given, context) => {
    const read: Record<string, Binding> = {}
    for (const [key, value] of Object.entries(given)) {
      const one = readBinding(catalogue, key, value)
      if ('problem' in one) context.addIssue({ code: 'custom', message: one.problem.message })
      else read[one.key] = one.binding
    }
    return read
  })
  return z
    .object({
      new_arrows: z.array(definition),
      new_language_bindings: bindings,
      changed_artifacts: z.array(z.string().trim().min(1)),
      rationale: z.string().trim().default('')
    })
    .transform(({ new_arrows, new_language_bindings, changed_artifacts, rationale }) => ({
      content: { newArrows: new_arrows, newBindings: new_language_bindings, changedArtifacts: changed_artifacts },
      rationale
    }))
}
