import { hashTokens } from './hash-tokens.ts'
import { createWordPiece } from './word-piece.ts'

/** How a text becomes numbers: at most 512 of them, `[CLS]` first and `[SEP]` last (MEM-112, MEM-113). */
export type Tokenize = (text: string) => readonly number[]

export type TokenizerName = 'wordpiece' | 'hash'

/** Positions the model knows (section 9 of the memory rules), and the numbers of `[CLS]` and `[SEP]`. */
export const maxTokens = 512
export const clsId = 101
export const sepId = 102

/** 510 words of the longest kind WordPiece looks into and a blank behind each fit in here; what follows cannot be part of the result. */
const maxChars = 64 * 1024

/** The tokeniser of that name; loading the vocabulary of `wordpiece` takes some 60 ms. */
export function createTokenizer(name: TokenizerName): Tokenize {
  const encode = name === 'hash' ? hashTokens : createWordPiece()
  return (text) => encode(text.slice(0, maxChars).toWellFormed())
}
