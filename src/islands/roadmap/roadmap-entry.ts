import { onPage } from '#islands/stores/page.ts'
import type { RoadmapProps } from './roadmap.ts'

/* The editor of a road map replaces the static outline when it is loaded. */
onPage(() => {
  const container = document.querySelector<HTMLElement>('[data-roadmap-editor]')
  if (!container) return
  const props: RoadmapProps = JSON.parse(container.dataset.roadmapEditor ?? '')
  let close = () => {}
  let isUnmounted = false
  void import('./RoadmapEditor.tsx').then(({ mountRoadmapEditor }) => {
    if (!isUnmounted) close = mountRoadmapEditor(container, props)
  })
  return () => {
    isUnmounted = true
    close()
  }
})
