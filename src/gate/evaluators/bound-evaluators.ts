import type { Evaluator } from '../../protocol/evaluation.ts'
import type { Binding } from '../../protocol/grid.ts'
import { acyclicDependencyGraph } from './acyclic-dependency-graph.ts'
import { compiles } from './compiles.ts'
import { everyStepBound } from './every-step-bound.ts'
import { lintClean } from './lint-clean.ts'
import type { Machine } from './machine.ts'
import { mutationScore } from './mutation-score.ts'
import { noOrphanSymbol } from './no-orphan-symbol.ts'
import { testsPass } from './tests-pass.ts'

type Factory = (machine: Machine, binding: Binding) => Evaluator

const factories: ReadonlyMap<string, Factory> = new Map<string, Factory>([
  ['compiles', compiles],
  ['lint-clean', lintClean],
  ['every-step-bound', everyStepBound],
  ['no-orphan-symbol', noOrphanSymbol],
  ['mutation-score', mutationScore],
  ['acyclic-dependency-graph', acyclicDependencyGraph],
  ['tests-pass', testsPass]
])

/** The evaluator of a declared binding under `<concept>.<language>`, or null when the concept needs none (CONC-3, CONC-10). */
export function boundEvaluator(machine: Machine, key: string, binding: Binding): Evaluator | null {
  const concept = key.slice(0, Math.max(0, key.indexOf('.')))
  return factories.get(concept)?.(machine, binding) ?? null
}
