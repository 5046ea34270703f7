import { NoInput, NoOutput, noOutput, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { listCoupons, saveCoupon, setCouponDisabled } from './coupon.ts'
import { ListCouponsOutput, SaveCouponOutput } from './output-schema.ts'
import { CouponId, SaveCoupon } from './schema.ts'

const staff = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** Procedures of promo codes. */
export const coupon = {
  list: staff
    .route({ summary: 'Returns the promo codes with their uses, newest first' })
    .input(NoInput)
    .output(ListCouponsOutput)
    .handler(({ context }) => listCoupons(context.actor)),
  save: staff
    .route({ summary: 'Creates or changes the promo code with this id' })
    .input(SaveCoupon)
    .output(SaveCouponOutput)
    .handler(({ input, context }) => saveCoupon(context.actor, input)),
  disable: staff
    .route({ summary: 'Stops accepting a promo code' })
    .input(CouponId)
    .output(NoOutput)
    .handler(({ input, context }) => setCouponDisabled(context.actor, { ...input, isDisabled: true }).then(noOutput)),
  enable: staff
    .route({ summary: 'Accepts a promo code again' })
    .input(CouponId)
    .output(NoOutput)
    .handler(({ input, context }) => setCouponDisabled(context.actor, { ...input, isDisabled: false }).then(noOutput)),
}
