import type { Text } from './script.ts'

/** Cuts text into tokens of about a word with the blanks before it; joined they are the text again. */
export function tokensOf(text: Text): Iterable<string> {
  return typeof text === 'string' ? (text.match(/\s*\S{1,8}|\s+$/gu) ?? []) : text
}

/** About how many tokens a request has: four characters each. */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / 4)
}
