/**
 * Returns the ticks of an axis from 0 to at least `highest`: at most six whole numbers in steps of 1, 2 or 5 times a power
 * of ten. The last tick is the top of the chart.
 */
export function axisTicks(highest: number): number[] {
  const raw = Math.max(1, highest) / 5
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= raw) ?? raw)
  const count = Math.max(1, Math.ceil(highest / step))
  return Array.from({ length: count + 1 }, (_, index) => index * step)
}

/** Returns at most five labels spread evenly over a row of points, the first and the last among them. */
export function spreadLabels(labels: readonly string[]): string[] {
  if (labels.length <= 5) return [...labels]
  return [0, 1, 2, 3, 4].map((part) => labels[Math.round(((labels.length - 1) * part) / 4)] ?? '')
}
