import type { KeyboardEvent } from 'react'
import type { Say } from '#lib/core/shared/strings.ts'
import type { Annotation } from '#lib/homework/schema.ts'
import { placeOf, type Shape } from './annotate-shape.ts'

/** A mark's lines; its number stands above them. */
export function AnnotateShape({ shape }: { shape: Shape }) {
  if (shape.kind === 'box') {
    const { x, y, width, height } = shape
    return <rect {...{ x, y, width, height }} className="desk-mark-line" vectorEffect="non-scaling-stroke" />
  }
  if (shape.kind === 'point') return null
  const points = shape.points.map((place) => place.join(',')).join(' ')
  return <polyline points={points} className="desk-mark-line" vectorEffect="non-scaling-stroke" />
}

interface Props {
  mark: Annotation
  number: number
  say: Say
  onMove?: (dx: number, dy: number) => void
  onStretch?: (dx: number, dy: number) => void
  onRemove?: () => void
}

const STEP = 0.01
const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
}

/** The number of a mark on the page: what the keyboard moves, and what leads to its words. */
export function AnnotateMark({ mark, number, say, onMove, onStretch, onRemove }: Props) {
  const [x, y] = placeOf(mark.shape)
  const press = (event: KeyboardEvent) => {
    const way = ARROWS[event.key]
    if (way && onMove) {
      event.preventDefault()
      if (event.shiftKey) onStretch?.(...way)
      else onMove(...way)
    }
    if ((event.key === 'Delete' || event.key === 'Backspace') && onRemove) {
      event.preventDefault()
      onRemove()
    }
  }
  return (
    <button
      type="button"
      className="desk-mark"
      style={{ left: `${x * 100}%`, top: `${y * 100}%` }}
      title={mark.text || undefined}
      aria-label={say('homework:mark.number', { number })}
      onKeyDown={press}
      onClick={() => document.querySelector<HTMLElement>(`[data-mark-text="${mark.id}"]`)?.focus()}
    >
      {number}
    </button>
  )
}
