import { z } from 'zod'
import { CURRENCIES } from '#lib/payment/schema.ts'
import { MAX_AMOUNT } from '../schema.ts'

export const COUPON_TYPES = ['percent', 'fixed', 'setPrice'] as const

/** A code as people type it: without blanks, in capitals. */
export const CouponCode = z
  .string()
  .transform((typed) => typed.normalize('NFC').replace(/\s/g, '').toUpperCase())
  .pipe(z.string().regex(/^[\p{Lu}\p{N}_-]{2,40}$/u, 'coupon_code_format'))

const instant = z.iso.datetime().transform((at) => new Date(at))

const id = z.uuid()

export const CouponId = z.object({ couponId: id })

export const SaveCoupon = z
  .object({
    couponId: id,
    code: CouponCode,
    type: z.enum(COUPON_TYPES),
    /** Percent, or minor units. */
    value: z.int32().min(0).max(MAX_AMOUNT),
    /** Of a fixed amount or a set price. */
    currency: z.enum(CURRENCIES).default('UAH'),
    /** Offers that it applies to; null: all. */
    offerIds: z.array(id).min(1, 'coupon_needs_offer').max(200).nullable().default(null),
    startsAt: instant.nullable().default(null),
    endsAt: instant.nullable().default(null),
    maxTotal: z.int32().min(1).max(1_000_000).nullable().default(null),
    maxPerPerson: z.int32().min(1).max(1000).nullable().default(1),
  })
  .superRefine((coupon, { addIssue }) => {
    if (coupon.type === 'percent' && (coupon.value < 1 || coupon.value > 100)) {
      addIssue({ code: 'custom', path: ['value'], message: 'coupon_percent' })
    }
    if (coupon.type === 'fixed' && coupon.value < 1) {
      addIssue({ code: 'custom', path: ['value'], message: 'required' })
    }
    if (coupon.startsAt && coupon.endsAt && coupon.startsAt >= coupon.endsAt) {
      addIssue({ code: 'custom', path: ['endsAt'], message: 'end_before_start' })
    }
  })
export type SaveCoupon = z.output<typeof SaveCoupon>
