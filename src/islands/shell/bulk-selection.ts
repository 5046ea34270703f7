import { onPage } from '#islands/stores/page.ts'

/* The bar under the list appears by style alone; here it counts, and chooses all that the page shows. */
onPage(() => {
  const form = document.querySelector<HTMLFormElement>('[data-bulk]')
  const chosen = form?.querySelector<HTMLElement>('[data-chosen]')
  const all = form?.querySelector<HTMLButtonElement>('[data-all]')
  if (!form || !chosen || !all) return
  const boxes = () => [...form.querySelectorAll<HTMLInputElement>('input[type=checkbox]')]
  const count = () => {
    const ticked = boxes().filter(({ checked }) => checked).length
    chosen.textContent = (chosen.dataset.words ?? '').replace('{{count}}', String(ticked))
    all.hidden = ticked === boxes().length
  }
  form.addEventListener('change', count)
  all.addEventListener('click', () => {
    for (const box of boxes()) box.checked = true
    count()
  })
  count()
})
