import { onPage, refreshPage } from '#islands/stores/page.ts'

const REFRESH_MS = 20_000

/* Refreshes the list of questions while the page is visible and no form is being edited. */
onPage(() => {
  if (!document.querySelector('[data-live-refresh]')) return
  const timer = setInterval(() => {
    const writing = document.activeElement?.matches('input, textarea, select')
    const changed = document.querySelector('form[data-changed]')
    const typed = [...document.querySelectorAll('textarea')].some((area) => area.value !== area.defaultValue)
    if (document.visibilityState === 'visible' && !writing && !changed && !typed) refreshPage()
  }, REFRESH_MS)
  return () => clearInterval(timer)
})
