/** Freezes a value and everything in it; sets stay as they are (see `frozenSet`). */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const inner of Object.values(value)) deepFreeze(inner)
  return Object.freeze(value)
}

/** A set that nobody can change any more. */
export function frozenSet<T>(values: Iterable<T>): ReadonlySet<T> {
  const set = new Set(values)
  const refuse = () => {
    throw new TypeError('this set is frozen')
  }
  Object.defineProperties(set, { add: { value: refuse }, delete: { value: refuse }, clear: { value: refuse } })
  return Object.freeze(set)
}
