import { z } from 'zod'
import { OfferFields } from '../schema.ts'

/** Answers to the questions of the checkout, with the questions as they were. */
export const OrderAnswers = z.array(z.object({ label: z.string(), answer: z.string() }))
export type OrderAnswers = z.output<typeof OrderAnswers>

/** One of several payments of an order. */
export const PlannedPayment = z.object({
  amount: z.number(),
  dueAt: z.string(),
  /** When it was paid. */
  paidAt: z.string().nullable(),
  /** The periods of a subscription are counted from this payment, e.g. after a trial. */
  startsPeriod: z.literal(true).optional(),
})
export type PlannedPayment = z.output<typeof PlannedPayment>

/** The offer at the time of the purchase. */
export const OfferSnapshot = z.object({ course: z.string(), settings: OfferFields })
export type OfferSnapshot = z.output<typeof OfferSnapshot>
