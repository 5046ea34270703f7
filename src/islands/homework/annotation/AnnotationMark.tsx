import type { KeyboardEvent } from 'react'
import { useHydrated } from '#islands/ui/use-hydrated.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { Annotation } from '#lib/homework/schema.ts'
import { type AnnotationGeometry, originOf } from './annotation-shape.ts'

/** Draws the shape of an annotation; its number is drawn above. */
export function AnnotationShape({ shape }: { shape: AnnotationGeometry }) {
  if (shape.kind === 'box') {
    const { x, y, width, height } = shape
    return (
      <rect
        x={x}
        y={y}
        width={width}
        height={height}
        className="annotation-mark-line"
        vectorEffect="non-scaling-stroke"
      />
    )
  }
  if (shape.kind === 'point') return null
  const points = shape.points.map((place) => place.join(',')).join(' ')
  return <polyline points={points} className="annotation-mark-line" vectorEffect="non-scaling-stroke" />
}

interface Props {
  mark: Annotation
  number: number
  t: Translate
  onMove?: (dx: number, dy: number) => void
  onStretch?: (dx: number, dy: number) => void
  onRemove?: () => void
}

// A number at the edge of the page stays visible.
const clampToPage = (share: number): string => `clamp(0.75rem, ${share * 100}%, calc(100% - 0.75rem))`

const STEP = 0.01
const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
}

/** The number of an annotation on the page: it can be moved with the keyboard and links to the text. */
export function AnnotationMark({ mark, number, t, onMove, onStretch, onRemove }: Props) {
  const isHydrated = useHydrated()
  const [x, y] = originOf(mark.shape)
  const label = t('homework:mark.number', { number })
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
      className="annotation-mark"
      disabled={!isHydrated}
      style={{ left: clampToPage(x), top: clampToPage(y) }}
      data-mark={mark.id}
      title={mark.text || undefined}
      aria-label={onMove || !mark.text ? label : `${label}: ${mark.text}`}
      onKeyDown={press}
      onClick={() => document.querySelector<HTMLElement>(`[data-mark-text="${mark.id}"]`)?.focus()}
    >
      {number}
    </button>
  )
}
