type SeekableMedia = Pick<HTMLMediaElement, 'currentTime' | 'seeking'> &
  Pick<EventTarget, 'addEventListener' | 'removeEventListener'>

/** Nobody notices so many seconds, and a film that is led to its own place may miss it by as much. */
const TOLERANCE_SECONDS = 1

/**
 * Holds a film where it may not be wound on: whatever leads ahead of what was seen, `from` seconds at first, comes back
 * to there; going back stays free. Returns what ends it.
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
