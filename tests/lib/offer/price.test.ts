import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { calculateTotal, type Discount, type PriceTerms } from '#lib/offer/price-rules.ts'
import { MAX_AMOUNT, OFFER_KINDS } from '#lib/offer/schema.ts'

const now = new Date('2026-11-23T12:00:00Z')
const day = (offset: number) => new Date(now.getTime() + offset * 86_400_000)

const TERMS: PriceTerms = {
  kind: 'once',
  currency: 'UAH',
  price: 100_000,
  oldPrice: null,
  salePrice: null,
  saleFrom: null,
  saleTo: null,
  period: 'month',
  trialDays: 0,
  installmentCount: 3,
  installmentDays: 30,
  firstAmount: null,
}

const total = (terms: Partial<PriceTerms>, discount: Discount | null = null, credit = 0) =>
  calculateTotal({ ...TERMS, ...terms }, { now, discount, credit })

const amount = fc.integer({ min: 0, max: MAX_AMOUNT })
const terms: fc.Arbitrary<PriceTerms> = fc.record({
  kind: fc.constantFrom(...OFFER_KINDS),
  currency: fc.constant('UAH' as const),
  price: amount,
  oldPrice: fc.option(amount),
  salePrice: fc.option(amount),
  saleFrom: fc.constantFrom(null, day(-1), day(1)),
  saleTo: fc.constantFrom(null, day(-1), day(1)),
  period: fc.constant('month' as const),
  trialDays: fc.integer({ min: 0, max: 90 }),
  installmentCount: fc.integer({ min: 2, max: 24 }),
  installmentDays: fc.integer({ min: 1, max: 180 }),
  firstAmount: fc.option(amount),
})
const discount: fc.Arbitrary<Discount | null> = fc.option(
  fc.oneof(
    fc.record({ type: fc.constant('percent' as const), value: fc.integer({ min: 1, max: 100 }) }),
    fc.record({ type: fc.constantFrom('fixed' as const, 'setPrice' as const), value: amount }),
  ),
)

describe('for any price, discount and credit', () => {
  test('no amount is negative or a fraction, and the discounts explain the total', () => {
    fc.assert(
      fc.property(terms, discount, amount, (offered, coupon, credit) => {
        const sum = calculateTotal(offered, { now, discount: coupon, credit })
        const amounts = [sum.saleDiscount, sum.couponDiscount, sum.credit, sum.total, sum.dueNow]
        for (const value of [...amounts, ...sum.schedule.map((payment) => payment.amount)]) {
          expect(Number.isInteger(value) && value >= 0).toBe(true)
        }
        expect(sum.listPrice - sum.saleDiscount - sum.couponDiscount - sum.credit).toBe(sum.total)
        expect(sum.credit).toBeLessThanOrEqual(credit)
      }),
    )
  })

  test('the payments add up to the total, in at most as many parts as planned', () => {
    fc.assert(
      fc.property(terms, discount, (offered, coupon) => {
        const sum = calculateTotal(offered, { now, discount: coupon })
        const later = sum.schedule.reduce((all, payment) => all + payment.amount, 0)
        expect(sum.dueNow + later).toBe(sum.total)
        if (offered.kind === 'installments') expect(sum.schedule.length).toBeLessThan(offered.installmentCount)
        if (offered.kind === 'once' || offered.kind === 'free') expect(sum.schedule).toEqual([])
      }),
    )
  })

  test('a larger percentage never costs more', () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 1, max: 99 }), (price, percent) => {
        const less = total({ price }, { type: 'percent', value: percent }).total
        expect(total({ price }, { type: 'percent', value: percent + 1 }).total).toBeLessThanOrEqual(less)
      }),
    )
  })
})

describe('a coupon', () => {
  test.each([
    { discount: { type: 'percent', value: 15 }, price: 9_999, total: 8_499 },
    // 0.5 of a unit is rounded in favor of the buyer.
    { discount: { type: 'percent', value: 50 }, price: 101, total: 50 },
    { discount: { type: 'percent', value: 100 }, price: 101, total: 0 },
    { discount: { type: 'fixed', value: 2_000 }, price: 9_999, total: 7_999 },
    { discount: { type: 'fixed', value: 20_000 }, price: 9_999, total: 0 },
    { discount: { type: 'setPrice', value: 5_000 }, price: 9_999, total: 5_000 },
    { discount: { type: 'setPrice', value: 50_000 }, price: 9_999, total: 9_999 },
  ] as const)('$discount.type of $discount.value makes $price cost $total', ({ discount, price, total: expected }) => {
    expect(total({ price }, discount).total).toBe(expected)
  })

  test('applies after the sale', () => {
    const sum = total({ salePrice: 80_000 }, { type: 'percent', value: 10 })
    expect(sum).toMatchObject({ saleDiscount: 20_000, couponDiscount: 8_000, total: 72_000, struckPrice: 100_000 })
  })
})

describe('a sale', () => {
  test.each([
    { from: day(-1), to: day(1), price: 80_000 },
    { from: null, to: null, price: 80_000 },
    { from: day(1), to: null, price: 100_000 },
    // It ends at the very moment.
    { from: null, to: now, price: 100_000 },
    { from: now, to: null, price: 80_000 },
  ])('from $from to $to', ({ from, to, price }) => {
    expect(total({ salePrice: 80_000, saleFrom: from, saleTo: to }).total).toBe(price)
  })
})

test('the former price is struck through where it is higher, and what was paid reduces what is left', () => {
  expect([total({}).struckPrice, total({ oldPrice: 100_000 }).struckPrice]).toEqual([null, null])
  expect([total({ oldPrice: 99_999 }).struckPrice, total({ oldPrice: 100_001 }).struckPrice]).toEqual([null, 100_001])
  expect(total({ salePrice: 80_000, oldPrice: 90_000 }).struckPrice).toBe(100_000)
  expect(total({ salePrice: 120_000 })).toMatchObject({ total: 100_000, saleDiscount: 0, struckPrice: null })
  expect(total({}).isOnSale).toBe(false)
  expect(total({ price: 0, salePrice: 0 })).toMatchObject({ total: 0, isOnSale: false, renewal: null })
  expect(total({}, null, 30_000)).toMatchObject({ credit: 30_000, total: 70_000 })
  expect(total({}, null, 130_000)).toMatchObject({ credit: 100_000, total: 0 })
  expect(total({}, null, -1)).toMatchObject({ credit: 0, total: 100_000 })
  expect(total({ kind: 'subscription' })).toMatchObject({ renewal: 100_000, schedule: [] })
})

test('a free offer costs nothing whatever its price says', () => {
  expect(total({ kind: 'free', oldPrice: 200_000 })).toMatchObject({ total: 0, dueNow: 0, struckPrice: null })
})

test('installments: equal parts with the rest first, or a first payment and equal parts', () => {
  const equal = total({ kind: 'installments', price: 100_000 })
  expect([equal.dueNow, ...equal.schedule]).toEqual([
    33_334,
    { afterDays: 30, amount: 33_333 },
    { afterDays: 60, amount: 33_333 },
  ])
  const first = total({ kind: 'installments', price: 100_000, firstAmount: 50_001 })
  expect([first.dueNow, ...first.schedule.map((payment) => payment.amount)]).toEqual([50_001, 25_000, 24_999])
  const parts = (change: Partial<PriceTerms>) => {
    const { dueNow, schedule } = total({ kind: 'installments', ...change })
    return [dueNow, ...schedule.map((payment) => payment.amount)]
  }
  // No later payment is zero: the first one, or what little there is, pays for everything.
  expect(parts({ price: 50_000, firstAmount: 50_000 })).toEqual([50_000])
  expect(parts({ price: 50_000, firstAmount: 60_000 })).toEqual([50_000])
  expect(parts({ price: 50_001, firstAmount: 50_000 })).toEqual([50_000, 1])
  expect(parts({ price: 2 })).toEqual([1, 1])
  expect(parts({ price: 1, firstAmount: 1 })).toEqual([1])
  expect(parts({ price: 10, firstAmount: 0 })).toEqual([0, 5, 5])
  expect(parts({ price: 0 })).toEqual([0])
  expect(parts({ price: 100, installmentCount: 1, firstAmount: 40 })).toEqual([40, 60])
})

test('a buyer who has had the trial pays at once, and what is free has no trial', () => {
  const offered = { ...TERMS, kind: 'subscription' as const, trialDays: 7 }
  expect(calculateTotal(offered, { now, isTrialUsed: true })).toMatchObject({
    dueNow: 100_000,
    schedule: [],
    trialDays: 0,
  })
  expect(total(offered, { type: 'percent', value: 100 })).toMatchObject({ dueNow: 0, schedule: [], trialDays: 0 })
  expect(total({ trialDays: 7 })).toMatchObject({ dueNow: 100_000, trialDays: 0 })
})

test('a trial postpones the first payment of a subscription; discounts reduce each payment', () => {
  const sum = total({ kind: 'subscription', trialDays: 7 }, { type: 'percent', value: 50 })
  expect(sum).toMatchObject({ dueNow: 0, schedule: [{ afterDays: 7, amount: 50_000 }], renewal: 50_000 })
})
