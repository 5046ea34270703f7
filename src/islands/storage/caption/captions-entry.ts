import { showFailure } from '#islands/stores/notice.ts'
import { onPage } from '#islands/stores/page.ts'
import { readPageLocale } from '#islands/stores/page-locale.ts'
import { prepareReactRefresh } from '#islands/stores/react-refresh.ts'

/* The event `captions:open` with `fileId` and `name` opens the captions of a video on pages of other modules. */
onPage(() => {
  let close = () => {}
  let isUnmounted = false
  const open = (event: Event) => {
    const { fileId, name }: Record<string, unknown> = event instanceof CustomEvent ? event.detail : {}
    if (typeof fileId !== 'string' || typeof name !== 'string') return
    void openDialog({ fileId, name }).then((end) => {
      close = end
      if (isUnmounted) end()
    }, showFailure)
  }
  document.addEventListener('captions:open', open)
  return () => {
    isUnmounted = true
    document.removeEventListener('captions:open', open)
    close()
  }
})

async function openDialog(video: { fileId: string; name: string }): Promise<() => void> {
  prepareReactRefresh()
  const { openCaptionDialog: openCaptionWindow } = await import('./CaptionDialog.tsx')
  return openCaptionWindow(video, readPageLocale())
}
