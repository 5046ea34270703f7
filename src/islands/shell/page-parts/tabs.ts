import { onPage } from '#islands/stores/page.ts'

/* Tabs that do not fit are one scrolling row: the current tab is scrolled into view. */
onPage(() => {
  for (const tabs of document.querySelectorAll<HTMLElement>('[data-tabs]')) {
    const current = tabs.querySelector<HTMLElement>('[aria-current]')
    if (current) {
      tabs.scrollLeft = current.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - current.offsetWidth) / 2
    }
  }
  return undefined
})
