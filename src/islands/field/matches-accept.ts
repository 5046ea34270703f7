/**
 * Whether a file matches the `accept` attribute of a file field: types, `image/*`, extensions; an empty one accepts
 * all.
 */
export function matchesAccept({ name, type }: { name: string; type: string }, accept: string): boolean {
  const rules = accept.split(',').map((rule) => rule.trim().toLowerCase())
  if (accept.trim() === '') return true
  return rules.some((rule) => {
    if (rule.startsWith('.')) return name.toLowerCase().endsWith(rule)
    return rule.endsWith('/*') ? type.startsWith(rule.slice(0, -1)) : type === rule
  })
}
