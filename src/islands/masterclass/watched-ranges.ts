export type Stretch = [from: number, to: number]

type Film = Pick<HTMLVideoElement, 'currentTime' | 'paused' | 'playbackRate'> & Pick<EventTarget, 'addEventListener'>

/** The furthest that two looks at a playing film lie apart, in seconds of film at normal speed; more is a jump. */
const MOST_STEP = 2

/**
 * Watches which seconds of a film are really played. What is given back takes the whole stretches so far, in seconds
 * rounded outwards at most to the second they touch; a second time only what came since.
 */
export function watchStretches(film: Film): () => Stretch[] {
  let open: Stretch | null = null
  let whole: Stretch[] = []
  const close = () => {
    if (open && open[1] > open[0]) whole.push(open)
    open = null
  }
  film.addEventListener('timeupdate', () => {
    const at = film.currentTime
    const step = open ? at - open[1] : 0
    if (!open || step < 0 || step > MOST_STEP * Math.max(1, film.playbackRate)) {
      close()
      open = [at, at]
    } else open[1] = at
  })
  film.addEventListener('seeking', close)
  return () => {
    const at = open?.[1]
    close()
    if (at !== undefined && !film.paused) open = [at, at]
    const taken = whole.map(([from, to]): Stretch => [Math.floor(from), Math.ceil(to)])
    whole = []
    return taken
  }
}
