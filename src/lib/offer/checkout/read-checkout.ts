import { and, eq, inArray } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { ANYONE } from '#lib/core/files/url-token.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { coverOf } from '#lib/course/lesson/pictures.ts'
import { course } from '#lib/course/table.ts'
import { isTestBuyer, listPaymentMethods, mayMakeTestPayments, type PaymentMethod } from '#lib/payment/methods.ts'
import { type Picture, pictureColumns, pictureFor } from '#lib/storage/signed-url.ts'
import { file } from '#lib/storage/table.ts'
import { readRegistrationForm } from '#lib/student/registration-form/registration-form.ts'
import { loadContents, type OfferContents } from '../contents.ts'
import { findCoupon } from '../coupon/find-coupon.ts'
import { toOfferSettings } from '../offer-settings.ts'
import { countTakenSeats } from '../order/seats.ts'
import { calculateTotal, type Total } from '../price-rules.ts'
import { salesObstacle } from '../rules.ts'
import type { OfferSettings } from '../schema.ts'
import { chargePeriodOf } from '../subscription/schedule.ts'
import { isTrialUsed } from '../subscription/trial.ts'
import { offer } from '../table.ts'
import { findUpgradedOrder } from '../upgrade.ts'
import { isTestableOffer } from './on-sale.ts'

/** What the checkout of an offer shows. */
export interface CheckoutView {
  offerId: string
  courseId: string
  settings: OfferSettings
  contents: OfferContents
  cover: Picture | null
  /** Null: it can be bought. */
  obstacle: 'not_started' | 'ended' | 'sold_out' | null
  /** Not on sale: staff try it. */
  isDraft: boolean
  seatsLeft: number | null
  total: Total
  /** The code that was typed or is in the link, with what prevents it. */
  coupon: { code: string; problem: string | null } | null
  /** The paid order that is upgraded, by the id in the address of its page. */
  upgrade: string | null
  methods: PaymentMethod[]
  consent: { text: string; url: string | null }
}

/**
 * The checkout of an offer for everyone, with the total of a coupon, and without the trial for a buyer who has had it:
 * the one with this email address, or the student who is signed in. Refuses with not_found for one that is not on sale or
 * whose course is not published.
 */
export function readCheckout(
  tenantId: string,
  {
    offerId,
    coupon: code,
    email = null,
    studentId = null,
    upgrade,
    visitor = null,
  }: {
    offerId: string
    coupon: string
    email?: string | null
    studentId?: string | null
    /** The paid order to upgrade, by the id in the address of its page. */
    upgrade?: string | undefined
    /** Who is signed in at this tenant: staff may make test payments, also for a draft. */
    visitor?: Pick<Actor, 'tenantId' | 'roles'> | null
  },
  now = new Date(),
): Promise<CheckoutView> {
  return inTenant({ tenantId }, async (tx) => {
    const [found] = await tx
      .select({ row: offer, courseTitle: course.title, courseStatus: course.status, cover: pictureColumns })
      .from(offer)
      .innerJoin(course, and(eq(course.tenantId, offer.tenantId), eq(course.id, offer.courseId)))
      .leftJoin(file, coverOf)
      .where(eq(offer.id, offerId))
    if (found?.courseStatus !== 'published') throw new Refusal('not_found')
    const { row, cover } = found
    const settings = toOfferSettings(row)
    const { currency } = settings
    const mayTest = mayMakeTestPayments(visitor, tenantId)
    const [takenCount, [contents], methods, form, coupon, isUsed, upgraded] = await Promise.all([
      settings.seats === null ? 0 : countTakenSeats(tx, offerId, now),
      loadContents(tx, { courseId: row.courseId, courseTitle: found.courseTitle }, [settings]),
      listPaymentMethods(tx, { currency, period: chargePeriodOf(settings), mayTest }),
      readRegistrationForm(tx),
      code.trim() === '' ? null : findCoupon(tx, code, { offerId, currency, email }, { now, isLocked: false }),
      settings.trialDays > 0 && isTrialUsed(tx, { offerId, email, studentId }),
      findUpgradedOrder(tx, row, { publicId: upgrade, studentId }, { now, isLocked: false, mayTest }),
    ])
    const isDraft = isTestBuyer(visitor, tenantId) && (await isTestableOffer(tx, row))
    const obstacle = salesObstacle(isDraft ? { ...row, state: 'active' } : row, takenCount, now)
    if (!contents || obstacle === 'not_active') throw new Refusal('not_found')
    return {
      offerId,
      courseId: row.courseId,
      settings,
      contents,
      cover: cover && pictureFor({ tenantId, viewer: ANYONE }, cover),
      obstacle,
      isDraft,
      seatsLeft: settings.seats === null ? null : Math.max(0, settings.seats - takenCount),
      total: calculateTotal(settings, {
        now,
        discount: coupon?.coupon ?? null,
        credit: upgraded?.credit ?? 0,
        isTrialUsed: isUsed,
      }),
      upgrade: upgraded?.publicId ?? null,
      coupon: coupon && { code: coupon.coupon?.code ?? code.trim(), problem: coupon.problem },
      methods,
      consent: { text: form.consentText, url: form.consentUrl },
    }
  })
}

/** Offers that can be bought, by id; others are omitted. */
export async function loadOnSale(tx: Tx, offerIds: readonly string[], now: Date) {
  if (offerIds.length === 0) return []
  const rows = await tx
    .select()
    .from(offer)
    .where(inArray(offer.id, [...offerIds]))
  return rows
    .filter((row) => salesObstacle(row, 0, now) === null)
    .map((row) => {
      const settings = toOfferSettings(row)
      return { id: row.id, settings, total: calculateTotal(settings, { now }) }
    })
}
