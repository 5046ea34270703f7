import { createElement, openFieldDialog } from './field-dialog.ts'
import { loadFieldStrings } from './field-strings.ts'
import { deviceZone, orderZones } from './zone-order.ts'

const OFFSETS_AT_ONCE = 20

/** Opens a searchable list of time zones: a combobox over the options of the select, with their current offsets. */
export async function openZoneDialog(field: HTMLElement, select: HTMLSelectElement, query: string): Promise<void> {
  const t = await loadFieldStrings()
  const ordered = orderZones([...select.options], deviceZone())
  const options = ordered.map((option, index) => ({ option, ...createRow(option, index) }))
  const list = createElement('ul', {
    role: 'listbox',
    id: 'field-zone-list',
    class: 'zone-list',
    'aria-label': t('field:zone.label'),
  })
  const search = createElement('input', {
    type: 'search',
    class: 'input w-full',
    role: 'combobox',
    'aria-expanded': 'true',
    'aria-controls': 'field-zone-list',
    'aria-autocomplete': 'list',
    'aria-label': t('field:zone.search'),
    placeholder: t('field:zone.search'),
    autocomplete: 'off',
    value: query,
  })
  const status = createElement('p', { class: 'field-hint', role: 'status' })
  let shown = options
  let active = 0

  const choose = (index: number) => {
    const chosen = shown[index]
    if (!chosen) return
    dialog.close()
    select.value = chosen.option.value
    select.dispatchEvent(new Event('input', { bubbles: true }))
    select.dispatchEvent(new Event('change', { bubbles: true }))
  }
  const activate = (index: number) => {
    shown[active]?.row.removeAttribute('data-active')
    active = Math.max(0, Math.min(index, shown.length - 1))
    const row = shown[active]?.row
    row?.setAttribute('data-active', '')
    row?.scrollIntoView({ block: 'nearest' })
    search.setAttribute('aria-activedescendant', row?.id ?? '')
  }
  const showMatches = () => {
    const words = search.value.trim().toLowerCase()
    for (const { row } of options) row.removeAttribute('data-active')
    shown = options.filter(({ text }) => text.includes(words))
    list.replaceChildren(...shown.map(({ row }) => row))
    status.textContent = shown.length === 0 ? t('field:zone.none') : ''
    activate(words === '' ? options.findIndex(({ option }) => option.selected) : 0)
  }
  search.addEventListener('input', showMatches)
  search.addEventListener('keydown', (event) => {
    const moves: Record<string, number> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + 8,
      PageUp: active - 8,
    }
    const next = moves[event.key]
    if (next === undefined && event.key !== 'Enter') return
    event.preventDefault()
    if (next === undefined) choose(active)
    else activate(next)
  })
  list.addEventListener('click', ({ target }) => {
    const row = target instanceof Element ? target.closest('li') : null
    if (row) choose(shown.findIndex((candidate) => candidate.row === row))
  })
  showMatches()
  const dialog = openFieldDialog(field, t('field:zone.label'), [search, list, status])
  activate(active)
  search.focus()
  search.setSelectionRange(query.length, query.length)
  addOffsets(
    options.map(({ row, option }) => ({ row, zone: option.value })),
    dialog,
  )
}

function createRow({ value, text, selected }: HTMLOptionElement, index: number) {
  const row = createElement('li', { role: 'option', id: `field-zone-${index}`, 'aria-selected': String(selected) }, [
    createElement('span', {}, [text]),
  ])
  return { row, text: `${text} ${value.replaceAll('_', ' ')}`.toLowerCase() }
}

// Creating the formatter of a zone takes half a millisecond, so the list is shown first.
function addOffsets(rows: readonly { row: HTMLElement; zone: string }[], dialog: HTMLDialogElement): void {
  for (const { row, zone } of rows.slice(0, OFFSETS_AT_ONCE)) {
    const offset = offsetOf(zone)
    if (offset) row.append(createElement('span', { class: 'zone-offset' }, [offset]))
  }
  const rest = rows.slice(OFFSETS_AT_ONCE)
  if (rest.length > 0) setTimeout(() => dialog.open && addOffsets(rest, dialog))
}

function offsetOf(zone: string): string {
  try {
    const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' }).formatToParts()
    return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  } catch {
    // The value of an option may not be a zone.
    return ''
  }
}
