import { z } from 'zod'
import { CURRENCIES } from '#lib/payment/schema.ts'
import { COUPON_TYPES } from './schema.ts'

const instant = z.date().nullable()

export const ListCouponsOutput = z.array(
  z.object({
    id: z.string(),
    code: z.string(),
    type: z.enum(COUPON_TYPES),
    value: z.number(),
    currency: z.enum(CURRENCIES),
    offerIds: z.array(z.string()).nullable(),
    startsAt: instant,
    endsAt: instant,
    maxTotal: z.number().nullable(),
    maxPerPerson: z.number().nullable(),
    createdAt: z.date(),
    disabledAt: instant,
    usedCount: z.number(),
    cheaperOffers: z.array(z.string()),
  }),
)

export const SaveCouponOutput = z.object({ couponId: z.string(), cheaperOffers: z.array(z.string()) })
