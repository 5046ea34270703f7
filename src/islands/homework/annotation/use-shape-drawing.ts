import { type PointerEvent, useRef, useState } from 'react'
import { type AnnotationGeometry, type AnnotationPoint, type AnnotationTool, shapeFrom } from './annotation-shape.ts'

/** A shorter drag is a click, in shares of the page. */
const MIN_DRAG = 0.008

/** Draws a shape with the pointer; `tool` null: nothing is drawn. */
export function useShapeDrawing(tool: AnnotationTool | null, onDrawn: (shape: AnnotationGeometry) => void) {
  const [drawing, setDrawing] = useState<AnnotationGeometry | null>(null)
  const path = useRef<AnnotationPoint[]>([])
  const stop = () => {
    path.current = []
    setDrawing(null)
  }
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
      if (!tool || (event.target instanceof Element && event.target.closest('button'))) return
      event.preventDefault()
      event.currentTarget.setPointerCapture(event.pointerId)
      const from = pointOf(event)
      path.current = [from]
      setDrawing(shapeFrom(tool, from, from, path.current))
    },
    onPointerMove: (event: PointerEvent<HTMLDivElement>) => {
      const [from] = path.current
      if (!tool || !from) return
      const to = pointOf(event)
      if (tool === 'line') path.current.push(to)
      setDrawing(shapeFrom(tool, from, to, path.current))
    },
    onPointerUp: (event: PointerEvent<HTMLDivElement>) => {
      const [from] = path.current
      if (!tool || !from) return
      const to = pointOf(event)
      const isTooShort = Math.hypot(to[0] - from[0], to[1] - from[1]) < MIN_DRAG
      const shape = isTooShort ? shapeFrom('point', from, from, []) : shapeFrom(tool, from, to, path.current)
      stop()
      onDrawn(shape)
    },
    onPointerCancel: stop,
  }
  return { drawing, handlers }
}

/** The place of the pointer in shares of the element that handles the event. */
function pointOf({ clientX, clientY, currentTarget }: PointerEvent<HTMLDivElement>): AnnotationPoint {
  const { left, top, width, height } = currentTarget.getBoundingClientRect()
  return [(clientX - left) / width, (clientY - top) / height]
}
