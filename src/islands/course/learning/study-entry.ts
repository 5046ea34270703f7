import { onPage } from '#islands/stores/page.ts'
import { followKeys } from './study-keys.ts'
import { followNote } from './study-note.ts'
import { followNetwork } from './study-offline.ts'
import { followProgress } from './study-progress.ts'
import type { StudyView } from './study-view.ts'

/* The page of a lesson comes to life: progress, note and keys at once, what makes it readable offline when it is quiet. */
onPage(() => {
  const place = document.querySelector<HTMLElement>('[data-study]')
  if (!place?.dataset.study) return
  const view: StudyView = JSON.parse(place.dataset.study)
  const ends = [followProgress(place, view), followNote(place, view), followKeys(place)]
  let left = false
  const quiet = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 500))
  // Fetched with the rest: the network that it looks after may be gone a moment later.
  quiet(() => {
    if (!left) ends.push(followNetwork(place, view))
  })
  return () => {
    left = true
    for (const end of ends) end()
  }
})
