import { subscribe } from '#islands/stores/live.ts'
import type { SignedUrls } from './signed-urls.ts'

const POLL_MS = 5000

/** Checks whether a video can be played by now: users who manage files receive an event, all others poll every 5 s. */
export function followTranscoding(signedUrls: SignedUrls): () => void {
  const checkPlayback = () => {
    const { processing: making } = signedUrls.$view.get()
    if (making?.state !== 'failed') signedUrls.renew().catch(() => {})
  }
  checkPlayback()
  const timer = setInterval(checkPlayback, POLL_MS)
  const { canSubscribe: watches, fileId } = signedUrls.$view.get()
  const onStorageEvent = (event: { fileId: string | null }) => event.fileId === fileId && checkPlayback()
  const unsubscribe = watches ? subscribe('storage', onStorageEvent, checkPlayback) : () => {}
  return () => {
    clearInterval(timer)
    unsubscribe()
  }
}
