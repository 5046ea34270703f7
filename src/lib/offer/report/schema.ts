import { z } from 'zod'
import { CURRENCIES } from '#lib/payment/schema.ts'

const Month = z.string().regex(/^20\d\d-(?:0[1-9]|1[0-2])$/, 'format')

/** The periods by which orders are summed up; `change`: not yet added to the others. */
export const ORDER_GRAINS = ['change', 'all', 'month', 'day'] as const

/** The values by which revenue is summed up; `change`: not yet added to the others. */
export const REVENUE_DIMENSIONS = ['change', 'offer', 'source', 'coupon'] as const

/** The year that ends with a month, in the time zone of the tenant; by default with this one. */
export const SalesReportInput = z.object({
  until: Month.optional(),
})
export type SalesReportInput = z.output<typeof SalesReportInput>

/** Money in minor units. */
const Revenue = z.object({ paymentCount: z.number(), received: z.number(), refunded: z.number() })

const NamedRevenue = Revenue.extend({ name: z.string() })

/** The revenue of twelve months in one currency. */
const CurrencyReport = z.object({
  currency: z.enum(CURRENCIES),
  total: Revenue,
  /** Each month of the year, the first of them first: `2026-11`. */
  months: z.array(Revenue.extend({ month: z.string() })),
  /** The highest revenue first. */
  offers: z.array(NamedRevenue.extend({ course: z.string() })),
  /** `utm_source`; empty: without one. */
  sources: z.array(NamedRevenue),
  /** Codes; orders without one are omitted. */
  coupons: z.array(NamedRevenue),
})
export type CurrencyReport = z.output<typeof CurrencyReport>

export const SalesReport = z.object({
  /** The months of the report. */
  first: z.string(),
  last: z.string(),
  /** Only test payments were made. */
  isTest: z.boolean(),
  currencies: z.array(CurrencyReport),
})
export type SalesReport = z.output<typeof SalesReport>
