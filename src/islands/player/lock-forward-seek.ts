type SeekableMedia = Pick<HTMLMediaElement, 'currentTime' | 'seeking'> &
  Pick<EventTarget, 'addEventListener' | 'removeEventListener'>

/** Tolerance of the current position, in seconds. */
const TOLERANCE_SECONDS = 1

/**
 * Prevents seeking ahead of the watched position, initially `startSeconds`; seeking back is allowed. Returns a function
 * that removes the lock.
 */
export function lockForwardSeek(media: SeekableMedia, startSeconds: number): () => void {
  let watchedSeconds = startSeconds
  const onTimeUpdate = () => {
    if (!media.seeking && media.currentTime <= watchedSeconds + TOLERANCE_SECONDS)
      watchedSeconds = Math.max(watchedSeconds, media.currentTime)
  }
  const onSeeking = () => {
    if (media.currentTime > watchedSeconds + TOLERANCE_SECONDS) media.currentTime = watchedSeconds
  }
  media.addEventListener('timeupdate', onTimeUpdate)
  media.addEventListener('seeking', onSeeking)
  return () => {
    media.removeEventListener('timeupdate', onTimeUpdate)
    media.removeEventListener('seeking', onSeeking)
  }
}
