import type { EvaluationContext, EvaluatorRegistry } from '../../protocol/evaluation.ts'

/** Tells which clause is being evaluated, without the evaluators or the kernel knowing that somebody looks (OPUI-321). */
export interface EvaluationWatch {
  readonly registry: EvaluatorRegistry
  /** Called before each evaluation; one listener at a time, null ends it. */
  listen(listener: ((context: Pick<EvaluationContext, 'arrowId' | 'clauseId' | 'passId'>) => void) | null): void
}

export function watchEvaluations(registry: EvaluatorRegistry): EvaluationWatch {
  let listener: Parameters<EvaluationWatch['listen']>[0] = null
  return {
    registry: {
      keyOf: registry.keyOf,
      missing: registry.missing,
      lookUp(key) {
        const found = registry.lookUp(key)
        if (found === null) return null
        return {
          ...found,
          evaluate(context) {
            listener?.(context)
            return found.evaluate(context)
          }
        }
      }
    },
    listen(next) {
      listener = next
    }
  }
}
