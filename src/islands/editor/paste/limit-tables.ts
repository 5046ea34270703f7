import { MAX_ROW_CELLS, MAX_TABLE_ROWS } from '#lib/core/shared/lesson-doc.ts'

/** Limits tables to the size allowed in a lesson: a long one is split, surplus cells are joined into the last. */
export function limitTables(body: HTMLElement): void {
  for (const cell of body.querySelectorAll('td, th')) {
    for (const [name, max] of [['colspan', MAX_ROW_CELLS] as const, ['rowspan', MAX_TABLE_ROWS] as const]) {
      const span = Number(cell.getAttribute(name) ?? 1)
      if (!Number.isInteger(span) || span < 1 || span > max) cell.removeAttribute(name)
    }
  }
  for (const table of [...body.querySelectorAll('table')]) {
    const rows = [...table.rows]
    for (const row of rows) joinExtraCells(row)
    for (let start = MAX_TABLE_ROWS, last: Element = table; start < rows.length; start += MAX_TABLE_ROWS) {
      const next = document.createElement('table')
      next.append(...rows.slice(start, start + MAX_TABLE_ROWS))
      last.after(next)
      last = next
    }
    if (rows.length === 0) table.remove()
  }
}

function joinExtraCells({ cells }: HTMLTableRowElement): void {
  const last = cells[MAX_ROW_CELLS - 1]
  for (const cell of [...cells].slice(MAX_ROW_CELLS)) {
    last?.append(' ', ...cell.childNodes)
    cell.remove()
  }
}
