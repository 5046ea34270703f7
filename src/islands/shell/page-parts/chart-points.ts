import { onPage } from '#islands/stores/page.ts'

/*
 * A chart is one tab stop: arrow keys, Home and End move between its points, and the current point is displayed below
 * it.
 */
onPage(() => {
  for (const chart of document.querySelectorAll<HTMLElement>('[data-chart]')) attachPoints(chart)
  return undefined
})

function attachPoints(chart: HTMLElement): void {
  const points = [...chart.querySelectorAll<SVGElement>('[data-point]')]
  const readout = chart.querySelector<HTMLElement>('[data-chart-readout]')
  const setCurrent = (current: SVGElement) => {
    for (const point of points) point.setAttribute('tabindex', point === current ? '0' : '-1')
  }
  const describePoint = ({ target }: Event) => {
    const point = target instanceof Element ? target.closest('[data-point]') : null
    if (point && readout) readout.textContent = point.getAttribute('aria-label')
  }
  const [first] = points
  if (first) setCurrent(first)
  chart.addEventListener('pointerover', describePoint)
  chart.addEventListener('focusin', describePoint)
  chart.addEventListener('keydown', (event) => {
    const index = points.findIndex((point) => point.matches(':focus'))
    const next = index < 0 ? undefined : points[nextIndex(event.key, index, points.length)]
    if (!next) return
    event.preventDefault()
    setCurrent(next)
    next.focus()
  })
}

/** The index of the point that a key moves to; -1 when the key does not move. */
function nextIndex(key: string, index: number, count: number): number {
  if (key === 'ArrowRight') return Math.min(index + 1, count - 1)
  if (key === 'ArrowLeft') return Math.max(index - 1, 0)
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  return -1
}
