import { atom } from 'nanostores'

/** Ids of the works that are picked on the page of the queue, in its order. */
export const $selection = atom<readonly string[]>([])

const findCheckboxes = () => [...document.querySelectorAll<HTMLInputElement>('#queue [data-pick]')]

/** Takes what is ticked on the page. */
export function readSelection(): void {
  const picked = findCheckboxes().filter(({ checked }) => checked)
  $selection.set(picked.flatMap(({ dataset }) => dataset.pick ?? []))
  for (const box of findCheckboxes()) {
    const row = box.closest('tr')
    if (row) row.dataset.chosen = String(box.checked)
  }
  const all = document.querySelector<HTMLInputElement>('#queue [data-pick-all]')
  if (!all) return
  all.checked = picked.length > 0 && picked.length === findCheckboxes().length
  all.indeterminate = picked.length > 0 && !all.checked
}

/** Ticks all of the page, or none. */
export function selectAll(on: boolean): void {
  for (const box of findCheckboxes()) box.checked = on
  readSelection()
}
