import { afterAll, beforeAll, expect, test } from 'vitest'
import { pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { listCoupons, saveCoupon, setCouponDisabled } from '#lib/offer/coupon/coupon.ts'
import { SaveCoupon } from '#lib/offer/coupon/schema.ts'
import { auditedActions } from '../../setup/audit.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let home: TestTenant
let other: TestTenant
let owner: Actor
beforeAll(async () => {
  home = await createTestTenant()
  other = await createOtherTenant()
  owner = home.as.OWNER
})
afterAll(() => pool.end())

const coupon = (couponId: string, change: object = {}) =>
  SaveCoupon.parse({ couponId, code: `C${couponId.slice(-10)}`, type: 'percent', value: 10, ...change })

test('a promo code is created, changed, turned off and on, each once in the audit log', async () => {
  const couponId = newId()
  await saveCoupon(owner, coupon(couponId))
  await saveCoupon(owner, coupon(couponId, { value: 20 }))
  for (const isDisabled of [true, true, false, false]) await setCouponDisabled(owner, { couponId, isDisabled })
  expect(await listCoupons(owner)).toMatchObject([{ id: couponId, value: 20, disabledAt: null, usedCount: 0 }])
  expect(await auditedActions(owner, couponId)).toEqual([
    'coupon.changed',
    'coupon.changed',
    'coupon.changed',
    'coupon.created',
  ])
})

test('owner, director and expert manage them, in their school', async () => {
  const couponId = newId()
  await saveCoupon(owner, coupon(couponId))
  const saved: Record<string, boolean> = {}
  for (const role of ROLES)
    saved[role] = await Promise.resolve()
      .then(() => setCouponDisabled(home.as[role], { couponId, isDisabled: true }))
      .then(
        () => true,
        () => false,
      )
  expect(ROLES.filter((role) => saved[role])).toEqual(['OWNER', 'DIRECTOR', 'EXPERT'])
  await expect(setCouponDisabled(other.as.OWNER, { couponId, isDisabled: false })).rejects.toMatchObject({
    code: 'not_found',
  })
  const sameCode = coupon(newId(), { code: `C${couponId.slice(-10)}` })
  await expect(saveCoupon(owner, sameCode)).rejects.toMatchObject({
    details: { fields: { code: ['coupon_code_taken'] } },
  })
  await saveCoupon(other.as.OWNER, sameCode)
})
