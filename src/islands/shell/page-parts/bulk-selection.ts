import { onPage } from '#islands/stores/page.ts'

/* CSS shows the bar of bulk actions; this script counts the selection and selects all rows of the page. */
onPage(() => {
  for (const form of document.querySelectorAll<HTMLFormElement>('[data-bulk]')) countSelection(form)
  return undefined
})

function countSelection(form: HTMLFormElement): void {
  const count = form.querySelector<HTMLElement>('[data-selected-count]')
  const selectPage = form.querySelector<HTMLButtonElement>('[data-select-page]')
  const selectAll = form.querySelector<HTMLInputElement>('[data-select-all]')
  const findCheckboxes = () => [...form.querySelectorAll<HTMLInputElement>('[data-select]')]
  const update = () => {
    const boxes = findCheckboxes()
    const selected = boxes.filter(({ checked }) => checked).length
    if (count) count.textContent = (count.dataset.text ?? '').replace('{{count}}', String(selected))
    if (selectPage) selectPage.hidden = selected === boxes.length
    if (!selectAll) return
    selectAll.checked = selected > 0 && selected === boxes.length
    selectAll.indeterminate = selected > 0 && selected < boxes.length
  }
  const check = (checked: boolean) => {
    for (const box of findCheckboxes()) box.checked = checked
    update()
  }
  form.addEventListener('change', ({ target }) =>
    target === selectAll ? check(selectAll?.checked ?? false) : update(),
  )
  selectPage?.addEventListener('click', () => check(true))
  update()
}
