import { clearCachedPages, clearPagesOfOthers } from '#islands/stores/lesson-cache.ts'
import { onPage } from '#islands/stores/page.ts'

/** What lessons are kept on this device belongs to who is signed in, and to nobody afterwards. */
onPage(() => {
  const person = document.querySelector<HTMLElement>('[data-cabinet]')?.dataset.person
  if (person) void clearPagesOfOthers(person)
})

document.addEventListener('submit', (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || !form.action.endsWith('/user/logout')) return
  event.preventDefault()
  // Sent past the handlers, once nothing is left to read.
  void clearCachedPages().finally(() => form.submit())
})
