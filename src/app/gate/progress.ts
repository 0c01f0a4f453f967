import type { EvaluationContext, EvaluatorRegistry } from '../../protocol/evaluation.ts'

/** Tells which clause is being evaluated, without the evaluators or the kernel knowing that somebody looks (OPUI-321). */
export interface EvaluationWatch {
  /** The same evaluators, watched. */
  over(registry: EvaluatorRegistry): EvaluatorRegistry
  /** Called before each evaluation; one listener at a time, null ends it. */
  listen(listener: ((context: Pick<EvaluationContext, 'arrowId' | 'clauseId' | 'passId'>) => void) | null): void
}

/** A watch nobody listens to yet (OPUI-321). */
export function watchEvaluations(): EvaluationWatch {
  let listener: Parameters<EvaluationWatch['listen']>[0] = null
  return {
    over: (registry) => ({
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
    }),
    listen(next) {
      listener = next
    }
  }
}
