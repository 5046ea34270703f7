import type { PlaybackView } from '#lib/storage/schema.ts'

/**
 * Only one media element plays at a time. Publishes its name and poster to the media session of the device, and handles
 * its commands, e.g. of headphones.
 */
export function bindMediaSession(media: HTMLMediaElement, view: PlaybackView): () => void {
  const { mediaSession } = navigator
  const seekBy = (seconds: number) => () => {
    media.currentTime = Math.max(0, media.currentTime + seconds)
  }
  const onPlaying = () => {
    for (const other of document.querySelectorAll<HTMLMediaElement>('.player :is(video, audio)')) {
      if (other !== media) other.pause()
    }
    if (!mediaSession) return
    const artwork = view.poster ? [{ src: new URL(view.poster, location.href).href, type: 'image/webp' }] : []
    mediaSession.metadata = new MediaMetadata({ title: view.name, artwork })
    mediaSession.setActionHandler('seekbackward', seekBy(-10))
    mediaSession.setActionHandler('seekforward', seekBy(10))
  }
  media.addEventListener('playing', onPlaying)
  return () => {
    media.removeEventListener('playing', onPlaying)
    if (!mediaSession) return
    mediaSession.metadata = null
    for (const action of ['seekbackward', 'seekforward'] as const) mediaSession.setActionHandler(action, null)
  }
}
