import { type RefObject, useEffect } from 'react'
import { typesIn } from './bar-keys.ts'

/**
 * Takes the focus to what has just opened, and back to where it was, or to the button of this act, when it closes. Who is
 * writing goes on writing.
 */
export function useOwnFocus(target: RefObject<HTMLElement | null>, act: string): void {
  useEffect(() => {
    const { activeElement: before } = document
    const { current: opened } = target
    if (typesIn(before)) return
    opened?.focus({ preventScroll: true })
    return () => {
      const { activeElement: now } = document
      if (now && now !== document.body && !opened?.contains(now)) return
      backTo(before, act)?.focus()
    }
  }, [target, act])
}

/** Where the focus goes when something closes that this had opened: there, or to the button of the act. */
export function backTo(opener: Element | null, act: string): HTMLElement | null {
  if (opener instanceof HTMLElement && opener.isConnected && opener.tabIndex >= 0) return opener
  const button = document.querySelector<HTMLElement>(`[data-act="${act}"]`)
  return button?.offsetParent ? button : document.querySelector<HTMLElement>('[data-act="more"]')
}
