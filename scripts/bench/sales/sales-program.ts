import { eq } from 'drizzle-orm'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { course } from '#lib/course/table.ts'
import { placeOrder } from '#lib/offer/checkout/place-order.ts'
import { PlaceOrder } from '#lib/offer/checkout/schema.ts'
import { saveCoupon } from '#lib/offer/coupon/coupon.ts'
import { SaveCoupon } from '#lib/offer/coupon/schema.ts'
import { changeOfferState, createOffer, getOffer, saveOffer } from '#lib/offer/offer.ts'
import { compactRollupsOf } from '#lib/offer/report/compact.ts'
import { OfferSettings } from '#lib/offer/schema.ts'
import { sandboxCallback } from '#lib/payment/providers/sandbox.ts'
import { referenceOf } from '#lib/payment/reference.ts'
import { payment } from '#lib/payment/table.ts'
import { findActor } from '#lib/user/session.ts'

/*
 * `offers SUBDOMAIN TOKEN`: creates offers with an order that waits for its payment each, and two promo codes.
 * `callbacks SUBDOMAIN TOKEN`: compacts the rollups, and signs a callback for each payment that waits.
 */
const OFFERS = 10
const PRICE = 150_000

const [action = '', subdomain = '', token = ''] = process.argv.slice(2)
const actor = await findActor(token, subdomain)
if (!actor) throw new Error('the owner is not signed in')
const owner = actor
const result = JSON.stringify(action === 'offers' ? await makeOffers() : await signCallbacks())
await pool.end()
// A pipe is written asynchronously: the process ends when all of it has been accepted.
process.stdout.write(`${result}\n`, () => process.exit(0))

async function makeOffers(): Promise<{ courseId: string; offerId: string }> {
  const courses = await inTenant(owner, (tx) =>
    tx
      .select({ id: course.id })
      .from(course)
      .limit(OFFERS / 2),
  )
  const made: { courseId: string; offerId: string }[] = []
  for (let index = 0; index < OFFERS; index += 1) {
    const [courseId, offerId] = [courses[index % courses.length]?.id ?? '', newId()]
    const name = `Тариф ${index + 1}`
    await createOffer(owner, { offerId, courseId, name, kind: 'once', price: PRICE, currency: 'UAH' })
    const { version } = await getOffer(owner, { offerId })
    const settings = OfferSettings.parse({ name, kind: 'once', price: PRICE })
    await saveOffer(owner, { offerId, version, settings })
    await changeOfferState(owner, { offerId, action: 'activate' })
    const visitor = { tenantId: owner.tenantId, actor: null, locale: 'uk', address: `10.1.0.${index}` } as const
    const form = { offerId, name: 'Олена Коваль', email: `buyer-${index}@bench.test`, consent: true, shownTotal: PRICE }
    await placeOrder(visitor, PlaceOrder.parse({ ...form, provider: 'sandbox' }))
    made.push({ courseId, offerId })
  }
  for (const code of ['ОСІНЬ', 'ЗИМА'])
    await saveCoupon(owner, SaveCoupon.parse({ couponId: newId(), code, type: 'percent', value: 10 }))
  const [first] = made
  if (!first) throw new Error('there are no offers')
  return first
}

async function signCallbacks(): Promise<ReturnType<typeof sandboxCallback>[]> {
  const { tenantId } = owner
  await compactRollupsOf(tenantId)
  const waiting = await inTenant(owner, (tx) => tx.select().from(payment).where(eq(payment.status, 'new')))
  return waiting.map((row) =>
    sandboxCallback({ reference: referenceOf(row), status: 'success', amount: row.amount, currency: row.currency }),
  )
}
