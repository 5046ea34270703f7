import { atom } from 'nanostores'

/** Ids of the selected submissions, in the order of the queue. */
export const $queueSelection = atom<readonly string[]>([])

const findCheckboxes = () => [...document.querySelectorAll<HTMLInputElement>('#queue [data-select]')]

/** Reads the selection from the checkboxes. */
export function readSelection(): void {
  const checkedBoxes = findCheckboxes().filter(({ checked }) => checked)
  $queueSelection.set(checkedBoxes.map(({ value }) => value))
  for (const box of findCheckboxes()) {
    const row = box.closest('tr')
    if (row) row.dataset.chosen = String(box.checked)
  }
  const all = document.querySelector<HTMLInputElement>('#queue [data-select-all]')
  if (!all) return
  all.checked = checkedBoxes.length > 0 && checkedBoxes.length === findCheckboxes().length
  all.indeterminate = checkedBoxes.length > 0 && !all.checked
}

/** Selects all rows of the page, or none. */
export function selectAllSubmissions(on: boolean): void {
  for (const box of findCheckboxes()) box.checked = on
  readSelection()
}
