import { onPage } from '#islands/stores/page.ts'
import { followNotices } from './toasts.ts'

/** Toasts on a page without the cabinet around it. */
onPage(() => {
  followNotices(document.querySelector<HTMLElement>('#toasts'))
  return undefined
})
