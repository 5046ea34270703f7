import { onPage } from '#islands/stores/page.ts'
import type { RoadmapProps } from './roadmap.ts'

/* The editor of a road map takes the place of its outline as soon as it is there. */
onPage(() => {
  const place = document.querySelector<HTMLElement>('[data-roadmap-editor]')
  if (!place) return
  const props: RoadmapProps = JSON.parse(place.dataset.roadmapEditor ?? '')
  let close = () => {}
  let gone = false
  void import('./RoadmapEditor.tsx').then(({ mountRoadmapEditor }) => {
    if (!gone) close = mountRoadmapEditor(place, props)
  })
  return () => {
    gone = true
    close()
  }
})
