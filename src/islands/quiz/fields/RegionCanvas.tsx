import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { srcOf } from '#lib/core/shared/lesson-doc.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { HotspotShape, QuestionContentOfType } from '#lib/quiz/question/schema.ts'
import { boundsOf, moveShape, type RegionPoint, resizeShape, type ShapeKind, shapeBetween } from './region-shape.ts'
import '../picture-point.css'

type Region = QuestionContentOfType<'hotspot'>['regions'][number]

interface Props {
  imageFileId: string
  imageAlt: string
  regions: readonly Region[]
  /** The shape that a drag draws. */
  tool: ShapeKind
  onDraw: (shape: HotspotShape) => void
  onChange: (region: Region) => void
  onRemove: (region: Region) => void
  t: Translate
}

/** A shorter drag is a click, in shares of the image. */
const LEAST_DRAG = 0.015
const STEP = 0.01
const ARROWS: Record<string, RegionPoint> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
}

/**
 * The image of a question with its regions. A drag on the image draws a region; with the keyboard, arrows move a region,
 * Shift and arrows resize it, Delete removes it.
 */
export function RegionCanvas({ imageFileId, imageAlt, regions, tool, onDraw, onChange, onRemove, t }: Props) {
  const stage = useRef<HTMLDivElement>(null)
  const from = useRef<RegionPoint | null>(null)
  const [drawn, setDrawn] = useState<HotspotShape | null>(null)
  const placeAt = (event: PointerEvent): RegionPoint => {
    const box = stage.current?.getBoundingClientRect()
    return box ? [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height] : [0, 0]
  }
  const end = () => {
    from.current = null
    setDrawn(null)
  }
  return (
    <div
      ref={stage}
      className="region-canvas"
      onPointerDown={(event) => {
        if (event.target instanceof Element && event.target.closest('button')) return
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        from.current = placeAt(event)
      }}
      onPointerMove={(event) => {
        if (from.current) setDrawn(shapeBetween(tool, from.current, placeAt(event)))
      }}
      onPointerUp={(event) => {
        const start = from.current
        const to = placeAt(event)
        end()
        if (start && Math.hypot(to[0] - start[0], to[1] - start[1]) >= LEAST_DRAG) onDraw(shapeBetween(tool, start, to))
      }}
      onPointerCancel={end}
    >
      <img src={srcOf(imageFileId)} alt={imageAlt} draggable={false} />
      <svg className="region-shapes" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
        {regions.map(({ id, shape, correct }) => (
          <RegionShape key={id} shape={shape} correct={correct} />
        ))}
        {drawn && <RegionShape shape={drawn} correct />}
      </svg>
      {regions.map((region, index) => (
        <RegionHandle
          key={region.id}
          region={region}
          label={t('quizeditor:hotspot.handle', { number: index + 1 })}
          number={index + 1}
          onChange={onChange}
          onRemove={onRemove}
        />
      ))}
    </div>
  )
}

function RegionShape({ shape, correct }: { shape: HotspotShape; correct: boolean }) {
  const attributes = { className: correct ? 'region-shape' : 'region-shape region-shape-wrong' }
  if (shape.kind === 'rectangle') {
    const { x, y, width, height } = shape
    return <rect {...attributes} x={x} y={y} width={width} height={height} />
  }
  if (shape.kind === 'ellipse')
    return <ellipse {...attributes} cx={shape.x} cy={shape.y} rx={shape.radiusX} ry={shape.radiusY} />
  return <polygon {...attributes} points={shape.points.map((point) => point.join(',')).join(' ')} />
}

interface HandleProps extends Pick<Props, 'onChange' | 'onRemove'> {
  region: Region
  label: string
  number: number
}

function RegionHandle({ region, label, number, onChange, onRemove }: HandleProps) {
  const drag = useRef<{ at: RegionPoint; shape: HotspotShape } | null>(null)
  const { x, y, width, height } = boundsOf(region.shape)
  const pointOf = (event: PointerEvent): RegionPoint => {
    const box = event.currentTarget.closest('.region-canvas')?.getBoundingClientRect()
    return box ? [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height] : [0, 0]
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const by = ARROWS[event.key]
    if (by) {
      event.preventDefault()
      onChange({ ...region, shape: (event.shiftKey ? resizeShape : moveShape)(region.shape, ...by) })
    }
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault()
      onRemove(region)
    }
  }
  return (
    <button
      type="button"
      className="picture-point"
      data-region={region.id}
      aria-label={region.label ? `${label}: ${region.label}` : label}
      style={{ left: `${(x + width / 2) * 100}%`, top: `${(y + height / 2) * 100}%` }}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        drag.current = { at: pointOf(event), shape: region.shape }
      }}
      onPointerMove={(event) => {
        if (!drag.current) return
        const [toX, toY] = pointOf(event)
        const [atX, atY] = drag.current.at
        onChange({ ...region, shape: moveShape(drag.current.shape, toX - atX, toY - atY) })
      }}
      onPointerUp={() => {
        drag.current = null
      }}
    >
      {number}
    </button>
  )
}
