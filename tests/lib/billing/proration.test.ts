import fc from 'fast-check'
import { expect, test } from 'vitest'
import { priceOf, quoteFacts } from '#lib/billing/group-plan.ts'
import { costOfChange, costOfRest } from '#lib/billing/proration-rules.ts'
import {
  canRenew,
  isPaidAt,
  mergeChosen,
  type PresentPlan,
  quoteChange,
  quoteRenewal,
} from '#lib/billing/quote-rules.ts'
import type { ChosenPlan } from '#lib/billing/schema.ts'
import { PERIODS, PLANS } from '#lib/core/shared/plan.ts'

const DAY = 86_400_000
const START = Date.parse('2026-01-31T09:00:00Z')
const price = fc.integer({ min: 1, max: 2_000_000_000 })
const ends = fc
  .array(fc.integer({ min: DAY, max: 366 * DAY }), { minLength: 1, maxLength: 4 })
  .map((lengths) =>
    lengths.reduce((found, length) => [new Date((found[0]?.getTime() ?? START) + length), ...found], [new Date(START)]),
  )
const inside = (boundaries: readonly Date[], share: number) =>
  new Date(START + Math.floor(((boundaries[0]?.getTime() ?? START) - START) * share))
const share = fc.double({ min: 0, max: 1, noNaN: true })

test('the costs of the parts of any division add up to the cost of the whole, and none is negative', () => {
  fc.assert(
    fc.property(price, ends, fc.array(share, { maxLength: 6 }), (amount, boundaries, shares) => {
      const rest = (at: Date) => costOfRest({ price: amount, boundaries }, at)
      const instants = [0, ...[...shares].sort((a, b) => a - b), 1].map((part) => inside(boundaries, part))
      const parts = instants.slice(1).map((at, index) => rest(instants[index] ?? at) - rest(at))
      expect(Math.min(...parts)).toBeGreaterThanOrEqual(0)
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(amount * (boundaries.length - 1))
    }),
  )
})

/** A discount of at most what the time since a moment of the paid periods costs. */
const discounted = fc.tuple(price, ends, share, share).map(([amount, boundaries, startShare, part]) => {
  const from = inside(boundaries, startShare)
  const discount = Math.floor(costOfRest({ price: amount, boundaries }, from) * part)
  const discounts = [{ amount: discount, from, until: boundaries[0] ?? from }]
  return { price: amount, boundaries, discounts: from < (boundaries[0] ?? from) ? discounts : [], from }
})

test('with a discount the parts add up to what was paid, and none is negative', () => {
  fc.assert(
    fc.property(discounted, fc.array(share, { maxLength: 6 }), (paid, shares) => {
      const instants = [0, ...[...shares].sort((a, b) => a - b), 1].map((part) => inside(paid.boundaries, part))
      const costs = instants.map((at) => costOfRest(paid, at))
      const parts = costs.slice(1).map((cost, index) => (costs[index] ?? 0) - cost)
      expect(Math.min(...parts)).toBeGreaterThanOrEqual(0)
      const total = paid.price * (paid.boundaries.length - 1) - (paid.discounts[0]?.amount ?? 0)
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(total)
    }),
  )
})

test('a discount of nearly everything makes no day of a longer period cost less than nothing', () => {
  const day = (count: number) => new Date(START + count * DAY)
  const boundaries = [day(367), day(1), day(0)]
  const discounts = [{ amount: 1990, from: day(0), until: day(367) }]
  const costs = Array.from({ length: 368 }, (_, count) =>
    costOfRest({ price: 1000, boundaries, discounts }, day(count)),
  )
  expect(costs).toEqual([...costs].sort((a, b) => b - a))
  expect([costs[0], costs[1], costs[367]]).toEqual([10, 5, 0])
})

test('a discount reduces the rest from its beginning by its whole amount', () => {
  fc.assert(
    fc.property(discounted, (paid) => {
      const { price: amount, boundaries, discounts, from } = paid
      const discount = discounts[0]?.amount ?? 0
      expect(costOfRest(paid, from)).toBe(costOfRest({ price: amount, boundaries }, from) - discount)
    }),
  )
})

test('an upgrade in several steps at one instant costs what it costs at once, and is never negative', () => {
  fc.assert(
    fc.property(fc.tuple(price, price, price), ends, share, (prices, boundaries, part) => {
      const at = inside(boundaries, part)
      const [low, middle, high] = prices
        .toSorted((a, b) => a - b)
        .map((amount) => costOfRest({ price: amount, boundaries }, at))
      const between = (before = 0, after = 0) => costOfChange({ before, after })
      expect(between(low, middle) + between(middle, high)).toBe(between(low, high))
      expect(between(high, low)).toBe(0)
    }),
  )
})

const facts = (now: string) => quoteFacts('lms', 'Europe/Kyiv', new Date(now))
const present = (change: Partial<PresentPlan> = {}): PresentPlan => ({
  plan: 'start',
  period: 'month',
  addOns: {},
  until: new Date('2026-03-31T09:00:00Z'),
  isPaid: true,
  ...change,
})
const choice = (change: Partial<ChosenPlan> = {}): ChosenPlan => ({
  plan: 'pro',
  period: 'month',
  addOns: {},
  ...change,
})

test('no quote is negative, whatever is changed to whatever', () => {
  const chosen = fc.record({
    plan: fc.constantFrom(...PLANS),
    period: fc.constantFrom(...PERIODS),
    addOns: fc.record({ disc: fc.integer({ min: 0, max: 100 }), manager_count: fc.integer({ min: 0, max: 100 }) }),
  })
  const until = fc.option(fc.integer({ min: -400, max: 400 }).map((days) => new Date(START + days * DAY)))
  fc.assert(
    fc.property(chosen, until, fc.boolean(), chosen, (before, end, isPaid, after) => {
      const quote = quoteChange(
        { ...before, until: end, isPaid },
        after,
        quoteFacts('lms', 'Europe/Kyiv', new Date(START)),
      )
      if (quote.effect !== 'now') return
      expect(quote.amount).toBeGreaterThanOrEqual(0)
      expect(Number.isInteger(quote.amount)).toBe(true)
      expect(quote.until.getTime()).toBeGreaterThan(START - 1)
    }),
  )
})

test('an upgrade pays the difference for the rest of the period', () => {
  const half = facts('2026-03-16T09:00:00Z')
  const quote = quoteChange(present({ until: new Date('2026-04-01T09:00:00Z') }), choice(), half)
  expect(quote).toMatchObject({ effect: 'now', kind: 'change', until: new Date('2026-04-01T09:00:00Z') })
  const days = 16 / 31
  expect(quote.effect === 'now' && quote.amount / ((149_000 - 49_000) * days)).toBeCloseTo(1, 2)
  const addOns = { disc: 2 }
  const more = quoteChange(
    present({ until: new Date('2026-04-01T09:00:00Z') }),
    choice({ plan: 'start', addOns }),
    half,
  )
  expect(more.effect === 'now' && more.amount / (20_000 * days)).toBeCloseTo(1, 2)
})

test('a lower plan, fewer add-ons and a shorter period take effect when the paid time ends', () => {
  const at = facts('2026-03-16T09:00:00Z')
  const large = present({ plan: 'max', period: 'year', addOns: { manager_count: 2 } })
  const changes = [{ plan: 'pro' as const }, { addOns: {} }, { period: 'month' as const }]
  for (const change of changes)
    expect(quoteChange(large, { ...large, ...change }, at)).toEqual({ effect: 'atPeriodEnd', at: large.until })
  expect(quoteChange(large, large, at)).toEqual({ effect: 'none' })
})

test('more of a year is bought at once, and the discount of an earlier period counts for its own time only', () => {
  const year = present({ plan: 'start', period: 'year', until: new Date('2026-12-31T09:00:00Z') })
  expect(quoteChange(year, { ...year, plan: 'pro' }, facts('2026-03-16T09:00:00Z'))).toMatchObject({
    effect: 'now',
    kind: 'change',
    until: year.until,
  })
  const now = facts('2026-04-15T09:00:00Z')
  const [start, middle, end] = [-2, -1, 0].map((count) => now.add(new Date('2026-04-30T09:00:00Z'), 'month', count))
  if (!start || !middle || !end) throw new Error('there are two periods')
  const ended = [{ amount: 30_000, from: start, until: middle }]
  const upgrade = (before: PresentPlan) => quoteChange(before, choice(), now)
  const month = present({ until: end })
  expect(upgrade({ ...month, discounts: ended })).toEqual(upgrade(month))
  const over = [{ amount: 30_000, from: start, until: end }]
  const before = costOfRest({ price: priceOf('lms', month), boundaries: [end, middle, start], discounts: over }, now.at)
  const rest = costOfRest({ price: priceOf('lms', choice()), boundaries: [end, middle, start] }, now.at)
  for (const discounts of [over, [...over, { amount: 0, from: middle, until: end }]])
    expect(upgrade({ ...month, discounts })).toMatchObject({ amount: rest - before })
})

test('a year instead of a month begins at once and counts what is paid', () => {
  const quote = quoteChange(present(), choice({ period: 'year' }), facts('2026-03-30T09:00:00Z'))
  expect(quote).toMatchObject({ effect: 'now', kind: 'change', until: new Date('2027-03-30T09:00:00.000Z') })
  expect(quote.effect === 'now' && quote.amount).toBeLessThan(priceOf('lms', choice({ period: 'year' })))
})

test('a payment continues the trial, the paid period and the days of grace, and begins again after them', () => {
  const now = '2026-03-16T09:00:00Z'
  const from = (change: Partial<PresentPlan>) => quoteRenewal(present(change), choice(), facts(now)).from.toISOString()
  expect(from({ isPaid: false, until: new Date('2026-03-20T09:00:00Z') })).toBe('2026-03-20T09:00:00.000Z')
  expect(from({ until: new Date('2026-03-31T09:00:00Z') })).toBe('2026-03-31T09:00:00.000Z')
  expect(from({ until: new Date('2026-03-12T09:00:00Z') })).toBe('2026-03-12T09:00:00.000Z')
  expect(from({ until: new Date('2026-03-01T09:00:00Z') })).toBe('2026-03-16T09:00:00.000Z')
  expect(from({ isPaid: false, until: new Date('2026-03-12T09:00:00Z') })).toBe('2026-03-16T09:00:00.000Z')
})

test('one period can be paid in advance', () => {
  expect(canRenew(present(), facts('2026-03-16T09:00:00Z'))).toBe(true)
  expect(canRenew(present({ until: new Date('2026-04-30T09:00:00Z') }), facts('2026-03-16T09:00:00Z'))).toBe(false)
  expect(canRenew(null, facts('2026-03-16T09:00:00Z'))).toBe(true)
})

test('the paid time, the days of grace and the period in advance end at their instants', () => {
  const end = new Date('2026-03-31T09:00:00Z')
  const at = (ms: number) => new Date(end.getTime() + ms)
  expect([isPaidAt(present(), at(-1)), isPaidAt(present(), end)]).toEqual([true, false])
  expect(isPaidAt(present({ isPaid: false }), at(-1))).toBe(false)
  expect(isPaidAt(present({ until: null }), at(-1))).toBe(false)
  const from = (now: Date, change: Partial<PresentPlan> = {}) =>
    quoteRenewal(present(change), choice(), { ...facts('2026-03-16T09:00:00Z'), at: now }).from
  expect([from(end, { isPaid: false }), from(at(7 * DAY - 1)), from(at(7 * DAY))]).toEqual([end, end, at(7 * DAY)])
  expect(from(end, { until: null })).toEqual(end)
  expect(quoteRenewal(null, choice(), facts('2026-03-16T09:00:00Z')).from).toEqual(new Date('2026-03-16T09:00:00Z'))
  const startOfMonth = new Date('2026-02-28T09:00:00Z')
  const { add } = facts('2026-03-16T09:00:00Z')
  const start = add(end, 'month', -1)
  expect(start.getTime()).toBeGreaterThanOrEqual(startOfMonth.getTime())
  const inAdvance = (now: Date, change: Partial<PresentPlan> = {}) => canRenew(present(change), { at: now, add })
  expect([inAdvance(new Date(start.getTime() - 1)), inAdvance(start)]).toEqual([false, true])
  expect(inAdvance(new Date(0), { isPaid: false })).toBe(true)
  expect(inAdvance(new Date(0), { until: null })).toBe(true)
})

test('without paid time a period is bought', () => {
  const now = facts('2026-03-16T09:00:00Z')
  for (const before of [null, present({ until: null }), present({ isPaid: false }), present({ until: now.at })])
    expect(quoteChange(before, choice(), now)).toMatchObject({ effect: 'now', kind: 'renewal', amount: 149_000 })
})

test('a discount is counted for the part of its time that is left', () => {
  const day = (count: number) => new Date(START + count * DAY)
  const rest = (at: number, discounts: { amount: number; from: Date; until: Date }[]) =>
    costOfRest({ price: 1000, boundaries: [day(20), day(10), day(0)], discounts }, day(at))
  const early = [{ amount: 500, from: day(0), until: day(10) }]
  expect([rest(0, early), rest(5, early), rest(10, early), rest(15, early)]).toEqual([1500, 1250, 1000, 500])
  const late = [{ amount: 500, from: day(10), until: day(20) }]
  expect([rest(0, late), rest(10, late), rest(15, late), rest(20, late)]).toEqual([1500, 500, 250, 0])
  const outside = [{ amount: 500, from: day(30), until: day(40) }]
  expect([rest(0, outside), rest(15, outside), rest(35, outside)]).toEqual([2000, 500, 0])
  expect(rest(0, [{ amount: 5000, from: day(0), until: day(20) }])).toBe(0)
  // The rest is rounded up.
  const third = [day(3), day(0)]
  expect([0, 1, 2, 3].map((at) => costOfRest({ price: 100, boundaries: third }, day(at)))).toEqual([100, 67, 34, 0])
})

test('two changes that were bought side by side are merged to the larger values', () => {
  const merged = mergeChosen(
    choice({ plan: 'max', addOns: { disc: 1 } }),
    choice({ period: 'year', addOns: { manager_count: 3 } }),
  )
  expect(merged).toEqual({ plan: 'max', period: 'year', addOns: { disc: 1, manager_count: 3 } })
  const year = choice({ plan: 'start', period: 'year', addOns: { disc: 2 } })
  expect(mergeChosen(year, choice())).toEqual({ plan: 'pro', period: 'year', addOns: { disc: 2 } })
  expect(mergeChosen(choice(), choice())).toEqual(choice())
})
