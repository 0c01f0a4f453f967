import { countText } from '../lib/count-text.ts'
import { messageOf } from '../lib/error.ts'
import type { TourContext, TourStep } from './step.ts'

/**
 * Plays the steps in order and prints each with its proof. A step stands on the ones before it, so the first that fails ends
 * the tour. Resolves to whether all of them held.
 */
export async function playTour(
  steps: readonly TourStep[],
  context: TourContext,
  print: (line: string) => void
): Promise<boolean> {
  for (const [index, step] of steps.entries()) {
    const number = String(index + 1).padStart(2)
    try {
      const proof = await step.play(context)
      print(`${number} ✓ ${step.title}`)
      print(`     ${proof}`)
    } catch (thrown) {
      print(`${number} ✗ ${step.title}`)
      print(`     ${messageOf(thrown)}`)
      const missed = steps.length - index - 1
      if (missed > 0) print(`     ${countText(missed, 'more step')} not reached`)
      return false
    }
  }
  print(`all ${steps.length} steps did what they should`)
  return true
}
