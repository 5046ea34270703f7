/** A select of a filter bar. */
export interface FilterSelect {
  name: string
  label: string
  value: string
  options: readonly { value: string; label: string }[]
  /** The first option, which does not filter; by default «{label}: усі». */
  any?: string
  /** The value of that option, empty by default. */
  anyValue?: string
}

/** An active filter: its name, and its value as text. */
export interface ActiveFilter {
  name: string
  label: string
  value: string
}

/** Returns the active filters, in the order of the bar; the search last. */
export function activeFilters(
  selects: readonly FilterSelect[],
  search?: { name: string; label: string; value: string } | undefined,
): ActiveFilter[] {
  const chosen = selects.flatMap(({ name, label, value, options, anyValue = '' }) => {
    const option = value === anyValue ? undefined : options.find((candidate) => candidate.value === value)
    return option ? [{ name, label, value: option.label }] : []
  })
  const query = search?.value.trim()
  return search && query ? [...chosen, { name: search.name, label: search.label, value: query }] : chosen
}

/**
 * Returns the URL of a list with `changes` of its query: null or an empty value removes a parameter. Only the
 * parameters in `known` are kept, which excludes the cursor and the message of the last action.
 */
export function changeAddress(
  url: URL,
  known: readonly string[],
  changes: Readonly<Record<string, string | null | undefined>> = {},
): string {
  const query = new URLSearchParams()
  for (const name of known) {
    if (name in changes) continue
    for (const value of url.searchParams.getAll(name)) if (value !== '') query.append(name, value)
  }
  for (const [name, value] of Object.entries(changes)) if (value) query.set(name, value)
  return query.size > 0 ? `${url.pathname}?${query}` : url.pathname
}
