import { onPage } from '#islands/stores/page.ts'
import type { TaskPanelProps } from './task-props.ts'

/* The page lists the tasks of a lesson; their editor is loaded on first use. */
onPage(() => {
  const place = document.querySelector<HTMLElement>('[data-tasks]')
  if (!place) return
  const props: TaskPanelProps = JSON.parse(place.dataset.tasks ?? '')
  let close = () => {}
  let asked = false
  let gone = false
  const open = (taskId: string | null) => {
    if (asked) return
    asked = true
    void import('./TaskPanel.tsx').then(({ mountTaskPanel }) => {
      if (!gone) close = mountTaskPanel(place, props, taskId)
    })
  }
  const heard = (event: Event) => open(event instanceof CustomEvent ? String(event.detail?.taskId ?? '') : null)
  const pressed = (event: Event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-open-tasks]') : null
    if (button) open(button.dataset.openTasks || null)
  }
  place.addEventListener('click', pressed)
  document.addEventListener('task:open', heard)
  return () => {
    gone = true
    place.removeEventListener('click', pressed)
    document.removeEventListener('task:open', heard)
    close()
  }
})
