import { clearCachedPages, clearPagesOfOthers } from '#islands/stores/lesson-cache.ts'
import { onPage } from '#islands/stores/page.ts'

/** Cached lessons belong to the signed-in user: those of another user are deleted, and all of them at sign-out. */
onPage(() => {
  const person = document.querySelector<HTMLElement>('[data-cabinet]')?.dataset.person
  if (person) void clearPagesOfOthers(person)
})

document.addEventListener('submit', (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || !form.action.endsWith('/user/logout')) return
  event.preventDefault()
  // Submitted without the event handlers, after the cache is empty.
  void clearCachedPages().finally(() => form.submit())
})
