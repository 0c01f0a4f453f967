import { type DialectFamily, dialectFamilies } from '../protocol/model.ts'

/** MODEL-004. `kimi` has no prefix on purpose: `kimi-thinking` speaks another wire form. */
const table: Readonly<Record<DialectFamily, { readonly aliases: readonly string[]; readonly prefix: string | null }>> =
  {
    minimax: { aliases: ['minimax', 'minimax_m25', 'minimax_m27'], prefix: 'minimax' },
    glm: { aliases: ['glm', 'glm5', 'glm51'], prefix: 'glm' },
    deepseek: { aliases: ['deepseek', 'deepseek-v3', 'deepseek-coder', 'deepseek-coder-v3'], prefix: 'deepseek' },
    qwen: { aliases: ['qwen', 'qwen-coder', 'qwen2.5-coder', 'qwen3-coder'], prefix: 'qwen' },
    kimi: {
      aliases: [
        'kimi',
        'kimi-2.5',
        'kimi-2.6',
        'kimi-k2',
        'kimi-k2.5',
        'kimi-k2.6',
        'moonshotai/kimi-k2.5',
        'moonshotai/kimi-k2.6'
      ],
      prefix: null
    },
    'kimi-code': { aliases: ['kimi-code', 'kimi-for-coding'], prefix: 'moonshot-v1-' }
  }

/** The family a `dialect` value or model key stands for, or null when it is unknown (MODEL-004, MODEL-005). */
export function resolveFamily(value: string): DialectFamily | null {
  const wanted = value.trim().toLowerCase()
  return (
    dialectFamilies.find((family) => table[family].aliases.includes(wanted)) ??
    dialectFamilies.find((family) => {
      const { prefix } = table[family]
      return prefix !== null && wanted.startsWith(prefix)
    }) ??
    null
  )
}
