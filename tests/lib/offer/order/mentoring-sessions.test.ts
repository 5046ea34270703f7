import { afterAll, beforeEach, expect, test } from 'vitest'
import { pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { getStudentOverview } from '#lib/mentoring/session/overview.ts'
import { createOffer, getOffer, saveOffer } from '#lib/offer/offer.ts'
import { refundOrder } from '#lib/offer/order/refund.ts'
import { OfferSettings } from '#lib/offer/schema.ts'
import { publishedCourse } from '../../../setup/course/groups.ts'
import { createMentoring, type Mentoring } from '../../../setup/mentoring.ts'
import { answerBank, createSoldOffer, order } from '../../../setup/offer/orders.ts'
import { addTestMember, createOtherTenant } from '../../../setup/tenants.ts'

let school: Mentoring
let courseId: string
beforeEach(async () => {
  await pool.query('delete from throttle')
  school = await createMentoring()
  courseId = (await publishedCourse(school.home.as.OWNER)).courseId
})
afterAll(() => pool.end())

test('a purchase adds its sessions to the balance once, and a refund takes them back', async () => {
  const { home, programId } = school
  const owner = home.as.OWNER
  const buyer = await addTestMember(home, 'STUDENT', 'buyer@school.test')
  const offerId = await createSoldOffer(owner, courseId, { mentorProgramId: programId, mentorSessions: 4 })
  const buy = async () => {
    const placed = await order(home, offerId, { email: buyer.email, shownTotal: 150_000 }, { actor: buyer })
    const paid = await answerBank(placed, 'success')
    await answerBank(placed, 'success')
    return paid
  }
  const balance = async () => (await getStudentOverview(buyer)).programs.items.map(({ sessionsTotal }) => sessionsTotal)
  const first = await buy()
  expect(await balance()).toEqual([4])
  const second = await buy()
  expect(await balance()).toEqual([8])
  const refund = (orderId: string) =>
    refundOrder(owner, { orderId, amount: 150_000, reason: 'Не підійшло', access: 'endNow' })
  await refund(first.id)
  expect(await balance()).toEqual([4])
  await refund(second.id)
  expect(await balance()).toEqual([])
})

test('an offer cannot name a program of another school', async () => {
  const { as } = await createOtherTenant()
  const foreign = await publishedCourse(as.OWNER)
  const offerId = newId()
  await createOffer(as.OWNER, {
    offerId,
    courseId: foreign.courseId,
    name: 'Чужа',
    kind: 'free',
    price: 0,
    currency: 'UAH',
  })
  const { version } = await getOffer(as.OWNER, { offerId })
  const settings = OfferSettings.parse({ name: 'Чужа', kind: 'free', mentorProgramId: school.programId })
  await expect(saveOffer(as.OWNER, { offerId, version, settings })).rejects.toMatchObject({ code: 'not_found' })
})
