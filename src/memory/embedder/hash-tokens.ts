import { clsId, maxTokens, sepId } from './tokens.ts'

/** The tokeniser without a vocabulary, for teams mixed with implementations that have none (MEM-113). */
export function hashTokens(text: string): readonly number[] {
  const ids = [clsId]
  for (const word of text.toLowerCase().split(/\p{White_Space}+/u)) {
    if (word === '') continue
    if (ids.length === maxTokens - 1) break
    ids.push(idOf(word))
  }
  return [...ids, sepId]
}

function idOf(word: string): number {
  let hash = 0n
  for (const char of word) hash = BigInt.asIntN(64, hash * 31n + BigInt(char.codePointAt(0) ?? 0))
  return Number((hash < 0n ? -hash : hash) % 29_000n) + 1000
}
