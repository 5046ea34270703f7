import { type RefObject, useEffect } from 'react'

const HIDE_CONTROLS_MS = 2600
const ACTIVITY_EVENTS = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const

/**
 * Hides the layers over the video (`data-still`) during playback without user activity. An open panel keeps them
 * visible.
 */
export function useControlVisibility(frame: RefObject<HTMLElement | null>, autoHides: boolean): void {
  useEffect(() => {
    const { current: root } = frame
    if (!root) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const hideControls = () => {
      if (root.querySelector('[data-panel]')) showControls()
      else root.dataset.still = ''
    }
    const showControls = () => {
      delete root.dataset.still
      clearTimeout(timer)
      if (autoHides) timer = setTimeout(hideControls, HIDE_CONTROLS_MS)
    }
    // A touch handler decides itself whether a tap shows or hides the controls.
    const onActivity = (event: Event) => {
      if (!(event instanceof PointerEvent && event.pointerType === 'touch')) showControls()
    }
    for (const name of ACTIVITY_EVENTS) root.addEventListener(name, onActivity)
    root.addEventListener('player-wake', showControls)
    showControls()
    return () => {
      clearTimeout(timer)
      delete root.dataset.still
      for (const name of ACTIVITY_EVENTS) root.removeEventListener(name, onActivity)
      root.removeEventListener('player-wake', showControls)
    }
  }, [frame, autoHides])
}
