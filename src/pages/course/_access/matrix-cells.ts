import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { AccessMatrix, MatrixRow } from '#lib/course/access/matrix.ts'

type Cell = MatrixRow['cells'][number]

export const STATES = ['done', 'started', 'open', 'locked'] as const
export const HOMEWORK_STATES = ['waits', 'accepted', 'returned', 'rejected'] as const

/** Symbols of the states, so that they are recognizable without color. */
export const MARKS = { done: '✓', started: '◐', open: '○', locked: '·' } as const
export const HOMEWORK_MARKS = { waits: '…', accepted: '✓', returned: '↩', rejected: '×' } as const

/**
 * Renders the cells of a row as HTML. A page has thousands of cells of a few dozen kinds: each kind is rendered once,
 * from constants only, so no user input is included. The first cell of the first row is the tab stop.
 */
export function renderCells(row: MatrixRow, first: boolean): string {
  const cells = row.cells.map((cell) => CELL_CACHE.get(cell) ?? renderCell(cell))
  if (first && cells[0]) cells[0] = cells[0].replace('<td', '<td tabindex="0"')
  return cells.join('')
}

const CELL_CACHE = new WeakMap<Cell, string>()

function renderCell(cell: Cell): string {
  const html = markup(cell)
  CELL_CACHE.set(cell, html)
  return html
}

function markup({ state, homework, byHand }: Cell): string {
  const work = homework ? `<sup class="w-${homework}">${HOMEWORK_MARKS[homework]}</sup>` : ''
  const names = ['c', state, byHand ? 'hand' : ''].filter(Boolean).join(' ')
  return `<td class="${names}">${MARKS[state]}${work}</td>`
}

/** Text of a cell for the CSV export. */
export function cellText({ state, homework, byHand }: Cell, t: Translate): string {
  const parts = [t(`access:cell.${state}`)]
  if (homework) parts.push(t(`access:cell.${homework}`))
  if (byHand) parts.push(t('access:cell.byHand'))
  return parts.join(', ')
}

/** Counts the cells of a student for a card. */
export function countCells({ cells }: MatrixRow): { done: number; open: number; total: number } {
  const done = cells.filter(({ state }) => state === 'done').length
  const open = cells.filter(({ state }) => state === 'open' || state === 'started').length
  return { done, open, total: cells.length }
}

/** The modules above their lessons, with the number of columns that each one spans. */
export function moduleSpans({ lessons }: AccessMatrix): { id: string; title: string; columns: number }[] {
  const spans: { id: string; title: string; columns: number }[] = []
  for (const { moduleId, moduleTitle } of lessons) {
    const last = spans.at(-1)
    if (last?.id === moduleId) last.columns += 1
    else spans.push({ id: moduleId, title: moduleTitle, columns: 1 })
  }
  return spans
}
