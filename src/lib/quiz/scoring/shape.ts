import type { HotspotShape } from '../question/schema.ts'

/** Whether a point of an image is inside a region, including its border. Coordinates are shares of width and height. */
export function isWithinShape(shape: HotspotShape, { x, y }: { x: number; y: number }): boolean {
  switch (shape.kind) {
    case 'rectangle':
      return x >= shape.x && x <= shape.x + shape.width && y >= shape.y && y <= shape.y + shape.height
    case 'ellipse':
      if (shape.radiusX === 0 || shape.radiusY === 0) return false
      return ((x - shape.x) / shape.radiusX) ** 2 + ((y - shape.y) / shape.radiusY) ** 2 <= 1
    case 'polygon':
      return isWithinPolygon(shape.points, x, y)
  }
}

/** Even-odd rule: a ray to the right crosses the border an odd number of times. */
function isWithinPolygon(points: readonly (readonly [number, number])[], x: number, y: number): boolean {
  let isWithin = false
  for (const [index, [x1, y1]] of points.entries()) {
    const [x2, y2] = points[(index + points.length - 1) % points.length] ?? [x1, y1]
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) isWithin = !isWithin
  }
  return isWithin
}
