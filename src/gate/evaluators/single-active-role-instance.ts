import type { EvaluationContext, PassFact } from '../../protocol/evaluation.ts'
import type { EvaluationResult } from '../../protocol/gate.ts'
import { textArg } from './args.ts'
import { failed, passed, unevaluated } from './result.ts'

/** The passes as they are while the clause is evaluated; null when no live pass table is attached (CONC-12). */
export type LivePasses = readonly PassFact[] | null

/** No other pass of the same role is open in the context (CONC-86). */
export async function singleActiveRoleInstance(
  { args, passId }: EvaluationContext,
  passes: LivePasses
): Promise<EvaluationResult> {
  if (passes === null) return unevaluated('store-unavailable', { error: 'no live pass table is attached' })
  const role = textArg(args, 'role')
  const context = textArg(args, 'context')
  const others = passes.filter(
    (pass) =>
      pass.state === 'open' && pass.id !== passId && pass.role === role && (context === '*' || pass.context === context)
  )
  const details = { role, context, 'conflicting-pass-ids': others.map(({ id }) => id) }
  return others.length === 0 ? passed(details) : failed(details)
}
