import { onPage, runWhenIdle } from '#islands/stores/page.ts'
import { bindNote } from './lesson-note.ts'
import type { LessonPageProps } from './lesson-page-props.ts'
import { bindProgress } from './lesson-progress.ts'
import { bindShortcuts } from './lesson-shortcuts.ts'
import { bindOffline } from './offline-lesson.ts'

/* Starts the scripts of a lesson page: progress, note and shortcuts at once, offline support when idle. */
onPage(() => {
  const container = document.querySelector<HTMLElement>('[data-study]')
  if (!container?.dataset.study) return
  const view: LessonPageProps = JSON.parse(container.dataset.study)
  const cleanups = [bindProgress(container, view), bindNote(container, view), bindShortcuts(container)]
  container.setAttribute('data-ready', '')
  let isLeft = false
  // Imported with the rest, because there may be no network when it is needed.
  runWhenIdle(() => {
    if (!isLeft) cleanups.push(bindOffline(container, view))
  })
  return () => {
    isLeft = true
    for (const end of cleanups) end()
  }
})
