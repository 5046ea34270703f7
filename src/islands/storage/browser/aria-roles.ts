import type { KeyboardEvent } from 'react'

/* ARIA roles of the grid. Table elements can hold neither absolutely positioned rows nor tiles. */
export const ROW_GROUP = { role: 'rowgroup' } as const
export const CELL = { role: 'gridcell' } as const
export const COLUMN_HEADER = { role: 'columnheader' } as const
export const PRESENTATION = { role: 'presentation' } as const

export const gridRole = (label: string) => ({ role: 'grid', 'aria-label': label }) as const

/** The grid that handles keys; `active` is the id of the active row. */
export const interactiveGrid = (
  label: string,
  rows: number,
  active: string | undefined,
  onKeyDown: (event: KeyboardEvent) => void,
) => ({
  ...gridRole(label),
  tabIndex: 0,
  'aria-multiselectable': true,
  'aria-rowcount': rows,
  'aria-activedescendant': active,
  onKeyDown,
})

/** A row by its index among all, from 1. */
export const rowRole = (place: number) => ({ role: 'row', 'aria-rowindex': place }) as const

export const sortedHeader = (sorted: 'ascending' | 'descending' | 'none') =>
  ({ ...COLUMN_HEADER, 'aria-sort': sorted }) as const
