import { normalKeyName } from './codes.ts'
import { type KeyAction, type KeyFocus, keyFocuses } from './focus.ts'
import { type ActionName, keyMap } from './map.ts'

/** What is wrong with a `[keys]` section, as data; the configuration words it (CFG-012). */
export type KeyProblem =
  | { readonly kind: 'unknown-action'; readonly action: string }
  | { readonly kind: 'unknown-key'; readonly action: string; readonly key: string }
  | { readonly kind: 'clash'; readonly key: string; readonly actions: readonly [string, string] }
  | { readonly kind: 'not-for-verdict'; readonly action: string; readonly key: string }

export type KeyOverrides = Readonly<Record<string, readonly string[]>>

/** Key to action, per focus. */
export type Bindings = Readonly<Record<KeyFocus, ReadonlyMap<string, ActionName>>>

const neverAVerdict = new Set(['enter', 'space', 'esc', 'backspace', 'ctrl+h', 'ctrl+j', 'ctrl+m', 'ctrl+['])

/** Checks overrides against the key map: actions and keys exist, no clash within a focus, no stray key for a verdict (CFG-012). */
export function checkKeys(overrides: KeyOverrides, table: readonly KeyAction[] = keyMap): KeyProblem[] {
  const problems: KeyProblem[] = []
  const known = new Set(table.map((row) => row.action))
  for (const [action, keys] of Object.entries(overrides)) {
    if (!known.has(action)) problems.push({ kind: 'unknown-action', action })
    for (const key of keys) if (normalKeyName(key) === null) problems.push({ kind: 'unknown-key', action, key })
  }
  const owners = new Map<string, string>()
  for (const { action, focus, keys, isVerdict } of withOverrides(overrides, table)) {
    for (const key of keys) {
      const slot = `${focus} ${key}`
      const owner = owners.get(slot)
      if (owner !== undefined && owner !== action) problems.push({ kind: 'clash', key, actions: [owner, action] })
      owners.set(slot, action)
      if (isVerdict && neverAVerdict.has(key)) problems.push({ kind: 'not-for-verdict', action, key })
    }
  }
  return problems
}

/** The key map with `[keys]` applied. An empty list unbinds; unknown names are left out, for `checkKeys` has told of them. */
function withOverrides<Row extends KeyAction>(overrides: KeyOverrides, table: readonly Row[]): Row[] {
  return table.map((row) => {
    const written = Object.hasOwn(overrides, row.action) ? overrides[row.action] : undefined
    if (written === undefined) return row
    return { ...row, keys: written.map(normalKeyName).filter((key) => key !== null) }
  })
}

/** Lookup tables for the dispatcher. */
export function bindKeys(overrides: KeyOverrides): Bindings {
  const bindings = Object.fromEntries(
    keyFocuses.map((focus) => [focus, new Map<string, ActionName>()])
  ) as unknown as Record<KeyFocus, Map<string, ActionName>>
  for (const { action, focus, keys } of withOverrides(overrides, keyMap)) {
    for (const key of keys) bindings[focus].set(key, action as ActionName)
  }
  return bindings
}

export type Lookup = ActionName | 'chord' | null

/**
 * The action of `key` in the innermost of `focuses` that binds it. `chord` means that a bound sequence begins with it; `pending` is
 * such a beginning, pressed just before.
 */
export function actionFor(
  bindings: Bindings,
  focuses: readonly KeyFocus[],
  key: string,
  pending: string | null
): Lookup {
  const pressed = pending === null ? key : `${pending} ${key}`
  for (const focus of focuses) {
    const action = bindings[focus].get(pressed)
    if (action !== undefined) return action
    for (const bound of bindings[focus].keys()) if (bound.startsWith(`${pressed} `)) return 'chord'
  }
  return null
}

/** The first key of an action as a person reads it (`Ctrl+G`, `Esc`), or null when it is unbound. */
export function keyLabel(bindings: Bindings, action: ActionName): string | null {
  for (const keys of Object.values(bindings)) {
    for (const [key, bound] of keys) if (bound === action) return labelOf(key)
  }
  return null
}

const arrows: Readonly<Record<string, string>> = { up: '↑', down: '↓', left: '←', right: '→' }
const cased: Readonly<Record<string, string>> = { pageup: 'PageUp', pagedown: 'PageDown' }

/** `ctrl+x ctrl+e` as `Ctrl+X Ctrl+E`; a lone character stays as it is typed. */
export function labelOf(key: string): string {
  return key
    .split(' ')
    .map((single) => {
      if ([...single].length === 1) return single
      return single.replaceAll(
        /[^+]+/g,
        (part) => arrows[part] ?? cased[part] ?? part.charAt(0).toUpperCase() + part.slice(1)
      )
    })
    .join(' ')
}
