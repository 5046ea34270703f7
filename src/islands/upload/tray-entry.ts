import { runWhenIdle } from '#islands/stores/page.ts'
import { readPageLocale } from '#islands/stores/page-locale.ts'
import { prepareReactRefresh } from '#islands/stores/react-refresh.ts'
import { $uploads, isSending } from '#islands/stores/upload/upload-list.ts'
import { findUnfinished } from '#islands/stores/upload/uploads.ts'

/*
 * The tray persists across pages of the cabinet. It is loaded when there is an upload, so that other pages do not load
 * it.
 */
const host = document.querySelector<HTMLElement>('#upload-tray')
const locale = readPageLocale()
let drawn = false

if (host) {
  $uploads.subscribe((uploads) => {
    if (uploads.length === 0 || drawn) return
    drawn = true
    prepareReactRefresh()
    import('./UploadTray.tsx')
      .then(({ mountTray }) => mountTray(host, locale))
      .catch(() => {
        drawn = false
      })
  })
  runWhenIdle(() => void findUnfinished())
}

// The browser shows a confirmation before a tab with a running upload is closed; navigation in the cabinet does not
// stop it.
window.addEventListener('beforeunload', (event) => {
  if (isSending($uploads.get())) event.preventDefault()
})
