import { useCallback, useMemo, useRef, useState } from 'react'

const PATIENCE = 10_000

/** The player beside the desk, as the desk needs it. */
export interface FilmHandle {
  /** The moment that is shown, in seconds; null while nothing has been played. */
  now: () => number | null
  /** Plays from there, and brings the player first when it is only a picture yet. */
  playFrom: (seconds: number) => void
  /** Shows the captions as they are saved now. */
  refreshCaptions: () => void
}

/** Reaches the player inside of `place`; `begun` says that it must play. */
export function useFilm() {
  const place = useRef<HTMLDivElement>(null)
  const [begun, setBegun] = useState(false)
  const medium = useCallback(() => place.current?.querySelector<HTMLMediaElement>('video, audio') ?? null, [])
  const playFrom = useCallback(
    (seconds: number) => {
      if (!medium()) setBegun(true)
      const before = document.activeElement
      void ready(medium).then((media) => {
        if (!media) return
        media.currentTime = seconds
        // A player that comes takes the focus; whoever types wants to go on typing.
        if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
        void media.play().catch(() => undefined)
      })
    },
    [medium],
  )
  const now = useCallback(() => {
    const media = medium()
    return media && media.readyState > 0 ? media.currentTime : null
  }, [medium])
  const refreshCaptions = useCallback(() => {
    for (const track of place.current?.querySelectorAll('track') ?? []) {
      const address = new URL(track.src)
      address.searchParams.set('v', String(Date.now()))
      track.src = address.href
    }
  }, [])
  const film: FilmHandle = useMemo(() => ({ now, playFrom, refreshCaptions }), [now, playFrom, refreshCaptions])
  return { place, begun, film }
}

/** Waits for a player that is being loaded. */
async function ready(medium: () => HTMLMediaElement | null): Promise<HTMLMediaElement | null> {
  const until = Date.now() + PATIENCE
  for (;;) {
    const media = medium()
    if (media && media.readyState > 0) return media
    if (Date.now() > until) return media
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
