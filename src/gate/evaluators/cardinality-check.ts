import type { EvaluationContext } from '../../protocol/evaluation.ts'
import type { Args } from '../../protocol/grid.ts'
import { textArg } from './args.ts'
import { compileNonEmpty, type Patterns, withPatterns } from './patterns.ts'
import { countInState } from './project-state.ts'
import { linesOf } from './read-text.ts'
import { evaluator, failed, listed, passed, Undecided } from './result.ts'
import { conclude, isIncomplete, scanTexts } from './scan.ts'

/** The number of matches in files, or of facts in the project's state, lies in the expected range (CONC-81…83). */
export const cardinalityCheck = evaluator(async (context) => {
  const { args } = context
  const expected = expectedOf(args)
  const target = textArg(args, 'query-target')
  if (target === 'project-state') {
    const actual = countInState(textArg(args, 'query'), context.state)
    const details = { actual, expected: args.expected }
    const fits = expected.min <= actual && actual <= expected.max
    return fits ? passed(details) : failed(details)
  }
  return countInFiles(context, target, expected)
})

async function countInFiles(context: EvaluationContext, glob: string, expected: Bounds) {
  const pattern = textArg(context.args, 'query')
  compileNonEmpty(pattern)
  const results: { file: string; matches: number }[] = []
  let actual = 0
  const search = (patterns: Patterns) => async (file: string, text: string) => {
    const found = await patterns.search({
      pattern,
      lines: linesOf(text),
      mode: 'count',
      limit: Number.MAX_SAFE_INTEGER
    })
    if (found.emptyMatch) throw new Undecided('evaluator-error', 'pattern matches the empty string')
    actual += found.count
    if (found.count > 0) results.push({ file, matches: found.count })
  }
  const scan = await withPatterns(context, (patterns) => scanTexts(context, glob, search(patterns)))
  const details = { actual, expected: context.args.expected, ...listed('results', results) }
  // What was not read could only add: too many stay too many, too few may be enough after all.
  const fails = actual > expected.max || (actual < expected.min && !isIncomplete(scan))
  return conclude(scan, { fails, vacuous: scan.fileCount === 0, details })
}

type Bounds = { readonly min: number; readonly max: number }

function expectedOf({ expected }: Args): Bounds {
  const [min, max] = Array.isArray(expected) ? expected : [expected, expected]
  if (typeof min !== 'number' || typeof max !== 'number' || !Number.isInteger(min) || !Number.isInteger(max))
    throw new Undecided('evaluator-error', 'expected requires a number or [min, max]')
  if (min > max) throw new Undecided('evaluator-error', `expected [${min}, ${max}] inverted`)
  return { min, max }
}
