import { onPage } from '#islands/stores/page.ts'

/* On a phone the tabs are one line that scrolls: the open one is in sight. */
onPage(() => {
  const tabs = document.querySelector<HTMLElement>('[data-tabs]')
  const open = tabs?.querySelector<HTMLElement>('[aria-current]')
  if (tabs && open) tabs.scrollLeft = open.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - open.offsetWidth) / 2
  return undefined
})
