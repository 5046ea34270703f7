import { type RefObject, useEffect } from 'react'
import { isTextEntry } from './bar-shortcuts.ts'

/**
 * Focuses an element when it opens and returns the focus when it closes: to the previously focused element, or to the
 * button of the command. The focus stays in a text field that is in use.
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

/** Returns the element to focus after closing: the opener if it is still focusable, otherwise the command's button. */
export function findFocusTarget(opener: Element | null, command: string): HTMLElement | null {
  if (opener instanceof HTMLElement && opener.isConnected && opener.tabIndex >= 0) return opener
  const button = document.querySelector<HTMLElement>(`[data-action="${command}"]`)
  return button?.offsetParent ? button : document.querySelector<HTMLElement>('[data-action="more"]')
}
