import { assert } from '../../lib/assert.ts'
import type { DialectFamily } from '../../protocol/model.ts'
import * as deepseek from './deepseek.ts'
import * as glm from './glm.ts'
import * as kimi from './kimi.ts'
import * as kimiCode from './kimi-code.ts'
import * as minimax from './minimax.ts'
import * as qwen from './qwen.ts'
import type { Dialect } from './types.ts'

const dialects: Readonly<Record<DialectFamily, Dialect>> = {
  minimax,
  glm,
  deepseek,
  qwen,
  kimi,
  'kimi-code': kimiCode
}

/** The dialect of a family as the configuration resolved it (MODEL-004). There is no default to fall back to (MODEL-005). */
export function dialectFor(family: string): Dialect {
  assert(isFamily(family), `no dialect for family ${family}`)
  return dialects[family]
}

const isFamily = (name: string): name is DialectFamily => Object.hasOwn(dialects, name)
