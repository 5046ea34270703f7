import { mountIsland } from '#islands/mount/mount.ts'
import { OutlineEditor } from './OutlineEditor.tsx'
import type { OutlineProps } from './outline-view.ts'

/**
 * Mounts the interactive outline in place of the HTML, with the same scroll position, focus and typed text. Returns a
 * function that unmounts it.
 */
export function mountOutline(container: HTMLElement, props: OutlineProps): () => void {
  const restoreState = captureState(container)
  const { unmount } = mountIsland(container, 'outline', <OutlineEditor {...props} />, { isSync: true })
  restoreState()
  return unmount
}

type Field = HTMLInputElement | HTMLTextAreaElement

function captureState(container: HTMLElement): () => void {
  const { scrollTop } = container
  const typedValues = [...container.querySelectorAll<Field>('textarea, input:not([type=hidden])')].map(
    ({ id, value }) => ({
      id,
      value,
    }),
  )
  const openIds = [...container.querySelectorAll('details[open]')].map(({ id }) => id)
  const focused = container.contains(document.activeElement) ? document.activeElement : null
  const row = focused?.closest<HTMLElement>('[data-lesson]')?.dataset.lesson
  const focusedOn = focused?.id ? `#${CSS.escape(focused.id)}` : row ? `[data-lesson="${row}"] a` : null
  return () => {
    for (const id of openIds) container.querySelector(`#${CSS.escape(id)}`)?.setAttribute('open', '')
    for (const { id, value } of typedValues) {
      const field = id ? container.querySelector<Field>(`#${CSS.escape(id)}`) : null
      if (field && value) field.value = value
    }
    container.scrollTop = scrollTop
    if (focusedOn) container.querySelector<HTMLElement>(focusedOn)?.focus({ preventScroll: true })
  }
}
