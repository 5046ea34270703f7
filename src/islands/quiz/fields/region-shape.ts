import type { HotspotShape } from '#lib/quiz/question/schema.ts'

export type RegionPoint = [number, number]
export const SHAPE_KINDS = ['rectangle', 'ellipse', 'polygon'] as const
export type ShapeKind = (typeof SHAPE_KINDS)[number]

const LEAST = 0.01
const share = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000
const size = (value: number): number => share(Math.max(LEAST, value))

/** The shape between two corners of a drag, in shares of the image. */
export function shapeBetween(kind: ShapeKind, from: RegionPoint, to: RegionPoint): HotspotShape {
  const [left, right] = [Math.min(from[0], to[0]), Math.max(from[0], to[0])]
  const [top, bottom] = [Math.min(from[1], to[1]), Math.max(from[1], to[1])]
  const [width, height] = [right - left, bottom - top]
  if (kind === 'rectangle') return { kind, x: share(left), y: share(top), width: size(width), height: size(height) }
  if (kind === 'ellipse')
    return {
      kind,
      x: share(left + width / 2),
      y: share(top + height / 2),
      radiusX: size(width / 2),
      radiusY: size(height / 2),
    }
  return {
    kind,
    points: [
      [share(left + width / 2), share(top)],
      [share(right), share(bottom)],
      [share(left), share(bottom)],
    ],
  }
}

/** The default shape of a region that is created without a drag. */
export const shapeInMiddle = (kind: ShapeKind): HotspotShape => shapeBetween(kind, [0.4, 0.4], [0.6, 0.6])

/** The smallest rectangle around a shape. */
export function boundsOf(shape: HotspotShape): { x: number; y: number; width: number; height: number } {
  if (shape.kind === 'rectangle') return shape
  if (shape.kind === 'ellipse') {
    const { x, y, radiusX, radiusY } = shape
    return { x: x - radiusX, y: y - radiusY, width: 2 * radiusX, height: 2 * radiusY }
  }
  const xs = shape.points.map(([x]) => x)
  const ys = shape.points.map(([, y]) => y)
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y }
}

/** Converts a shape to another kind at the same position. */
export function changeKind(shape: HotspotShape, kind: ShapeKind): HotspotShape {
  if (shape.kind === kind) return shape
  const { x, y, width, height } = boundsOf(shape)
  return shapeBetween(kind, [x, y], [x + width, y + height])
}

/** Moves a shape within the image. */
export function moveShape(shape: HotspotShape, dx: number, dy: number): HotspotShape {
  const bounds = boundsOf(shape)
  const byX = Math.min(Math.max(dx, -bounds.x), 1 - bounds.x - bounds.width)
  const byY = Math.min(Math.max(dy, -bounds.y), 1 - bounds.y - bounds.height)
  if (shape.kind === 'polygon')
    return { ...shape, points: shape.points.map(([x, y]): RegionPoint => [share(x + byX), share(y + byY)]) }
  return { ...shape, x: share(shape.x + byX), y: share(shape.y + byY) }
}

/** Enlarges a shape; a polygon is scaled from its upper left corner. */
export function resizeShape(shape: HotspotShape, dx: number, dy: number): HotspotShape {
  if (shape.kind === 'rectangle') {
    const { x, y } = shape
    return {
      ...shape,
      width: size(Math.min(1 - x, shape.width + dx)),
      height: size(Math.min(1 - y, shape.height + dy)),
    }
  }
  if (shape.kind === 'ellipse')
    return { ...shape, radiusX: size(shape.radiusX + dx), radiusY: size(shape.radiusY + dy) }
  const { x, y, width, height } = boundsOf(shape)
  const [byX, byY] = [scaleOf(width, dx), scaleOf(height, dy)]
  return {
    ...shape,
    points: shape.points.map(([px, py]): RegionPoint => [share(x + (px - x) * byX), share(y + (py - y) * byY)]),
  }
}

const scaleOf = (length: number, by: number): number => (length < LEAST ? 1 : Math.max(LEAST, length + by) / length)

/** The corners of a polygon as text, one per line: distance from the left and from the top in percent. */
export const writePoints = (points: readonly RegionPoint[]): string =>
  points.map(([x, y]) => `${percent(x)} ${percent(y)}`).join('\n')

/** Parses the corners of a polygon; null while they are incomplete. */
export function readPoints(text: string): RegionPoint[] | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const points = lines.map((line) =>
    line
      .trim()
      .split(/[\s;]+/)
      .map((number) => Number(number.replace(',', '.')) / 100),
  )
  const isValid = (pair: number[]): boolean => pair.length === 2 && pair.every((value) => value >= 0 && value <= 1)
  return points.length >= 3 && points.length <= 60 && points.every(isValid)
    ? points.map(([x = 0, y = 0]): RegionPoint => [x, y])
    : null
}

const percent = (value: number): number => Math.round(value * 10_000) / 100
