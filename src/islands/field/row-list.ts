/*
 * Rows of a form that can be added, moved and removed, with undo (layouts/ui/RowList.astro): `[data-rows]` contains
 * `[data-row]`s, whose controls are named `<list><index><field>`, and a template of a new row.
 */

/** Enables the buttons of a list of rows. Returns a function that disables them. */
export function enableRows(list: HTMLElement): () => void {
  for (const button of list.querySelectorAll<HTMLElement>('[data-rows-action]')) {
    button.hidden = button.dataset.rowsAction === 'undo'
  }
  let removed: RemovedRow | null = null
  const showRemoved = (row: RemovedRow | null) => {
    removed = row
    const status = list.querySelector<HTMLElement>('[data-rows-removed]')
    const undo = list.querySelector<HTMLElement>('[data-rows-action=undo]')
    const text = status?.dataset.rowsRemoved?.replace('__number__', String((row?.index ?? 0) + 1)) ?? ''
    if (status) status.textContent = row ? text : ''
    if (undo) undo.hidden = !row
  }
  const handleClick = ({ target }: Event) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-rows-action]') : null
    const row = button?.closest<HTMLElement>('[data-row]') ?? null
    if (!button) return
    const action = button.dataset.rowsAction ?? ''
    if (action === 'undo') {
      if (removed) restoreRow(list, removed)
      showRemoved(null)
    } else if (action === 'remove') {
      showRemoved(removeRow(list, row))
    } else {
      // Rows that were moved or added since have other indexes.
      showRemoved(null)
      ROW_ACTIONS[action]?.(list, row)
    }
    list.dispatchEvent(new Event('input', { bubbles: true }))
  }
  list.addEventListener('click', handleClick)
  return () => list.removeEventListener('click', handleClick)
}

/** Adds rows until controls with these names exist, e.g. before a draft is restored. */
export function ensureRows(form: HTMLElement, names: readonly string[]): void {
  for (const list of form.querySelectorAll<HTMLElement>('[data-rows]')) {
    const { rows: name = '' } = list.dataset
    const indexes = names.flatMap((controlName) => {
      const index = controlName.startsWith(name) ? /^(\d+)[A-Z]/.exec(controlName.slice(name.length))?.[1] : undefined
      return index === undefined ? [] : [Number(index)]
    })
    const rowCount = Math.max(-1, ...indexes) + 1
    while (listRows(list).length < rowCount && addRow(list)) {}
  }
}

const ROW_ACTIONS: Record<string, (list: HTMLElement, row: HTMLElement | null) => void> = {
  add: (list) => {
    const row = addRow(list)
    focusRow(row ?? undefined)
  },
  up: (list, row) => swapRows(list, row, -1),
  down: (list, row) => swapRows(list, row, 1),
}

interface RemovedRow {
  index: number
  values: string[]
}

/** Removes a row: the values of the rows below move up, so that the indexes have no gap; a single row is emptied. */
function removeRow(list: HTMLElement, row: HTMLElement | null): RemovedRow | null {
  const rows = listRows(list)
  const index = row ? rows.indexOf(row) : -1
  if (index < 0) return null
  const values = rowValues(rows[index])
  for (const [place, current] of rows.entries()) if (place >= index) setValues(current, rowValues(rows[place + 1]))
  if (rows.length > 1) rows.at(-1)?.remove()
  focusRow(listRows(list)[Math.max(0, Math.min(index, rows.length - 2))])
  return values.some((value) => value !== '') ? { index, values } : null
}

/** Restores a removed row; those below move down. */
function restoreRow(list: HTMLElement, { index, values }: RemovedRow): void {
  const before = listRows(list)
  const last = before.at(-1)
  // The single row was emptied instead of removed.
  const hasSpace = before.length === 1 && rowValues(last).every((value) => value === '')
  if (!hasSpace && !addRow(list)) return
  const rows = listRows(list)
  for (let place = rows.length - 1; place > index; place--) {
    const current = rows[place]
    if (current) setValues(current, rowValues(rows[place - 1]))
  }
  const row = rows[index]
  if (row) setValues(row, values)
  focusRow(row)
}

const focusRow = (row: HTMLElement | undefined) => {
  if (row) controlsOf(row).find(isVisible)?.focus()
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const listRows = (list: HTMLElement): HTMLElement[] => [...list.querySelectorAll<HTMLElement>('[data-row]')]
const controlsOf = (row: HTMLElement): Control[] => [...row.querySelectorAll<Control>('input, textarea, select')]
const rowValues = (row: HTMLElement | undefined): string[] => (row ? controlsOf(row).map(readValue) : [])

const isTick = (control: Control): control is HTMLInputElement =>
  control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio')
const isVisible = (control: Control): boolean => control.type !== 'hidden'
const readValue = (control: Control): string => (isTick(control) ? (control.checked ? 'on' : '') : control.value)

/** Fills the controls of a row; missing values are those of an empty row. */
function setValues(row: HTMLElement, values: readonly string[]): void {
  for (const [index, control] of controlsOf(row).entries()) {
    const value = values[index]
    if (isTick(control)) control.checked = value === 'on'
    else if (control instanceof HTMLSelectElement) control.value = value ?? control.options[0]?.value ?? ''
    else control.value = value ?? ''
  }
}

/** Adds an empty row and returns it; null when the maximum is reached. */
function addRow(list: HTMLElement): HTMLElement | null {
  const template = list.querySelector('template')
  const rows = listRows(list)
  const last = rows.at(-1)
  if (!template || !last || rows.length >= Number(list.dataset.most)) return null
  const html = template.innerHTML
    .replaceAll('__place__', String(rows.length))
    .replaceAll('__number__', String(rows.length + 1))
  last.insertAdjacentHTML('afterend', html)
  const row = listRows(list).at(-1) ?? null
  for (const button of row?.querySelectorAll<HTMLElement>('[data-rows-action]') ?? []) button.hidden = false
  return row
}

function swapRows(list: HTMLElement, row: HTMLElement | null, direction: 1 | -1): void {
  const rows = listRows(list)
  const other = row ? rows[rows.indexOf(row) + direction] : undefined
  if (!row || !other) return
  const [mine, theirs] = [rowValues(row), rowValues(other)]
  setValues(row, theirs)
  setValues(other, mine)
  // The focus follows the moved row.
  other.querySelector<HTMLElement>(`[data-rows-action=${direction < 0 ? 'up' : 'down'}]`)?.focus()
}
