import { onPage } from '#islands/stores/page.ts'
import type { AttemptProps } from './attempt-props.ts'
import { startSession } from './attempt-session.ts'

/* The page of an attempt is plain HTML whose forms work without a script; this script saves answers immediately. */
onPage(() => {
  const root = document.querySelector<HTMLElement>('[data-attempt]')
  if (!root?.dataset.attempt) return
  const props: AttemptProps = JSON.parse(root.dataset.attempt)
  return startSession(root, props)
})
