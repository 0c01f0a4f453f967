import { describe, expect, test } from 'vitest'
import { resolveFamily } from '../../src/config/dialect-family.ts'

describe('MODEL-004, MODEL-005', () => {
  test.each([
    ['minimax', 'minimax'],
    ['minimax_m25', 'minimax'],
    ['minimax_m27', 'minimax'],
    ['MiniMax-M3', 'minimax'],
    ['glm', 'glm'],
    ['glm5', 'glm'],
    ['glm51', 'glm'],
    ['glm-6-air', 'glm'],
    ['deepseek', 'deepseek'],
    ['deepseek-v3', 'deepseek'],
    ['deepseek-coder', 'deepseek'],
    ['deepseek-coder-v3', 'deepseek'],
    ['deepseek-r9', 'deepseek'],
    ['qwen', 'qwen'],
    ['qwen-coder', 'qwen'],
    ['qwen2.5-coder', 'qwen'],
    ['qwen3-coder', 'qwen'],
    ['qwen4', 'qwen'],
    ['kimi', 'kimi'],
    ['kimi-2.5', 'kimi'],
    ['kimi-2.6', 'kimi'],
    ['kimi-k2', 'kimi'],
    ['kimi-k2.5', 'kimi'],
    ['kimi-k2.6', 'kimi'],
    ['moonshotai/kimi-k2.5', 'kimi'],
    ['moonshotai/Kimi-K2.6', 'kimi'],
    ['kimi-code', 'kimi-code'],
    ['kimi-for-coding', 'kimi-code'],
    ['moonshot-v1-128k', 'kimi-code'],
    ['  GLM5  ', 'glm'],
    ['kimi-thinking', null],
    ['kimino-coder', null],
    ['kimi-k2-instruct', null],
    ['moonshot', null],
    ['m25', null],
    ['gpt', null],
    ['', null],
    ['my-glm', null]
  ])('%s is %s', (value, family) => {
    expect(resolveFamily(value)).toBe(family)
  })
})
