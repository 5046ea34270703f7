import { onPage } from '#islands/stores/page.ts'

/* A long outline scrolls separately, to the open lesson. */
onPage(() => {
  const container = document.querySelector<HTMLElement>('#outline')
  if (container) restoreScroll(container)
})

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
