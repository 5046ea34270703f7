/** A plan and its add-ons at their price of one period, paid until `until`. */
export interface PaidTime {
  /** Minor units of one period. */
  price: number
  /** The ends of the paid periods, the latest first: `until`, then one period earlier, and so on; one before `at`. */
  boundaries: readonly Date[]
}

/**
 * What the time from `at` until the end of the paid periods costs, in minor units. The cost of a part of a period is the
 * difference of two rounded costs, so that the costs of the parts of any division add up to the cost of the whole, and
 * none is negative.
 */
export function costOfRest({ price, boundaries }: PaidTime, at: Date): number {
  let cost = 0
  for (const [index, end] of boundaries.entries()) {
    const start = boundaries[index + 1]
    if (end <= at || !start) break
    cost += price - costUntil(price, start, end, at)
  }
  return cost
}

/**
 * What an immediate change costs: the rest of the new plan's time without what the rest of the former one is worth.
 * Never negative.
 */
export const costOfChange = (rest: { before: number; after: number }): number => Math.max(0, rest.after - rest.before)

// The cost of a period from its start until `at`. In BigInt: a price times milliseconds exceeds the exact integers.
function costUntil(price: number, start: Date, end: Date, at: Date): number {
  const passed = Math.min(Math.max(at.getTime(), start.getTime()), end.getTime()) - start.getTime()
  return Number((BigInt(price) * BigInt(passed)) / BigInt(end.getTime() - start.getTime()))
}
