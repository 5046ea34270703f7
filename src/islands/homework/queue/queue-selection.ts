import { atom } from 'nanostores'

/** Ids of the works that are picked on the page of the queue, in its order. */
export const $chosen = atom<readonly string[]>([])

const boxes = () => [...document.querySelectorAll<HTMLInputElement>('#queue [data-pick]')]

/** Takes what is ticked on the page. */
export function readChosen(): void {
  const picked = boxes().filter(({ checked }) => checked)
  $chosen.set(picked.flatMap(({ dataset }) => dataset.pick ?? []))
  for (const box of boxes()) {
    const row = box.closest('tr')
    if (row) row.dataset.chosen = String(box.checked)
  }
  const all = document.querySelector<HTMLInputElement>('#queue [data-pick-all]')
  if (!all) return
  all.checked = picked.length > 0 && picked.length === boxes().length
  all.indeterminate = picked.length > 0 && !all.checked
}

/** Ticks all of the page, or none. */
export function chooseAll(on: boolean): void {
  for (const box of boxes()) box.checked = on
  readChosen()
}
