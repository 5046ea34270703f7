/** The result of a merge. `conflicts` lists the paths of fields that both sides changed differently. */
export interface MergeResult<T> {
  merged: T
  conflicts: string[]
}

/**
 * Three-way merge of JSON objects: applies the changes from `base` to `next` to the current value `now`. Fields that
 * `next` did not change keep their current value. Objects are merged field by field, lists and other values as a whole.
 * A field that `base` does not have counts as changed. Returns the fields of `next`.
 */
export function mergeChanges<T extends object>(now: T, base: object, next: T, path = ''): MergeResult<T> {
  const read = new Map<string, unknown>(Object.entries(base))
  const there = new Map<string, unknown>(Object.entries(now))
  const both: string[] = []
  const fields = Object.entries(next).map(([name, mine]): [string, unknown] => {
    const [was, is, at] = [read.get(name), there.get(name), path + name]
    if (isRecord(was) && isRecord(is) && isRecord(mine)) {
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

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isSame = (a: unknown, b: unknown): boolean => stableJson(a) === stableJson(b)

/** A value as JSON with sorted field names, for comparison. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  )
}
