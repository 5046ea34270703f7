import { onPage } from '#islands/stores/page.ts'
import type { TaskPanelProps } from './task-props.ts'

/* The page lists the tasks of a lesson; their editor is loaded on first use. */
onPage(() => {
  const place = document.querySelector<HTMLElement>('[data-tasks]')
  if (!place) return
  const props: TaskPanelProps = JSON.parse(place.dataset.tasks ?? '')
  let close = () => {}
  let isLoading = false
  let isUnmounted = false
  const open = (taskId: string | null) => {
    if (isLoading) return
    isLoading = true
    void import('./TaskPanel.tsx').then(({ mountTaskPanel }) => {
      if (!isUnmounted) close = mountTaskPanel(place, props, taskId)
    })
  }
  const handleOpen = (event: Event) => open(event instanceof CustomEvent ? String(event.detail?.taskId ?? '') : null)
  const handleClick = (event: Event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-open-tasks]') : null
    if (button) open(button.dataset.openTasks || null)
  }
  place.addEventListener('click', handleClick)
  document.addEventListener('task:open', handleOpen)
  return () => {
    isUnmounted = true
    place.removeEventListener('click', handleClick)
    document.removeEventListener('task:open', handleOpen)
    close()
  }
})
