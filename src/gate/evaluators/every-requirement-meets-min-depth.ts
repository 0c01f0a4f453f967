import type { RequirementFact } from '../../protocol/evaluation.ts'
import { textArg } from './args.ts'
import { evaluator, failed, listed, passed, Undecided, unevaluated } from './result.ts'

/** Every requirement was observed at its minimum depth or deeper (CONC-52…54). */
export const everyRequirementMeetsMinDepth = evaluator(async ({ args, state }) => {
  const requirements = state.requirements(textArg(args, 'arrow-id'))
  if (requirements === null) throw new Undecided('store-unavailable', 'no requirements store is attached')
  const below = requirements.filter(
    ({ classified, minDepth }) => typeof classified === 'number' && classified < minDepth
  )
  const open = requirements.filter(({ classified }) => typeof classified !== 'number')
  const details = {
    'requirement-count': requirements.length,
    ...listed('below-min', below.map(shown)),
    ...listed(
      'unclassified',
      open.map(({ id }) => id)
    )
  }
  if (below.length > 0) return failed(details)
  if (open.length > 0) {
    // A classifier that was too shallow left its mark; without any mark none has run.
    const tooShallow = open.some(({ classified }) => classified === 'unevaluated')
    const reason = tooShallow ? 'depth-below-required' : 'store-unavailable'
    return unevaluated(reason, { error: reason, ...details })
  }
  return passed(requirements.length === 0 ? { ...details, vacuous: true } : details)
})

function shown({ id, classified, minDepth, evidence }: RequirementFact) {
  return { 'requirement-id': id, classified, minimum: minDepth, evidence }
}
