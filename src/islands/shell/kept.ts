import { forgetPages, keepOnlyFor } from '#islands/stores/kept-page.ts'
import { onPage } from '#islands/stores/page.ts'

/** What lessons are kept on this device belongs to who is signed in, and to nobody afterwards. */
onPage(() => {
  const person = document.querySelector<HTMLElement>('[data-cabinet]')?.dataset.person
  if (person) void keepOnlyFor(person)
})

document.addEventListener('submit', (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || !form.action.endsWith('/user/logout')) return
  event.preventDefault()
  // Sent past the handlers, once nothing is left to read.
  void forgetPages().finally(() => form.submit())
})
