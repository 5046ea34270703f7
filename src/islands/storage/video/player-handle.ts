import { useCallback, useMemo, useRef, useState } from 'react'

const LOAD_TIMEOUT_MS = 10_000

/** Control of the player in the editor. */
export interface PlayerHandle {
  /** The current time in seconds; null before the first playback. */
  currentSeconds: () => number | null
  /** Plays from a time; loads the player first if needed. */
  playFrom: (seconds: number) => void
  /** Reloads the saved captions. */
  refreshCaptions: () => void
}

/** Finds the player inside a container; `begun` requests it to start. */
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
        // A loading player takes the focus: return it to the field.
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

/** Waits until the player is loaded. */
async function waitForMedia(medium: () => HTMLMediaElement | null): Promise<HTMLMediaElement | null> {
  const until = Date.now() + LOAD_TIMEOUT_MS
  for (;;) {
    const media = medium()
    if (media && media.readyState > 0) return media
    if (Date.now() > until) return media
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
