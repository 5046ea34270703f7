import { onPage } from '#islands/stores/page.ts'

/* On a phone the tabs are one scrolling line: the open tab is scrolled into view. */
onPage(() => {
  const tabs = document.querySelector<HTMLElement>('[data-tabs]')
  const open = tabs?.querySelector<HTMLElement>('[aria-current]')
  if (tabs && open) tabs.scrollLeft = open.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - open.offsetWidth) / 2
  return undefined
})
