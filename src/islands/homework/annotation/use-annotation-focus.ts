import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** The number of an annotation on its page, or its comment. */
interface FocusTarget {
  id: string
  part: 'mark' | 'comment'
}

/**
 * Focuses a part of an annotation as soon as it is rendered: the annotation may have just been added, or be on a page
 * that is still to be shown. The focus moves in the same commit, so that the next key presses are entered into the
 * comment.
 */
export function useAnnotationFocus(): {
  container: RefObject<HTMLDivElement | null>
  setPendingFocus: (target: FocusTarget) => void
} {
  const container = useRef<HTMLDivElement>(null)
  const [pendingFocus, setPendingFocus] = useState<FocusTarget | null>(null)
  // Without dependencies: the element may appear with any later rendering.
  useLayoutEffect(() => {
    if (!pendingFocus) return
    const attribute = pendingFocus.part === 'mark' ? 'data-mark' : 'data-mark-text'
    const element = container.current?.querySelector<HTMLElement>(`[${attribute}="${pendingFocus.id}"]`)
    if (!element) return
    element.focus()
    setPendingFocus(null)
  })
  return { container, setPendingFocus }
}
