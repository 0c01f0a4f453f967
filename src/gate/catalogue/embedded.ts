import acyclicDependencyGraph from '../../../gates/concepts/acyclic-dependency-graph.yaml'
import arrowArtifactPresent from '../../../gates/concepts/arrow-artifact-present.yaml'
import cardinalityCheck from '../../../gates/concepts/cardinality-check.yaml'
import compiles from '../../../gates/concepts/compiles.yaml'
import everyRequirementMeetsMinDepth from '../../../gates/concepts/every-requirement-meets-min-depth.yaml'
import everyStepBound from '../../../gates/concepts/every-step-bound.yaml'
import killServerFailsIntegration from '../../../gates/concepts/kill-server-fails-integration.yaml'
import lintClean from '../../../gates/concepts/lint-clean.yaml'
import modeDeterminableFromRepo from '../../../gates/concepts/mode-determinable-from-repo.yaml'
import mutationScore from '../../../gates/concepts/mutation-score.yaml'
import noOpenFinding from '../../../gates/concepts/no-open-finding.yaml'
import noOrphanSymbol from '../../../gates/concepts/no-orphan-symbol.yaml'
import noTodoMarker from '../../../gates/concepts/no-todo-marker.yaml'
import predicateForm from '../../../gates/concepts/predicate-form.yaml'
import singleActiveRoleInstance from '../../../gates/concepts/single-active-role-instance.yaml'
import testsPass from '../../../gates/concepts/tests-pass.yaml'
import traceLinkPresent from '../../../gates/concepts/trace-link-present.yaml'
import uniqueDefinition from '../../../gates/concepts/unique-definition.yaml'

/** The text of one schema file under the name it has in its folder. */
export type SchemaSource = { readonly file: string; readonly text: string }

/** The schema files the product ships, part of the program itself (CONC-1), in the order of the catalogue. */
export const embeddedSchemas: readonly SchemaSource[] = [
  { file: 'compiles.yaml', text: compiles },
  { file: 'lint-clean.yaml', text: lintClean },
  { file: 'every-step-bound.yaml', text: everyStepBound },
  { file: 'no-todo-marker.yaml', text: noTodoMarker },
  { file: 'no-open-finding.yaml', text: noOpenFinding },
  { file: 'every-requirement-meets-min-depth.yaml', text: everyRequirementMeetsMinDepth },
  { file: 'no-orphan-symbol.yaml', text: noOrphanSymbol },
  { file: 'mutation-score.yaml', text: mutationScore },
  { file: 'acyclic-dependency-graph.yaml', text: acyclicDependencyGraph },
  { file: 'tests-pass.yaml', text: testsPass },
  { file: 'kill-server-fails-integration.yaml', text: killServerFailsIntegration },
  { file: 'trace-link-present.yaml', text: traceLinkPresent },
  { file: 'unique-definition.yaml', text: uniqueDefinition },
  { file: 'predicate-form.yaml', text: predicateForm },
  { file: 'arrow-artifact-present.yaml', text: arrowArtifactPresent },
  { file: 'cardinality-check.yaml', text: cardinalityCheck },
  { file: 'mode-determinable-from-repo.yaml', text: modeDeterminableFromRepo },
  { file: 'single-active-role-instance.yaml', text: singleActiveRoleInstance }
]
