/** What two people made of the same facts. `both` names by path what they both changed, and differently. */
export interface MergeResult<T> {
  merged: T
  conflicts: string[]
}

/**
 * Lays what somebody changed of the facts that they had read (`base`) onto what is there `now`: fields that they left
 * alone keep what others wrote meanwhile. Objects are merged field by field, lists and everything else as wholes. Takes
 * facts as JSON has them; a field that `base` does not have counts as changed. Gives the fields that `next` has.
 */
export function mergeChanges<T extends object>(now: T, base: object, next: T, path = ''): MergeResult<T> {
  const read = new Map<string, unknown>(Object.entries(base))
  const there = new Map<string, unknown>(Object.entries(now))
  const both: string[] = []
  const fields = Object.entries(next).map(([name, mine]): [string, unknown] => {
    const [was, is, at] = [read.get(name), there.get(name), path + name]
    if (isFacts(was) && isFacts(is) && isFacts(mine)) {
      const inner = mergeChanges(is, was, mine, `${at}.`)
      both.push(...inner.conflicts)
      return [name, inner.merged]
    }
    if (read.has(name) && isSame(mine, was)) return [name, is]
    if (!isSame(is, was) && !isSame(is, mine)) both.push(at)
    return [name, mine]
  })
  return { merged: { ...next, ...Object.fromEntries(fields) }, conflicts: both }
}

const isFacts = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isSame = (a: unknown, b: unknown): boolean => stableJson(a) === stableJson(b)

/** A value as text in which the order of an object's fields says nothing. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, one) =>
    isFacts(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
  )
}
