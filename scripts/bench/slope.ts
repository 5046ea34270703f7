export interface Sample {
  minute: number
  megabytes: number
}

/** Megabytes per minute, by least squares. */
export function slope(points: Sample[]): number {
  const mean = (pick: (point: Sample) => number) => points.reduce((sum, point) => sum + pick(point), 0) / points.length
  const [x, y] = [mean(({ minute }) => minute), mean(({ megabytes }) => megabytes)]
  const above = points.reduce((sum, point) => sum + (point.minute - x) * (point.megabytes - y), 0)
  return above / points.reduce((sum, point) => sum + (point.minute - x) ** 2, 0)
}
