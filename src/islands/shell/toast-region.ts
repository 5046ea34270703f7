import { onPage } from '#islands/stores/page.ts'
import { renderNotices } from './toasts.ts'

/** Toasts on a page outside the cabinet. */
onPage(() => {
  renderNotices(document.querySelector<HTMLElement>('#toasts'))
  return undefined
})
