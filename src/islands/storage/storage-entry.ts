import { navigateTo, onPage } from '#islands/stores/page.ts'

/* A changed filter submits the form. */
onPage(() => {
  const filters = document.querySelector<HTMLFormElement>('#storage-filters')
  const send = (event: Event) => {
    if (event.target instanceof HTMLSelectElement && filters) navigateTo(`/storage?${toQuery(filters)}`)
  }
  filters?.addEventListener('change', send)
  return () => filters?.removeEventListener('change', send)
})

/** The query of a form without empty fields. */
function toQuery(form: HTMLFormElement): URLSearchParams {
  const pairs = [...new FormData(form)].map(([name, value]) => [name, String(value)])
  return new URLSearchParams(pairs.filter(([, value]) => value !== ''))
}
