import type { KeyAction } from './focus.ts'
import { gateKeys } from './gate-keys.ts'
import { screenKeys } from './screen-keys.ts'

/**
 * The one key map (TERM-48): what each key does, per focus. The help overlay is made from it, `[keys]` overrides it by action name.
 * Where several focuses apply, the innermost that binds the key decides (`bind.ts`).
 */
export const keyMap = [...screenKeys, ...gateKeys] as const satisfies readonly KeyAction[]

export type ActionName = (typeof keyMap)[number]['action']
