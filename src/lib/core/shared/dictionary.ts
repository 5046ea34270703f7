/**
 * A record that is looked up by keys from outside. It has no prototype, so that `constructor` and `__proto__` are keys
 * like any other.
 */
export function dictionary<T>(entries: Record<string, T>): Readonly<Record<string, T>> {
  return Object.assign(Object.create(null), entries)
}
