import { navigateTo } from '#islands/stores/page.ts'
import { isTypingTarget } from '#islands/ui/key-target.ts'

type KeyAction = (container: HTMLElement) => void

// By key position: on a Ukrainian keyboard the N key types «т». The player handles its keys first.
const KEYS: Record<string, KeyAction> = {
  KeyN: () => openAdjacentLesson('next'),
  KeyP: () => openAdjacentLesson('prev'),
  KeyE: (container) => {
    const note = container.querySelector<HTMLElement>('[data-note]')
    note?.closest('details')?.setAttribute('open', '')
    note?.focus()
  },
  KeyV: (container) => {
    const player = container.querySelector<HTMLElement>('[data-video]')
    player?.scrollIntoView({ block: 'center' })
    const start = player?.querySelector<HTMLElement>('[data-start]:not([hidden])')
    if (start) start.click()
    else player?.querySelector<HTMLElement>('.player')?.focus()
  },
}

/** Shortcuts: N and P open the adjacent lessons, E the note, V starts the video; `?` lists them. */
export function bindShortcuts(container: HTMLElement): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    const { target, code, ctrlKey, metaKey, altKey, shiftKey } = event
    if (event.defaultPrevented || ctrlKey || metaKey || altKey || shiftKey || event.repeat) return
    if (isTypingTarget(target) || document.querySelector('dialog[open], [role="dialog"]')) return
    const action = KEYS[code]
    if (!action) return
    event.preventDefault()
    action(container)
  }
  document.addEventListener('keydown', onKeyDown)
  return () => document.removeEventListener('keydown', onKeyDown)
}

function openAdjacentLesson(rel: 'next' | 'prev'): void {
  const link = document.querySelector<HTMLAnchorElement>(`[data-redraw="neighbours"] a[rel="${rel}"]`)
  if (link) navigateTo(link.href)
}
