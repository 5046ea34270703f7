import { useCallback, useMemo, useRef, useState } from 'react'

const LOAD_TIMEOUT_MS = 10_000

/** The player beside the desk, as the desk needs it. */
export interface PlayerHandle {
  /** The moment that is shown, in seconds; null while nothing has been played. */
  currentSeconds: () => number | null
  /** Plays from there, and brings the player first when it is only a picture yet. */
  playFrom: (seconds: number) => void
  /** Shows the captions as they are saved now. */
  refreshCaptions: () => void
}

/** Reaches the player inside of `place`; `begun` says that it must play. */
export function usePlayerHandle() {
  const container = useRef<HTMLDivElement>(null)
  const [hasStarted, setBegun] = useState(false)
  const findMedia = useCallback(() => container.current?.querySelector<HTMLMediaElement>('video, audio') ?? null, [])
  const playFrom = useCallback(
    (seconds: number) => {
      if (!findMedia()) setBegun(true)
      const before = document.activeElement
      void waitForMedia(findMedia).then((media) => {
        if (!media) return
        media.currentTime = seconds
        // A player that comes takes the focus; whoever types wants to go on typing.
        if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
        void media.play().catch(() => undefined)
      })
    },
    [findMedia],
  )
  const currentSeconds = useCallback(() => {
    const media = findMedia()
    return media && media.readyState > 0 ? media.currentTime : null
  }, [findMedia])
  const refreshCaptions = useCallback(() => {
    for (const track of container.current?.querySelectorAll('track') ?? []) {
      const address = new URL(track.src)
      address.searchParams.set('v', String(Date.now()))
      track.src = address.href
    }
  }, [])
  const player: PlayerHandle = useMemo(
    () => ({ currentSeconds, playFrom, refreshCaptions }),
    [currentSeconds, playFrom, refreshCaptions],
  )
  return { place: container, begun: hasStarted, player }
}

/** Waits for a player that is being loaded. */
async function waitForMedia(medium: () => HTMLMediaElement | null): Promise<HTMLMediaElement | null> {
  const until = Date.now() + LOAD_TIMEOUT_MS
  for (;;) {
    const media = medium()
    if (media && media.readyState > 0) return media
    if (Date.now() > until) return media
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
