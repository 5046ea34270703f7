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
  const baseValues = new Map<string, unknown>(Object.entries(base))
  const currentValues = new Map<string, unknown>(Object.entries(now))
  const conflicts: string[] = []
  const fields = Object.entries(next).map(([name, nextValue]): [string, unknown] => {
    const baseValue = baseValues.get(name)
    const currentValue = currentValues.get(name)
    const fieldPath = path + name
    if (isRecord(baseValue) && isRecord(currentValue) && isRecord(nextValue)) {
      const inner = mergeChanges(currentValue, baseValue, nextValue, `${fieldPath}.`)
      conflicts.push(...inner.conflicts)
      return [name, inner.merged]
    }
    if (baseValues.has(name) && isSame(nextValue, baseValue)) return [name, currentValue]
    if (!isSame(currentValue, baseValue) && !isSame(currentValue, nextValue)) conflicts.push(fieldPath)
    return [name, nextValue]
  })
  return { merged: { ...next, ...Object.fromEntries(fields) }, conflicts }
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

/** The fields of an object that are not undefined, for a change of another one. */
export const definedFields = <T extends object>(changes: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>
  }
