import type { Annotation } from '#lib/homework/schema.ts'

export type Shape = Annotation['shape']
export const TOOLS = ['point', 'box', 'line'] as const
export type Tool = (typeof TOOLS)[number]
/** A place as shares of the page's width and height. */
export type Place = [number, number]

const within = (value: number): number => Math.min(1, Math.max(0, value))
const rounded = (value: number): number => Math.round(within(value) * 10_000) / 10_000

/** The shape that a tool draws from one place to another; `trail` is the way of a line. */
export function shapeFrom(tool: Tool, from: Place, to: Place, trail: readonly Place[]): Shape {
  const [x, y] = from
  if (tool === 'point') return { kind: 'point', x: rounded(x), y: rounded(y) }
  if (tool === 'line') {
    const points = (trail.length > 1 ? trail : [from, to]).map(([a, b]): Place => [rounded(a), rounded(b)])
    return { kind: 'line', points: thinned(points) }
  }
  const left = Math.min(x, to[0])
  const top = Math.min(y, to[1])
  return {
    kind: 'box',
    x: rounded(left),
    y: rounded(top),
    width: rounded(Math.abs(to[0] - x)),
    height: rounded(Math.abs(to[1] - y)),
  }
}

/** A shape in the middle of the page, for those who draw with the keyboard. */
export function shapeInMiddle(tool: Tool): Shape {
  return shapeFrom(tool, tool === 'point' ? [0.5, 0.5] : [0.4, 0.45], [0.6, 0.55], [])
}

/** Where the number of a mark stands. */
export function placeOf(shape: Shape): Place {
  return shape.kind === 'line' ? (shape.points[0] ?? [0, 0]) : [shape.x, shape.y]
}

/** Moves a shape by shares of the page; it does not leave it. */
export function moved(shape: Shape, dx: number, dy: number): Shape {
  if (shape.kind === 'line') {
    return { kind: 'line', points: shape.points.map(([x, y]): Place => [rounded(x + dx), rounded(y + dy)]) }
  }
  return { ...shape, x: rounded(shape.x + dx), y: rounded(shape.y + dy) }
}

/** Makes a box wider and higher, or stretches a line's end. */
export function stretched(shape: Shape, dx: number, dy: number): Shape {
  if (shape.kind === 'box') return { ...shape, width: rounded(shape.width + dx), height: rounded(shape.height + dy) }
  if (shape.kind === 'point') return shape
  const points = shape.points.map((place): Place => [...place])
  const last = points.at(-1)
  if (last) points[points.length - 1] = [rounded(last[0] + dx), rounded(last[1] + dy)]
  return { kind: 'line', points }
}

const MOST_POINTS = 400

function thinned(points: Place[]): Place[] {
  const step = Math.ceil(points.length / MOST_POINTS)
  return points.filter((_, index) => index % step === 0 || index === points.length - 1).slice(0, MOST_POINTS)
}
