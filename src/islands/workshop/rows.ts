/*
 * Rows of a form that can be added, moved and removed: `[data-rows]` contains `[data-row]`s, whose controls are named
 * `<list><index><field>`, and a template of a new row. Without JavaScript there is always an empty row at the end.
 */

/** Enables the buttons of a list of rows. Returns a function that disables them. */
export function enableRows(list: HTMLElement): () => void {
  for (const button of list.querySelectorAll<HTMLElement>('[data-rows-act]')) button.hidden = false
  const handleClick = ({ target }: Event) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-rows-act]') : null
    const row = button?.closest<HTMLElement>('[data-row]') ?? null
    if (!button) return
    ROW_ACTIONS[button.dataset.rowsAct ?? '']?.(list, row)
    list.dispatchEvent(new Event('input', { bubbles: true }))
  }
  list.addEventListener('click', handleClick)
  return () => list.removeEventListener('click', handleClick)
}

/** Adds rows until controls with these names exist, e.g. before a draft is filled in. */
export function ensureRows(form: HTMLElement, names: readonly string[]): void {
  for (const list of form.querySelectorAll<HTMLElement>('[data-rows]')) {
    const { rows: name = '' } = list.dataset
    const indexes = names.flatMap((controlName) => {
      const index = controlName.startsWith(name) ? /^(\d+)[A-Z]/.exec(controlName.slice(name.length))?.[1] : undefined
      return index === undefined ? [] : [Number(index)]
    })
    const rowCount = Math.max(-1, ...indexes) + 1
    while (rowsOf(list).length < rowCount && addRow(list)) {}
  }
}

const ROW_ACTIONS: Record<string, (list: HTMLElement, row: HTMLElement | null) => void> = {
  add: (list) => {
    const row = addRow(list)
    if (row) controlsOf(row)[0]?.focus()
  },
  up: (list, row) => swapRows(list, row, -1),
  down: (list, row) => swapRows(list, row, 1),
  // The values below move up, so that the indexes have no gap; the only row is emptied.
  remove: (list, row) => {
    const rows = rowsOf(list)
    const from = row ? rows.indexOf(row) : -1
    if (from < 0) return
    for (const [index, current] of rows.entries()) if (index >= from) setValues(current, valuesOf(rows[index + 1]))
    if (rows.length > 1) rows.at(-1)?.remove()
    const next = rowsOf(list)[Math.min(from, rows.length - 2)] ?? rowsOf(list)[0]
    if (next) controlsOf(next)[0]?.focus()
  },
}

type Control = HTMLInputElement | HTMLTextAreaElement

const rowsOf = (list: HTMLElement): HTMLElement[] => [...list.querySelectorAll<HTMLElement>('[data-row]')]
const controlsOf = (row: HTMLElement): Control[] => [...row.querySelectorAll<Control>('input, textarea')]
const valuesOf = (row: HTMLElement | undefined): string[] => (row ? controlsOf(row).map(({ value }) => value) : [])

function setValues(row: HTMLElement, values: readonly string[]): void {
  for (const [index, control] of controlsOf(row).entries()) control.value = values[index] ?? ''
}

/** Adds an empty row and returns it; null when the maximum is reached. */
function addRow(list: HTMLElement): HTMLElement | null {
  const template = list.querySelector('template')
  const rows = rowsOf(list)
  const last = rows.at(-1)
  if (!template || !last || rows.length >= Number(list.dataset.most)) return null
  const html = template.innerHTML
    .replaceAll('__place__', String(rows.length))
    .replaceAll('__number__', String(rows.length + 1))
  last.insertAdjacentHTML('afterend', html)
  const row = rowsOf(list).at(-1) ?? null
  for (const button of row?.querySelectorAll<HTMLElement>('[data-rows-act]') ?? []) button.hidden = false
  return row
}

function swapRows(list: HTMLElement, row: HTMLElement | null, direction: 1 | -1): void {
  const rows = rowsOf(list)
  const other = row ? rows[rows.indexOf(row) + direction] : undefined
  if (!row || !other) return
  const [mine, theirs] = [valuesOf(row), valuesOf(other)]
  setValues(row, theirs)
  setValues(other, mine)
  // The focus follows the moved row.
  other.querySelector<HTMLElement>(`[data-rows-act=${direction < 0 ? 'up' : 'down'}]`)?.focus()
}
