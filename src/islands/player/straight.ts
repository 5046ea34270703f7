type Film = Pick<HTMLMediaElement, 'currentTime' | 'seeking'> &
  Pick<EventTarget, 'addEventListener' | 'removeEventListener'>

/** Nobody notices so many seconds, and a film that is led to its own place may miss it by as much. */
const SLACK = 1

/**
 * Holds a film where it may not be wound on: whatever leads ahead of what was seen, `from` seconds at first, comes back
 * to there; going back stays free. Returns what ends it.
 */
export function keepStraight(film: Film, from: number): () => void {
  let seen = from
  const played = () => {
    if (!film.seeking && film.currentTime <= seen + SLACK) seen = Math.max(seen, film.currentTime)
  }
  const jumped = () => {
    if (film.currentTime > seen + SLACK) film.currentTime = seen
  }
  film.addEventListener('timeupdate', played)
  film.addEventListener('seeking', jumped)
  return () => {
    film.removeEventListener('timeupdate', played)
    film.removeEventListener('seeking', jumped)
  }
}
