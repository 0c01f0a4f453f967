export type Instructions = { readonly global: string; readonly project: string }

export type Composition = {
  readonly prompt: string
  /** Texts of CTX-106 without glyph; whoever shows them does so once per change (CTX-107). */
  readonly warnings: readonly string[]
}

/**
 * The system prompt: dialect base, global instructions, project instructions, plan overlay, joined by blank lines, so that the
 * project has the last word (CTX-105). `budget` is in tokens of `count`, 0 for no limit (CTX-106).
 */
export function composePrompt(
  parts: {
    readonly base: string
    readonly overlay: string | null
    readonly instructions: Instructions
    readonly count: (text: string) => number
  },
  budget: number
): Composition {
  const { instructions, warnings } = fitInstructions(parts.instructions, budget, parts.count)
  const texts = [parts.base, instructions.global, instructions.project, parts.overlay ?? '']
  return { prompt: texts.filter((text) => text !== '').join('\n\n'), warnings }
}

/** Instructions within `budget` tokens: global goes as a whole first, then the project's end at a line boundary (CTX-106). */
export function fitInstructions(
  { global, project }: Instructions,
  budget: number,
  count: (text: string) => number
): { readonly instructions: Instructions; readonly warnings: readonly string[] } {
  const size = (text: string) => (text === '' ? 0 : count(text))
  const projectTokens = size(project)
  if (budget === 0 || size(global) + projectTokens <= budget) return { instructions: { global, project }, warnings: [] }

  const dropped = global === '' ? [] : ['global instructions dropped to fit budget']
  if (projectTokens <= budget) return { instructions: { global: '', project }, warnings: dropped }

  const kept = cutLines(project, (text) => size(text) <= budget)
  const cut = `instructions truncated to fit budget (${size(kept)} of ${projectTokens} tokens kept)`
  return { instructions: { global: '', project: kept }, warnings: [...dropped, cut] }
}

/** The most whole lines from the beginning that fit. */
function cutLines(text: string, fits: (text: string) => boolean): string {
  const lines = text.split('\n')
  const first = (n: number) => lines.slice(0, n).join('\n').trimEnd()
  let [low, high] = [0, lines.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (fits(first(middle))) low = middle
    else high = middle
  }
  return first(low)
}
