import type { Currency } from '#lib/payment/schema.ts'
import type { OfferKind, OfferPeriod } from './schema.ts'

/** The part of an offer that its price depends on. */
export interface PriceTerms {
  kind: OfferKind
  currency: Currency
  price: number
  oldPrice: number | null
  salePrice: number | null
  saleFrom: Date | null
  saleTo: Date | null
  period: OfferPeriod
  trialDays: number
  installmentCount: number
  installmentDays: number
  firstAmount: number | null
}

/** What a coupon does to a price: percent, an amount less, or another price. */
export interface Discount {
  type: 'percent' | 'fixed' | 'setPrice'
  /** Percent from 1 to 100, or an amount in minor units. */
  value: number
}

export interface ScheduledPayment {
  /** Days after the purchase. */
  afterDays: number
  amount: number
}

/** Every amount that a page shows about a purchase, in minor units of one currency. */
export interface Total {
  currency: Currency
  /** The price without discounts. */
  listPrice: number
  /** A former price to show struck through, where it is higher than the list price; or the list price during a sale. */
  struckPrice: number | null
  saleDiscount: number
  couponDiscount: number
  /** What was paid before for an offer that this one replaces. */
  credit: number
  /** What is paid altogether; of a subscription, for its first period. */
  total: number
  /** What is paid at once. */
  dueNow: number
  /** Payments after the first one. */
  schedule: ScheduledPayment[]
  /** Days that are free before the first payment; 0: none. */
  trialDays: number
  /** What each payment of a subscription is; null for other offers. */
  renewal: number | null
  isOnSale: boolean
}

export interface TotalInput {
  now: Date
  discount?: Discount | null
  credit?: number
  /** The buyer has had the trial of this offer. */
  isTrialUsed?: boolean
}

/**
 * The amounts of a purchase. All are integers of minor units; a percentage is rounded to the nearest unit, a half in favor
 * of the buyer. Discounts apply in the order sale, coupon, credit, and none makes a price negative. The parts of an
 * installment plan add up to the total: units that cannot be divided go to the earliest payments. Discounts of a
 * subscription reduce each of its payments, because providers charge one amount; a trial postpones the first.
 */
export function calculateTotal(
  terms: PriceTerms,
  { now, discount = null, credit = 0, isTrialUsed = false }: TotalInput,
): Total {
  const listPrice = terms.kind === 'free' ? 0 : terms.price
  const isOnSale = listPrice > 0 && isSaleActive(terms, now)
  const salePrice = isOnSale ? Math.min(listPrice, terms.salePrice ?? listPrice) : listPrice
  const couponDiscount = discount ? discountOf(salePrice, discount) : 0
  const usedCredit = Math.min(Math.max(0, credit), salePrice - couponDiscount)
  const total = salePrice - couponDiscount - usedCredit
  const trialDays = terms.kind === 'subscription' && total > 0 && !isTrialUsed ? terms.trialDays : 0
  const [dueNow = 0, ...later] = trialDays > 0 ? [0, total] : paymentsOf(terms, total)
  const stepDays = trialDays || terms.installmentDays
  return {
    currency: terms.currency,
    listPrice,
    struckPrice: struckPriceOf(terms, listPrice, salePrice),
    saleDiscount: listPrice - salePrice,
    couponDiscount,
    credit: usedCredit,
    total,
    dueNow,
    schedule: later.map((amount, index) => ({ amount, afterDays: stepDays * (index + 1) })),
    trialDays,
    renewal: terms.kind === 'subscription' ? total : null,
    isOnSale,
  }
}

/** Whether the sale price applies at a moment. */
function isSaleActive({ salePrice, saleFrom, saleTo }: PriceTerms, now: Date): boolean {
  return salePrice !== null && (!saleFrom || saleFrom <= now) && (!saleTo || saleTo > now)
}

function struckPriceOf({ oldPrice }: PriceTerms, listPrice: number, salePrice: number): number | null {
  if (listPrice === 0) return null
  const highest = Math.max(oldPrice ?? 0, listPrice)
  return highest > salePrice ? highest : null
}

function discountOf(price: number, { type, value }: Discount): number {
  switch (type) {
    case 'percent':
      // Half a unit is rounded up: the discount, not the price.
      return Math.min(price, Math.floor((price * value + 50) / 100))
    case 'fixed':
      return Math.min(price, value)
    case 'setPrice':
      return Math.max(0, price - value)
  }
}

/** The payments in order; the first is due at once. */
function paymentsOf(terms: PriceTerms, total: number): number[] {
  if (terms.kind !== 'installments' || total === 0) return [total]
  const count = Math.min(terms.installmentCount, total)
  const first = terms.firstAmount === null ? null : Math.min(terms.firstAmount, total)
  return first === null ? divide(total, count) : [first, ...divide(total - first, count - 1)].filter(isFirstOrPositive)
}

const isFirstOrPositive = (amount: number, index: number): boolean => index === 0 || amount > 0

/** Parts that differ by at most one unit, larger ones first, and add up to the amount. */
function divide(amount: number, count: number): number[] {
  if (count <= 0) return amount > 0 ? [amount] : []
  const part = Math.floor(amount / count)
  const rest = amount - part * count
  return Array.from({ length: count }, (_, index) => part + (index < rest ? 1 : 0))
}
