import { type RefObject, useEffect } from 'react'

/**
 * A phone's keyboard covers the lower part of the page, and some browsers push the upper part out of sight: the room takes
 * exactly what is seen, so that the stage stays above the chat while somebody types.
 */
export function useRoomHeight(target: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current: room } = target
    const seen = window.visualViewport
    if (!room || !seen) return undefined
    const fill = () => {
      // Pinched larger is somebody's wish and no keyboard.
      if (seen.scale > 1.01) return
      room.style.setProperty('--room-height', `${Math.round(seen.height)}px`)
      room.style.setProperty('--room-top', `${Math.round(seen.offsetTop)}px`)
      const types = room.ownerDocument.activeElement?.matches('input, textarea, [contenteditable="true"]')
      room.toggleAttribute('data-typing', !!types && seen.height < window.innerHeight * 0.8)
    }
    fill()
    seen.addEventListener('resize', fill)
    seen.addEventListener('scroll', fill)
    document.addEventListener('focusin', fill)
    document.addEventListener('focusout', fill)
    return () => {
      seen.removeEventListener('resize', fill)
      seen.removeEventListener('scroll', fill)
      document.removeEventListener('focusin', fill)
      document.removeEventListener('focusout', fill)
    }
  }, [target])
}
