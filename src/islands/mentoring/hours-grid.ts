import { onPage } from '#islands/stores/page.ts'

/*
 * The calendar of weekly hours: a table of checkboxes that works without this script. With it, arrow keys move between
 * cells, only one of them is in the tab order, and dragging with a mouse or pen marks several.
 */
onPage(() => {
  const ends = [...document.querySelectorAll<HTMLTableElement>('[data-hours-grid]')].map(bindGrid)
  return () => {
    for (const end of ends) end()
  }
})

const STEPS: Readonly<Record<string, readonly [row: number, column: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

function bindGrid(table: HTMLTableElement): () => void {
  const rows = [...(table.tBodies[0]?.rows ?? [])].map((row) => [...row.querySelectorAll('input')])
  const ending = new AbortController()
  const { signal } = ending
  const enter = (next: HTMLInputElement | undefined) => {
    if (!next) return
    for (const cell of rows.flat()) cell.tabIndex = cell === next ? 0 : -1
  }
  // The first marked cell, or nine in the morning.
  const first = rows.flat().find(({ checked }) => checked) ?? rows[18]?.[0]
  enter(first)
  const scroller = table.parentElement
  const top = first?.closest('tr')?.offsetTop ?? 0
  scroller?.scrollTo({ top: Math.max(0, top - 80) })

  table.addEventListener(
    'keydown',
    (event) => {
      const step = STEPS[event.key]
      const row = rows.findIndex((cells) => cells.includes(event.target as HTMLInputElement))
      if (!step || row < 0 || event.altKey || event.ctrlKey || event.metaKey) return
      const column = rows[row]?.indexOf(event.target as HTMLInputElement) ?? -1
      const next = rows[row + step[0]]?.[column + step[1]]
      event.preventDefault()
      if (!next) return
      if (event.shiftKey) setCell(next, (event.target as HTMLInputElement).checked)
      enter(next)
      next.focus()
    },
    { signal },
  )

  let painting: boolean | null = null
  table.addEventListener(
    'pointerdown',
    (event) => {
      const cell = cellOf(event)
      // A finger scrolls; it marks single cells by taps.
      if (!cell || event.pointerType === 'touch' || event.button !== 0) return
      painting = !cell.checked
      event.preventDefault()
      cell.focus()
      enter(cell)
      setCell(cell, painting)
    },
    { signal },
  )
  table.addEventListener(
    'pointerover',
    (event) => {
      const cell = cellOf(event)
      if (cell && painting !== null) setCell(cell, painting)
    },
    { signal },
  )
  // The cell was changed when the pointer went down.
  table.addEventListener(
    'click',
    (event) => {
      if (painting !== null && event.detail > 0) event.preventDefault()
    },
    { signal },
  )
  addEventListener('pointerup', () => setTimeout(() => (painting = null)), { signal })
  return () => ending.abort()
}

const cellOf = (event: Event): HTMLInputElement | null =>
  event.target instanceof Element ? (event.target.closest('td')?.querySelector('input') ?? null) : null

function setCell(cell: HTMLInputElement, checked: boolean): void {
  if (cell.checked === checked) return
  cell.checked = checked
  cell.dispatchEvent(new Event('input', { bubbles: true }))
}
