import { type RefObject, useEffect } from 'react'

/**
 * Fits the room to the visual viewport. The on-screen keyboard covers the lower part of the page, and some browsers
 * scroll the upper part away; the stage has to stay visible above the chat while the participant types.
 */
export function useRoomHeight(target: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current: room } = target
    const viewport = window.visualViewport
    if (!room || !viewport) return undefined
    const fill = () => {
      // A pinch zoom also shrinks the visual viewport, but is intended.
      if (viewport.scale > 1.01) return
      room.style.setProperty('--room-height', `${Math.round(viewport.height)}px`)
      room.style.setProperty('--room-top', `${Math.round(viewport.offsetTop)}px`)
      const isTyping = room.ownerDocument.activeElement?.matches('input, textarea, [contenteditable="true"]')
      room.toggleAttribute('data-typing', !!isTyping && viewport.height < window.innerHeight * 0.8)
    }
    fill()
    viewport.addEventListener('resize', fill)
    viewport.addEventListener('scroll', fill)
    document.addEventListener('focusin', fill)
    document.addEventListener('focusout', fill)
    return () => {
      viewport.removeEventListener('resize', fill)
      viewport.removeEventListener('scroll', fill)
      document.removeEventListener('focusin', fill)
      document.removeEventListener('focusout', fill)
    }
  }, [target])
}
