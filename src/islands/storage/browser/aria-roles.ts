import type { KeyboardEvent } from 'react'

/*
 * What the parts of the shelf are to whoever hears and does not see it. Real tables can hold neither rows that stand
 * where they would have stood nor tiles.
 */
export const GROUP = { role: 'rowgroup' } as const
export const CELL = { role: 'gridcell' } as const
export const HEAD = { role: 'columnheader' } as const
export const PLAIN = { role: 'presentation' } as const

export const gridOf = (label: string) => ({ role: 'grid', 'aria-label': label }) as const

/** The grid that takes keys; `active` is the id of the row that they act on. */
export const livingGrid = (
  label: string,
  rows: number,
  active: string | undefined,
  onKeyDown: (event: KeyboardEvent) => void,
) => ({
  ...gridOf(label),
  tabIndex: 0,
  'aria-multiselectable': true,
  'aria-rowcount': rows,
  'aria-activedescendant': active,
  onKeyDown,
})

/** A row by its place among all, from 1. */
export const rowAt = (place: number) => ({ role: 'row', 'aria-rowindex': place }) as const

export const sortedHead = (sorted: 'ascending' | 'descending' | 'none') => ({ ...HEAD, 'aria-sort': sorted }) as const
