import { type RefObject, useEffect } from 'react'

const STILL_MS = 2600
const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const

/** Hides what lies over the picture (`data-still`) while it plays and nobody moves. An open panel keeps it. */
export function useActive(frame: RefObject<HTMLElement | null>, hides: boolean): void {
  useEffect(() => {
    const { current: root } = frame
    if (!root) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const rest = () => {
      if (root.querySelector('[data-panel]')) wake()
      else root.dataset.still = ''
    }
    const wake = () => {
      delete root.dataset.still
      clearTimeout(timer)
      if (hides) timer = setTimeout(rest, STILL_MS)
    }
    // A finger's own tap decides itself whether it shows or hides.
    const sign = (event: Event) => {
      if (!(event instanceof PointerEvent && event.pointerType === 'touch')) wake()
    }
    for (const name of SIGNS) root.addEventListener(name, sign)
    root.addEventListener('player-wake', wake)
    wake()
    return () => {
      clearTimeout(timer)
      delete root.dataset.still
      for (const name of SIGNS) root.removeEventListener(name, sign)
      root.removeEventListener('player-wake', wake)
    }
  }, [frame, hides])
}
