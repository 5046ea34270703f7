import { onPage } from '#islands/stores/page.ts'

/*
 * Shows how many students a filter matches when there are several pages; until then the page states that there are more
 * than it shows.
 */
onPage(() => {
  const found = document.querySelector<HTMLElement>('[data-count-href]')
  const href = found?.dataset.countHref
  if (!found || !href) return undefined
  const leaving = new AbortController()
  fetch(href, { signal: leaving.signal })
    .then(async (response) => {
      if (response.ok) found.textContent = await response.text()
    })
    .catch(() => {})
  return () => leaving.abort()
})
