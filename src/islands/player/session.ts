import type { PlaybackView } from '#lib/storage/schema.ts'

/** One recording plays at a time. Tells the device which: its name and picture on a locked screen, headphones that go back and forth. */
export function announceMedia(media: HTMLMediaElement, view: PlaybackView): () => void {
  const { mediaSession } = navigator
  const jump = (seconds: number) => () => {
    media.currentTime = Math.max(0, media.currentTime + seconds)
  }
  const told = () => {
    for (const other of document.querySelectorAll<HTMLMediaElement>('.player :is(video, audio)')) {
      if (other !== media) other.pause()
    }
    if (!mediaSession) return
    const artwork = view.poster ? [{ src: new URL(view.poster, location.href).href, type: 'image/webp' }] : []
    mediaSession.metadata = new MediaMetadata({ title: view.name, artwork })
    mediaSession.setActionHandler('seekbackward', jump(-10))
    mediaSession.setActionHandler('seekforward', jump(10))
  }
  media.addEventListener('playing', told)
  return () => {
    media.removeEventListener('playing', told)
    if (!mediaSession) return
    mediaSession.metadata = null
    for (const action of ['seekbackward', 'seekforward'] as const) mediaSession.setActionHandler(action, null)
  }
}
