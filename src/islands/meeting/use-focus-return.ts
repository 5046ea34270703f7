import { type RefObject, useEffect } from 'react'
import { isTextEntry } from './bar-shortcuts.ts'

/**
 * Takes the focus to what has just opened, and back to where it was, or to the button of this act, when it closes. Who is
 * writing goes on writing.
 */
export function useFocusReturn(target: RefObject<HTMLElement | null>, command: string): void {
  useEffect(() => {
    const { activeElement: previouslyFocused } = document
    const { current: opened } = target
    if (isTextEntry(previouslyFocused)) return
    opened?.focus({ preventScroll: true })
    return () => {
      const { activeElement: focused } = document
      if (focused && focused !== document.body && !opened?.contains(focused)) return
      findFocusTarget(previouslyFocused, command)?.focus()
    }
  }, [target, command])
}

/** Where the focus goes when something closes that this had opened: there, or to the button of the act. */
export function findFocusTarget(opener: Element | null, command: string): HTMLElement | null {
  if (opener instanceof HTMLElement && opener.isConnected && opener.tabIndex >= 0) return opener
  const button = document.querySelector<HTMLElement>(`[data-act="${command}"]`)
  return button?.offsetParent ? button : document.querySelector<HTMLElement>('[data-act="more"]')
}
