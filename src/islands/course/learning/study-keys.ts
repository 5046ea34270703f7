import { goTo } from '#islands/stores/page.ts'

type Act = (place: HTMLElement) => void

// By the place of the key: on a Ukrainian keyboard N writes «т». The player hears its own keys first.
const KEYS: Record<string, Act> = {
  KeyN: () => follow('next'),
  KeyP: () => follow('prev'),
  KeyE: (place) => {
    const note = place.querySelector<HTMLElement>('[data-note]')
    note?.closest('details')?.setAttribute('open', '')
    note?.focus()
  },
  KeyV: (place) => {
    const film = place.querySelector<HTMLElement>('[data-film]')
    film?.scrollIntoView({ block: 'center' })
    const start = film?.querySelector<HTMLElement>('[data-start]:not([hidden])')
    if (start) start.click()
    else film?.querySelector<HTMLElement>('.player')?.focus()
  },
}

/** N and P turn the lesson's pages, E opens the note, V plays the film; `?` lists them. */
export function followKeys(place: HTMLElement): () => void {
  const press = (event: KeyboardEvent) => {
    const { target, code, ctrlKey, metaKey, altKey, shiftKey } = event
    if (event.defaultPrevented || ctrlKey || metaKey || altKey || shiftKey || event.repeat) return
    if (isTyping(target) || document.querySelector('dialog[open], [role="dialog"]')) return
    const act = KEYS[code]
    if (!act) return
    event.preventDefault()
    act(place)
  }
  document.addEventListener('keydown', press)
  return () => document.removeEventListener('keydown', press)
}

function follow(rel: 'next' | 'prev'): void {
  const link = document.querySelector<HTMLAnchorElement>(`[data-redraw="neighbours"] a[rel="${rel}"]`)
  if (link) goTo(link.href)
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, select, textarea'))
}
