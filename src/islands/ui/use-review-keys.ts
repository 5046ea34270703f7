import { type RefObject, useEffect, useRef } from 'react'
import { findKeyControl } from './key-target.ts'

interface KeyActions {
  next: () => void
  previous: () => void
}

/**
 * J and K change the submission; letters click the element with that `data-key` while the focus is outside of fields;
 * Ctrl+Enter clicks `data-key="accept"` from fields too; Esc leaves a field.
 */
export function useReviewKeys(root: RefObject<HTMLElement | null>, actions: KeyActions): void {
  const latest = useRef(actions)
  latest.current = actions
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (document.querySelector('[role="dialog"], [role="menu"], dialog[open]')) return
      const { target } = event
      if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') {
        event.preventDefault()
        root.current?.querySelector<HTMLElement>('[data-key="accept"]')?.click()
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (isTyping(target)) {
        if (event.key === 'Escape' && target instanceof HTMLElement) {
          target.blur()
          root.current?.querySelector<HTMLElement>('h1')?.focus()
        }
        return
      }
      if (event.code === 'KeyJ') latest.current.next()
      else if (event.code === 'KeyK') latest.current.previous()
      else clickKeyControl(root.current, event)
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [root])
}

function clickKeyControl(root: HTMLElement | null, event: KeyboardEvent): void {
  const control = root && findKeyControl(root, event)
  if (!control) return
  event.preventDefault()
  const field = control.querySelector<HTMLElement>('[contenteditable="true"], textarea, input')
  if (control.matches('button, input')) control.click()
  if (control.matches('input')) control.focus()
  else field?.focus()
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable) return true
  return target.matches('select, textarea, input:not([type=radio], [type=checkbox])')
}
