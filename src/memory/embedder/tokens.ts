/** How a text becomes numbers: at most 512 of them, `[CLS]` first and `[SEP]` last (MEM-112, MEM-113). */
export type Tokenize = (text: string) => readonly number[]

/** Positions the model knows. */
export const maxTokens = 512
/** Ids of `[CLS]` and `[SEP]` in BERT's vocabulary. */
export const clsId = 101
export const sepId = 102
