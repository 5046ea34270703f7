import type { Translate } from '#lib/core/shared/text/strings.ts'
import { toPercent } from '#lib/quiz/attempt/form-rules.ts'
import '../picture-point.css'

interface HotspotContext {
  t: Translate
  /** The coordinates have changed. */
  onChange(picture: HTMLElement): void
}

const STEP = 1
const LONG_STEP = 10
const MOVES: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/**
 * Shows the points of a hotspot question on its image. They are placed by a click or the button, moved by pointer or
 * arrow keys, removed by Delete. Returns a function that updates the points after the coordinates were changed
 * elsewhere.
 */
export function enhanceHotspot(question: HTMLElement, { t, onChange }: HotspotContext): () => void {
  const picture = question.querySelector<HTMLElement>('[data-hotspot]')
  const image = picture?.querySelector('img')
  const rows = [...question.querySelectorAll<HTMLElement>('[data-point]')]
  if (!picture || !image) return () => undefined
  const isDisabled = rows.some((row) => row.querySelector('input:disabled'))
  const fieldsOf = (index: number) => [...(rows[index]?.querySelectorAll('input') ?? [])]
  const read = (index: number) => {
    const [x, y] = fieldsOf(index).map(({ value }) =>
      value.trim() === '' ? Number.NaN : Number(value.replace(',', '.')),
    )
    return x === undefined || y === undefined || Number.isNaN(x) || Number.isNaN(y) ? null : ([x, y] as const)
  }
  const write = (index: number, point: readonly [number, number] | null) => {
    const limited = point?.map((value) => toPercent(Math.min(100, Math.max(0, value)) / 100))
    for (const [axis, field] of fieldsOf(index).entries()) field.value = limited?.[axis] ?? ''
    draw()
    onChange(picture)
  }
  const marks = rows.map((_, index) => createMark(index))

  function createMark(index: number): HTMLButtonElement {
    const mark = document.createElement('button')
    mark.type = 'button'
    mark.className = 'picture-point'
    mark.textContent = String(index + 1)
    mark.hidden = true
    mark.disabled = isDisabled
    mark.addEventListener('keydown', (event) => {
      const point = read(index)
      const move = MOVES[event.key]
      if (!point) return
      if (event.key === 'Delete' || event.key === 'Backspace') {
        event.preventDefault()
        write(index, null)
        add?.focus()
      } else if (move) {
        event.preventDefault()
        const step = event.shiftKey ? LONG_STEP : STEP
        write(index, [point[0] + move[0] * step, point[1] + move[1] * step])
      }
    })
    mark.addEventListener('pointerdown', (event) => {
      mark.setPointerCapture(event.pointerId)
      mark.onpointermove = (moved) => write(index, pointAt(moved))
    })
    mark.addEventListener('pointerup', () => {
      mark.onpointermove = null
    })
    picture?.append(mark)
    return mark
  }

  function pointAt({ clientX, clientY }: MouseEvent): [number, number] {
    const { left, top, width, height } = image?.getBoundingClientRect() ?? new DOMRect(0, 0, 1, 1)
    return [((clientX - left) / width) * 100, ((clientY - top) / height) * 100]
  }

  function draw(): void {
    for (const [index, mark] of marks.entries()) {
      const point = read(index)
      mark.hidden = point === null
      mark.style.left = `${point?.[0] ?? 0}%`
      mark.style.top = `${point?.[1] ?? 0}%`
      const [x = 0, y = 0] = point?.map(Math.round) ?? []
      mark.setAttribute('aria-label', t('attempt:page.pointAt', { number: index + 1, x, y }))
    }
    if (add) add.disabled = isDisabled || marks.every(({ hidden }) => !hidden)
  }

  const addPlace = question.querySelector<HTMLElement>('[data-hotspot-add]')
  const add = addPlace?.querySelector('button')
  const place = (point: readonly [number, number]) => {
    const free = marks.findIndex(({ hidden }) => hidden)
    // When all points are placed, the last one is moved.
    const index = free < 0 ? marks.length - 1 : free
    write(index, point)
    marks[index]?.focus()
  }
  if (!isDisabled) {
    addPlace?.removeAttribute('hidden')
    picture.dataset.active = ''
    question.querySelector('[data-hotspot-keys]')?.removeAttribute('hidden')
    add?.addEventListener('click', () => place([50, 50]))
    image.addEventListener('click', (event) => place(pointAt(event)))
  }
  question.querySelector('[data-coordinates]')?.removeAttribute('open')
  for (const field of rows.flatMap((_, index) => fieldsOf(index))) field.addEventListener('input', draw)
  draw()
  return draw
}
