import { MOST_CELLS, MOST_ROWS } from '#lib/core/shared/lesson-doc.ts'

/** Tables no larger than a lesson may hold: a long one goes on in another, what is too wide ends in the last cell. */
export function pasteTables(body: HTMLElement): void {
  for (const cell of body.querySelectorAll('td, th')) {
    for (const [name, most] of [['colspan', MOST_CELLS] as const, ['rowspan', MOST_ROWS] as const]) {
      const span = Number(cell.getAttribute(name) ?? 1)
      if (!Number.isInteger(span) || span < 1 || span > most) cell.removeAttribute(name)
    }
  }
  for (const table of [...body.querySelectorAll('table')]) {
    const rows = [...table.rows]
    for (const row of rows) narrow(row)
    for (let from = MOST_ROWS, last: Element = table; from < rows.length; from += MOST_ROWS) {
      const next = document.createElement('table')
      next.append(...rows.slice(from, from + MOST_ROWS))
      last.after(next)
      last = next
    }
    if (rows.length === 0) table.remove()
  }
}

function narrow({ cells }: HTMLTableRowElement): void {
  const last = cells[MOST_CELLS - 1]
  for (const cell of [...cells].slice(MOST_CELLS)) {
    last?.append(' ', ...cell.childNodes)
    cell.remove()
  }
}
