import { readyForReact, whenIdle } from '#islands/stores/late.ts'
import { onPage } from '#islands/stores/page.ts'
import type { OutlineProps } from './outline-view.ts'

/*
 * The outline is on the page as plain HTML with links and forms; what moves comes when the browser has a moment. With
 * many lessons it scrolls by itself, to the one that is open.
 */
onPage(() => {
  const place = document.querySelector<HTMLElement>('#outline')
  if (!place) return undefined
  keepPlace(place)
  if (!place.dataset.props) return undefined
  return whenIdle(() => load(place))
})

async function load(place: HTMLElement): Promise<() => void> {
  readyForReact()
  const { mountOutline } = await import('./OutlineMount.tsx')
  const props: OutlineProps = JSON.parse(place.dataset.props ?? '')
  return mountOutline(place, props)
}

let course = ''
let scrolled = 0

/** From lesson to lesson of one course the outline stays where it was; in another course it shows the open lesson. */
function keepPlace(place: HTMLElement): void {
  const here = place.dataset.course ?? ''
  if (here === course) place.scrollTop = scrolled
  const row = place.querySelector('[aria-current=page]')
  const [frame, box] = [place.getBoundingClientRect(), row?.getBoundingClientRect()]
  if (box && place.scrollHeight > place.clientHeight && (box.top < frame.top || box.bottom > frame.bottom)) {
    place.scrollTop += box.top - frame.top - frame.height / 3
  }
  course = here
  scrolled = place.scrollTop
  place.addEventListener('scroll', () => {
    scrolled = place.scrollTop
  })
}
