/** An amount for a time, in minor units. */
export interface TimedAmount {
  amount: number
  from: Date
  until: Date
}

/** A plan and its add-ons at their price of one period, paid until `until`. */
export interface PaidTime {
  /** Minor units of one period. */
  price: number
  /** The ends of the paid periods, the latest first: `until`, then one period earlier, and so on; one before `at`. */
  boundaries: readonly Date[]
  /** What was not paid of the price, for parts of this time. */
  discounts?: readonly TimedAmount[]
}

interface Fraction {
  numerator: bigint
  denominator: bigint
}

/**
 * What the time from `at` until the end of the paid periods has cost, in minor units: its price less its part of the
 * discounts. The sum is rounded once, so that the costs of the parts of any division are the differences of two rounded
 * costs: they add up to the cost of the whole, and none is negative.
 */
export function costOfRest({ price, boundaries, discounts = [] }: PaidTime, at: Date): number {
  const periods = boundaries.slice(1).map((from, index) => ({ amount: price, from, until: boundaries[index] ?? from }))
  const reductions = discounts.map((discount) => ({ ...discount, amount: -discount.amount }))
  const rest = [...periods, ...reductions].map((part) => restOf(part, at)).reduce(sum, ZERO)
  if (rest.numerator <= 0n) return 0
  return Number((rest.numerator + rest.denominator - 1n) / rest.denominator)
}

/**
 * What an immediate change costs: the rest of the new plan's time without what the rest of the former one is worth.
 * Never negative.
 */
export const costOfChange = (rest: { before: number; after: number }): number => Math.max(0, rest.after - rest.before)

const ZERO: Fraction = { numerator: 0n, denominator: 1n }

// In BigInt: a price times milliseconds exceeds the exact integers.
function restOf({ amount, from, until }: TimedAmount, at: Date): Fraction {
  const duration = until.getTime() - from.getTime()
  const left = until.getTime() - Math.min(Math.max(at.getTime(), from.getTime()), until.getTime())
  return left > 0 ? { numerator: BigInt(amount) * BigInt(left), denominator: BigInt(duration) } : ZERO
}

const sum = (first: Fraction, second: Fraction): Fraction => ({
  numerator: first.numerator * second.denominator + second.numerator * first.denominator,
  denominator: first.denominator * second.denominator,
})
