import type { Annotation } from '#lib/homework/schema.ts'

export type AnnotationGeometry = Annotation['shape']
export const TOOLS = ['point', 'box', 'line'] as const
export type AnnotationTool = (typeof TOOLS)[number]
/** A point in shares of the page's width and height. */
export type AnnotationPoint = [number, number]

const clamp = (value: number): number => Math.min(1, Math.max(0, value))
const roundShare = (value: number): number => Math.round(clamp(value) * 10_000) / 10_000

/** The shape that a tool draws between two points; `linePoints` are the points of a line. */
export function shapeFrom(
  tool: AnnotationTool,
  from: AnnotationPoint,
  to: AnnotationPoint,
  linePoints: readonly AnnotationPoint[],
): AnnotationGeometry {
  const [x, y] = from
  if (tool === 'point') return { kind: 'point', x: roundShare(x), y: roundShare(y) }
  if (tool === 'line') {
    const points = (linePoints.length > 1 ? linePoints : [from, to]).map(
      ([a, b]): AnnotationPoint => [roundShare(a), roundShare(b)],
    )
    return { kind: 'line', points: thinPoints(points) }
  }
  const left = Math.min(x, to[0])
  const top = Math.min(y, to[1])
  return {
    kind: 'box',
    x: roundShare(left),
    y: roundShare(top),
    width: roundShare(Math.abs(to[0] - x)),
    height: roundShare(Math.abs(to[1] - y)),
  }
}

/** A shape in the middle of the page, for keyboard users. */
export function createAnnotationInMiddle(tool: AnnotationTool): AnnotationGeometry {
  return shapeFrom(tool, tool === 'point' ? [0.5, 0.5] : [0.4, 0.45], [0.6, 0.55], [])
}

/** The position of an annotation's number. */
export function originOf(shape: AnnotationGeometry): AnnotationPoint {
  return shape.kind === 'line' ? (shape.points[0] ?? [0, 0]) : [shape.x, shape.y]
}

/** Moves a shape by shares of the page, within the page. */
export function moveAnnotation(shape: AnnotationGeometry, dx: number, dy: number): AnnotationGeometry {
  if (shape.kind === 'line') {
    return {
      kind: 'line',
      points: shape.points.map(([x, y]): AnnotationPoint => [roundShare(x + dx), roundShare(y + dy)]),
    }
  }
  return { ...shape, x: roundShare(shape.x + dx), y: roundShare(shape.y + dy) }
}

/** Resizes a box, or moves the end of a line. */
export function resizeAnnotation(shape: AnnotationGeometry, dx: number, dy: number): AnnotationGeometry {
  if (shape.kind === 'box')
    return { ...shape, width: roundShare(shape.width + dx), height: roundShare(shape.height + dy) }
  if (shape.kind === 'point') return shape
  const points = shape.points.map((place): AnnotationPoint => [...place])
  const last = points.at(-1)
  if (last) points[points.length - 1] = [roundShare(last[0] + dx), roundShare(last[1] + dy)]
  return { kind: 'line', points }
}

const MAX_POINTS = 400

function thinPoints(points: AnnotationPoint[]): AnnotationPoint[] {
  const step = Math.ceil(points.length / MAX_POINTS)
  return points.filter((_, index) => index % step === 0 || index === points.length - 1).slice(0, MAX_POINTS)
}
