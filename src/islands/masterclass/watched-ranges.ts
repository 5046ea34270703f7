export type WatchedRange = [from: number, to: number]

type VideoPosition = Pick<HTMLVideoElement, 'currentTime' | 'paused' | 'playbackRate'> &
  Pick<EventTarget, 'addEventListener'>

/** Maximum distance of two `timeupdate` events, in seconds at normal speed; more is a seek. */
const MAX_STEP_SECONDS = 2

/**
 * Tracks which ranges of a video are really played. The returned function takes the ranges since its last call, in
 * seconds, rounded outwards to whole seconds.
 */
export function trackWatchedRanges(video: VideoPosition): () => WatchedRange[] {
  let openRange: WatchedRange | null = null
  let closedRanges: WatchedRange[] = []
  const closeRange = () => {
    if (openRange && openRange[1] > openRange[0]) closedRanges.push(openRange)
    openRange = null
  }
  video.addEventListener('timeupdate', () => {
    const position = video.currentTime
    const step = openRange ? position - openRange[1] : 0
    if (!openRange || step < 0 || step > MAX_STEP_SECONDS * Math.max(1, video.playbackRate)) {
      closeRange()
      openRange = [position, position]
    } else openRange[1] = position
  })
  video.addEventListener('seeking', closeRange)
  return () => {
    const position = openRange?.[1]
    closeRange()
    if (position !== undefined && !video.paused) openRange = [position, position]
    const ranges = closedRanges.map(([from, to]): WatchedRange => [Math.floor(from), Math.ceil(to)])
    closedRanges = []
    return ranges
  }
}
