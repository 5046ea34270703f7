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
  /**
   * The ends of the paid periods, the latest first: `until`, then one period earlier, and so on; one before `at` and
   * before the discounts.
   */
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
 * discounts. A discount is divided as the price is, so that no part of the time costs less than nothing. The sum is rounded
 * once: the costs of the parts of any division are the differences of two rounded costs, and add up to the cost of the
 * whole.
 */
export function costOfRest({ price, boundaries, discounts = [] }: PaidTime, at: Date): number {
  const listPrice = multiply(periodsAfter(boundaries, at), BigInt(price))
  const reductions = discounts.map((discount) => restOfDiscount(discount, boundaries, at))
  const rest = reductions.reduce(subtract, listPrice)
  if (rest.numerator <= 0n) return 0
  return Number((rest.numerator + rest.denominator - 1n) / rest.denominator)
}

/**
 * What an immediate change costs: the rest of the new plan's time without what the rest of the former one is worth.
 * Never negative.
 */
export const costOfChange = (rest: { before: number; after: number }): number => Math.max(0, rest.after - rest.before)

const ZERO: Fraction = { numerator: 0n, denominator: 1n }

/** How many of the paid periods are left at an instant. */
function periodsAfter(boundaries: readonly Date[], at: Date): Fraction {
  return boundaries.slice(1).reduce<Fraction>((sum, from, index) => {
    const until = (boundaries[index] ?? from).getTime()
    const left = until - Math.min(Math.max(at.getTime(), from.getTime()), until)
    return left > 0 ? add(sum, { numerator: BigInt(left), denominator: BigInt(until - from.getTime()) }) : sum
  }, ZERO)
}

/** The part of a discount that belongs to the time from `at`. */
function restOfDiscount({ amount, from, until }: TimedAmount, boundaries: readonly Date[], at: Date): Fraction {
  const end = periodsAfter(boundaries, until)
  const whole = subtract(periodsAfter(boundaries, from), end)
  if (at >= until || whole.numerator === 0n) return ZERO
  const rest = subtract(periodsAfter(boundaries, at > from ? at : from), end)
  return {
    numerator: BigInt(amount) * rest.numerator * whole.denominator,
    denominator: rest.denominator * whole.numerator,
  }
}

// In BigInt: a price times milliseconds exceeds the exact integers.
const add = (first: Fraction, second: Fraction): Fraction => ({
  numerator: first.numerator * second.denominator + second.numerator * first.denominator,
  denominator: first.denominator * second.denominator,
})

const multiply = ({ numerator, denominator }: Fraction, factor: bigint): Fraction => ({
  numerator: numerator * factor,
  denominator,
})

const subtract = (first: Fraction, second: Fraction): Fraction => add(first, multiply(second, -1n))
