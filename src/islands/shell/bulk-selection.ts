import { onPage } from '#islands/stores/page.ts'

/* The bar under the list is shown by CSS; this script counts the selection and selects all rows of the page. */
onPage(() => {
  const form = document.querySelector<HTMLFormElement>('[data-bulk]')
  const chosen = form?.querySelector<HTMLElement>('[data-chosen]')
  const all = form?.querySelector<HTMLButtonElement>('[data-all]')
  if (!form || !chosen || !all) return
  const checkboxes = () => [...form.querySelectorAll<HTMLInputElement>('input[type=checkbox]')]
  const updateCount = () => {
    const checkedCount = checkboxes().filter(({ checked }) => checked).length
    chosen.textContent = (chosen.dataset.words ?? '').replace('{{count}}', String(checkedCount))
    all.hidden = checkedCount === checkboxes().length
  }
  form.addEventListener('change', updateCount)
  all.addEventListener('click', () => {
    for (const box of checkboxes()) box.checked = true
    updateCount()
  })
  updateCount()
})
