import { z } from 'zod'
import { Email } from '#lib/core/shared/text/email.ts'
import { RequiredPersonName } from '#lib/core/shared/text/person-name.ts'
import { multilineText, textLine } from '#lib/core/shared/text/text.ts'
import { PROVIDERS } from '#lib/payment/schema.ts'
import { MAX_AMOUNT } from '../schema.ts'

const id = z.uuid()

/** `session.button`, by their ids, in the address of the checkout. */
const SellingButton = z
  .string()
  .max(80)
  .transform((text) => text.split('.'))
  .pipe(z.tuple([id, id]))
  .transform(([sessionId, buttonId]) => ({ sessionId, buttonId }))

/** The person who gets the access, where it is not the buyer. */
const Gift = z.object({ name: RequiredPersonName, email: Email, message: multilineText(1000).default('') })

export const PlaceOrder = z.object({
  offerId: id,
  name: RequiredPersonName,
  email: Email,
  phone: textLine(40).default(''),
  /** By the id of the question. */
  answers: z.record(z.string(), textLine(500)).default({}),
  coupon: z.string().max(100).default(''),
  gift: Gift.nullable().default(null),
  consent: z.literal(true, 'consent_required'),
  /** Absent where nothing is paid at once. */
  provider: z.enum(PROVIDERS).optional(),
  /** The total that the page has shown; another total is shown first. */
  shownTotal: z.int32().min(0).max(MAX_AMOUNT),
  /** Whether the page has shown a trial. */
  shownTrial: z.boolean().default(false),
  /** The paid order that is upgraded, by the id in the address of its page. */
  upgrade: id.optional(),
  /** The button of an event that has led to the checkout; another text is ignored. */
  button: SellingButton.nullable().default(null).catch(null),
  source: z.record(z.string().max(40), z.string().max(200)).default({}),
})
export type PlaceOrder = z.output<typeof PlaceOrder>

/** A buyer who was refused and wants to be told when it is possible to buy. */
export const LeaveAddress = z.object({ offerId: id, name: RequiredPersonName, email: Email })
export type LeaveAddress = z.output<typeof LeaveAddress>

/**
 * `next`: the next payment of an order; `rest`: everything that is left of an installment plan; `card`: another card
 * of an active subscription, which is charged from the next payment on.
 */
export const PayAgain = z.object({
  publicId: id,
  provider: z.enum(PROVIDERS),
  part: z.enum(['next', 'rest', 'card']).default('next'),
})
export type PayAgain = z.input<typeof PayAgain>
