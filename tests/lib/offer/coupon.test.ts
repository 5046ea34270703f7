import { afterAll, beforeAll, expect, test } from 'vitest'
import { pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { listCoupons, requireBelowPrices, saveCoupon, setCouponDisabled } from '#lib/offer/coupon/coupon.ts'
import { SaveCoupon } from '#lib/offer/coupon/schema.ts'
import { auditedActions } from '../../setup/audit.ts'
import { publishedCourse } from '../../setup/course/groups.ts'
import { createSoldOffer } from '../../setup/offer/orders.ts'
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

test('a fixed discount above the price of an offer is reported, also in the list', async () => {
  const { courseId } = await publishedCourse(owner)
  const offerId = await createSoldOffer(owner, courseId, { name: 'Базовий' })
  const other = await createSoldOffer(owner, courseId, { name: 'Повний', price: 900_000 })
  const fixed = (value: number, offerIds: string[]) => coupon(newId(), { type: 'fixed', value, offerIds })
  await expect(requireBelowPrices(owner, fixed(150_001, [offerId, other]))).rejects.toMatchObject({
    details: { fields: { value: ['coupon_above_price'] }, variables: { offers: 'Базовий' } },
  })
  for (const below of [fixed(150_000, [offerId]), fixed(150_001, [other]), coupon(newId(), { value: 100 })])
    await requireBelowPrices(owner, below)
  const saved = fixed(150_001, [offerId])
  expect(await saveCoupon(owner, saved)).toMatchObject({ cheaperOffers: ['Базовий'] })
  const listed = await listCoupons(owner)
  expect(listed.find(({ id }) => id === saved.couponId)).toMatchObject({ cheaperOffers: ['Базовий'] })
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
