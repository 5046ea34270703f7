import { loadWhenIdle, prepareReactRefresh } from '#islands/stores/load-when-idle.ts'
import { onPage } from '#islands/stores/page.ts'
import type { OutlineProps } from './outline-view.ts'

/*
 * The outline is server HTML with links and forms; the interactive one is loaded when the browser is idle. A long
 * outline scrolls separately, to the open lesson.
 */
onPage(() => {
  const container = document.querySelector<HTMLElement>('#outline')
  if (!container) return undefined
  restoreScroll(container)
  if (!container.dataset.props) return undefined
  return loadWhenIdle(() => loadOutline(container))
})

async function loadOutline(container: HTMLElement): Promise<() => void> {
  prepareReactRefresh()
  const { mountOutline } = await import('./OutlineMount.tsx')
  const props: OutlineProps = JSON.parse(container.dataset.props ?? '')
  return mountOutline(container, props)
}

let scrolledCourseId = ''
let scrollTop = 0

/** Keeps the scroll position between lessons of one course; in another course scrolls to the open lesson. */
function restoreScroll(container: HTMLElement): void {
  const courseId = container.dataset.course ?? ''
  if (courseId === scrolledCourseId) container.scrollTop = scrollTop
  const row = container.querySelector('[aria-current=page]')
  const [frame, box] = [container.getBoundingClientRect(), row?.getBoundingClientRect()]
  if (box && container.scrollHeight > container.clientHeight && (box.top < frame.top || box.bottom > frame.bottom)) {
    container.scrollTop += box.top - frame.top - frame.height / 3
  }
  scrolledCourseId = courseId
  scrollTop = container.scrollTop
  container.addEventListener('scroll', () => {
    scrollTop = container.scrollTop
  })
}
