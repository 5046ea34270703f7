/**
 * A record that is looked up by untrusted keys. It has no prototype, so that `constructor` and `__proto__` are ordinary
 * keys.
 */
export function dictionary<T>(entries: Record<string, T>): Readonly<Record<string, T>> {
  return Object.assign(Object.create(null), entries)
}
