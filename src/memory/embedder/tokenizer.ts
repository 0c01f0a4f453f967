import { hashTokens } from './hash-tokens.ts'
import type { Tokenize } from './tokens.ts'
import { createWordPiece } from './word-piece.ts'

export type TokenizerName = 'wordpiece' | 'hash'

/** 510 words of the longest kind WordPiece looks into and a blank behind each fit in here; what follows cannot be part of the result. */
const maxChars = 64 * 1024

/** The tokeniser of that name (MEM-112, MEM-113); loading the vocabulary of `wordpiece` takes some 60 ms. */
export function createTokenizer(name: TokenizerName): Tokenize {
  const encode = name === 'hash' ? hashTokens : createWordPiece()
  return (text) => encode(text.slice(0, maxChars).toWellFormed())
}
