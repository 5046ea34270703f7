import { onPage } from '#islands/stores/page.ts'
import { renderNotices } from './toasts.ts'

/** Toasts on a page without the cabinet around it. */
onPage(() => {
  renderNotices(document.querySelector<HTMLElement>('#toasts'))
  return undefined
})
