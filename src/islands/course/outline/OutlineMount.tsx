import { mountIsland } from '#islands/mount/mount.ts'
import { OutlineDesk } from './OutlineDesk.tsx'
import type { OutlineProps } from './outline-view.ts'

/** Puts the living outline in the place of the still one: same place, same focus, same typed words. Answers how to take it away. */
export function mountOutline(place: HTMLElement, props: OutlineProps): () => void {
  const keep = memoryOf(place)
  const { unmount } = mountIsland(place, 'outline', <OutlineDesk {...props} />, { now: true })
  keep()
  return unmount
}

type Field = HTMLInputElement | HTMLTextAreaElement

function memoryOf(place: HTMLElement): () => void {
  const { scrollTop } = place
  const typed = [...place.querySelectorAll<Field>('textarea, input:not([type=hidden])')].map(({ id, value }) => ({
    id,
    value,
  }))
  const opened = [...place.querySelectorAll('details[open]')].map(({ id }) => id)
  const focused = place.contains(document.activeElement) ? document.activeElement : null
  const row = focused?.closest<HTMLElement>('[data-lesson]')?.dataset.lesson
  const focusedOn = focused?.id ? `#${CSS.escape(focused.id)}` : row ? `[data-lesson="${row}"] a` : null
  return () => {
    for (const id of opened) place.querySelector(`#${CSS.escape(id)}`)?.setAttribute('open', '')
    for (const { id, value } of typed) {
      const field = id ? place.querySelector<Field>(`#${CSS.escape(id)}`) : null
      if (field && value) field.value = value
    }
    place.scrollTop = scrollTop
    if (focusedOn) place.querySelector<HTMLElement>(focusedOn)?.focus({ preventScroll: true })
  }
}
