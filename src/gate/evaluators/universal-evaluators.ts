import type { Evaluator } from '../../protocol/evaluation.ts'
import { arrowArtifactPresent } from './arrow-artifact-present.ts'
import { cardinalityCheck } from './cardinality-check.ts'
import { everyRequirementMeetsMinDepth } from './every-requirement-meets-min-depth.ts'
import { killServerFailsIntegration } from './kill-server-fails-integration.ts'
import type { Machine } from './machine.ts'
import { modeDeterminableFromRepo } from './mode-determinable-from-repo.ts'
import { noOpenFinding } from './no-open-finding.ts'
import { noTodoMarker } from './no-todo-marker.ts'
import { predicateForm } from './predicate-form.ts'
import { singleActiveRoleInstance } from './single-active-role-instance.ts'
import { traceLinkPresent } from './trace-link-present.ts'
import { uniqueDefinition } from './unique-definition.ts'

/** The concepts that need no binding and no live state, under their names (CONC-3). */
export function universalEvaluators(machine: Machine): Readonly<Record<string, Evaluator>> {
  return {
    'no-todo-marker': noTodoMarker,
    'no-open-finding': noOpenFinding,
    'every-requirement-meets-min-depth': everyRequirementMeetsMinDepth,
    'kill-server-fails-integration': killServerFailsIntegration(machine),
    'trace-link-present': traceLinkPresent,
    'unique-definition': uniqueDefinition,
    'predicate-form': predicateForm,
    'arrow-artifact-present': arrowArtifactPresent(machine),
    'cardinality-check': cardinalityCheck,
    'mode-determinable-from-repo': modeDeterminableFromRepo(machine)
  }
}

/** The concepts that read live pass state, in a table of their own (CONC-12). */
export const liveEvaluators = { 'single-active-role-instance': singleActiveRoleInstance } as const
