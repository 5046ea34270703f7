import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { changeLessons } from '#lib/course/outline/bulk-change.ts'
import { getOutline } from '#lib/course/outline/outline.ts'
import { saveCoupon } from '#lib/offer/coupon/coupon.ts'
import { SaveCoupon } from '#lib/offer/coupon/schema.ts'
import { changeOfferState, createOffer, getOffer, saveOffer } from '#lib/offer/offer.ts'
import { OfferSettings } from '#lib/offer/schema.ts'
import { showVideo } from '../blocks.ts'

const OFFERS = [
  {
    name: 'Спробувати',
    kind: 'free',
    description: 'Сім днів доступу до всього курсу, щоб вирішити, чи він вам підходить.',
    accessType: 'days',
    accessDays: 7,
    withCertificate: false,
  },
  {
    name: 'Самостійно',
    kind: 'once',
    price: 240_000,
    oldPrice: 290_000,
    description: 'Усі уроки й завдання у вашому темпі.',
    withReview: false,
  },
  {
    name: 'Частинами',
    kind: 'installments',
    price: 270_000,
    installmentCount: 3,
    description: 'З куратором, трьома платежами.',
    seats: 30,
  },
  {
    name: 'Клуб випускників',
    kind: 'subscription',
    price: 19_900,
    visibility: 'link',
    description: 'Нові матеріали щомісяця й розбори занять.',
  },
] as const

/** What the course costs, a promo code, and its first lesson with a video, which everybody may see. */
export async function addOffers(author: Actor, courseId: string): Promise<void> {
  for (const offered of OFFERS) {
    const offerId = newId()
    const settings = OfferSettings.parse(offered)
    const { name, price, currency } = settings
    await createOffer(author, { offerId, courseId, name, kind: offered.kind, price, currency })
    const { version } = await getOffer(author, { offerId })
    await saveOffer(author, { offerId, version, settings })
    await changeOfferState(author, { offerId, action: 'activate' })
  }
  const [firstModule] = await getOutline(author, { courseId })
  const lessonIds = firstModule?.lessons.slice(0, 1).map(({ id }) => id) ?? []
  await changeLessons(author, { courseId, lessonIds, change: { freePreview: true } })
  for (const lessonId of lessonIds) await showVideo(author, lessonId)
  await saveCoupon(author, SaveCoupon.parse({ couponId: newId(), code: 'STUDENT10', type: 'percent', value: 10 }))
}
