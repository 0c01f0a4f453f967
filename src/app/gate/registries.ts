import type { Registry } from '../../gate/evaluators/index.ts'
import type { Gates } from '../../gate/runner/index.ts'
import type { EvaluatorRegistry } from '../../protocol/evaluation.ts'
import type { Binding } from '../../protocol/grid.ts'
import type { EvaluationWatch } from './progress.ts'

/** The evaluators of a session, watched, and how others follow them. */
export interface Registries {
  readonly first: EvaluatorRegistry
  /** Those in force with other bindings: each key goes on counting its generations (RUN-724). */
  with(inForce: EvaluatorRegistry, bindings: Readonly<Record<string, Binding>>): EvaluatorRegistry
}

/** Starts with the bindings of the grid in force (RUN-724, OPUI-321). */
export function watchRegistries(initial: Registry, evaluations: EvaluationWatch): Registries {
  const plain = new WeakMap<EvaluatorRegistry, Registry>()
  const watched = (registry: Registry) => {
    const over = evaluations.over(registry)
    plain.set(over, registry)
    return over
  }
  return {
    first: watched(initial),
    with: (inForce, bindings) => watched((plain.get(inForce) ?? initial).withBindings(bindings))
  }
}

/** Keys of machine clauses of the grid in force that nobody bound (PERS-400 step 12). */
export function missingBindings({ grid }: Gates): readonly string[] {
  const registry = grid.registry()
  const keys = (grid.current()?.arrows ?? []).flatMap(({ clauses }) =>
    clauses
      .filter(({ eval: type, concept, missing }) => type === 'machine' && concept !== null && missing.length === 0)
      .map(({ concept, args }) => registry.keyOf(concept ?? '', args))
  )
  return registry.missing(keys)
}
