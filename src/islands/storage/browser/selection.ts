/** Selected rows, start of a range, and the row that keys act on. Indexes in the list, from 0. */
export interface FileSelection {
  selected: ReadonlySet<string>
  anchor: number
  active: number
}

export const NO_SELECTION: FileSelection = { selected: new Set(), anchor: 0, active: -1 }

/** With `range` selects from the anchor to the row; with `add` toggles the row; otherwise selects it alone. */
export function selectAt(
  before: FileSelection,
  ids: readonly string[],
  place: number,
  { range = false, add = false }: { range?: boolean; add?: boolean } = {},
): FileSelection {
  const id = ids[place]
  if (id === undefined) return before
  if (range) {
    const [from, to] = [Math.min(before.anchor, place), Math.max(before.anchor, place)]
    const between = ids.slice(from, to + 1)
    return { ...before, active: place, selected: new Set(add ? [...before.selected, ...between] : between) }
  }
  if (!add) return { selected: new Set([id]), anchor: place, active: place }
  const chosen = new Set(before.selected)
  if (!chosen.delete(id)) chosen.add(id)
  return { selected: chosen, anchor: place, active: place }
}

/** Moves the active row and the selection. */
export function moveActive(before: FileSelection, ids: readonly string[], by: number, range: boolean): FileSelection {
  const place = before.active < 0 ? 0 : Math.min(ids.length - 1, Math.max(0, before.active + by))
  return selectAt(before, ids, place, { range })
}

export function selectAllFiles(before: FileSelection, ids: readonly string[]): FileSelection {
  return { ...before, selected: new Set(ids), active: Math.max(0, before.active) }
}

/** After a change of the list: removed rows are deselected, and the active row stays. */
export function keepSelected(before: FileSelection, was: readonly string[], ids: readonly string[]): FileSelection {
  const known = new Set(ids)
  const activeId = was[before.active]
  const index = activeId === undefined ? -1 : ids.indexOf(activeId)
  const active = before.active < 0 ? -1 : index >= 0 ? index : Math.min(before.active, ids.length - 1)
  return { selected: new Set([...before.selected].filter((id) => known.has(id))), anchor: Math.max(0, active), active }
}
