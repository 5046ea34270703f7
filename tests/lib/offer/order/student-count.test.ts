import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { grantOrderAccess } from '#lib/course/access/order/order-grants.ts'
import { course } from '#lib/course/table.ts'
import { refundOrder } from '#lib/offer/order/refund.ts'
import { startable, untilBlocked } from '../../../setup/blocked.ts'
import { publishedCourse } from '../../../setup/course/groups.ts'
import { answerBank, createSoldOffer, newBuyer, order } from '../../../setup/offer/orders.ts'
import { createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let home: TestTenant
let owner: Actor
beforeAll(async () => {
  home = await createTestTenant()
  owner = home.as.OWNER
})
afterAll(() => pool.end())

async function studentCount(courseId: string): Promise<number | undefined> {
  const [row] = await inTenant(owner, (tx) =>
    tx.select({ count: course.studentCount }).from(course).where(eq(course.id, courseId)),
  )
  return row?.count
}
const refund = (orderId: string) =>
  refundOrder(owner, { orderId, amount: 150_000, reason: 'Не підійшло', access: 'endNow' })

test('a student who gets a course by two orders counts once, also when the second is paid before the first is stored', async () => {
  const { courseId } = await publishedCourse(owner)
  const email = newBuyer()
  const [first, second] = [
    await order(home, await createSoldOffer(owner, courseId), { email }),
    await answerBank(
      await order(home, await createSoldOffer(owner, (await publishedCourse(owner)).courseId), { email }),
      'success',
    ),
  ]
  const access = {
    startsAt: null,
    endsAt: null,
    withReview: true,
    withCertificate: true,
    studentId: second.studentId ?? '',
  }
  const give = (orderId: string) =>
    inTenant(owner, (tx) =>
      grantOrderAccess(tx, owner, { ...access, orderId, courses: [{ courseId, moduleIds: null }] }),
    )
  const other = startable(() => give(second.id))
  await inTenant(owner, async () => {
    await give(first.id)
    other.startOther()
    await untilBlocked()
  })
  await other.done
  expect(await studentCount(courseId)).toBe(1)
})

test('a student counts once in a course, however many orders of the course are paid at the same time', async () => {
  const { courseId } = await publishedCourse(owner)
  const { courseId: secondId } = await publishedCourse(owner)
  const [anna, ihor] = [newBuyer(), newBuyer()]
  const placed = []
  // The same offer would return the order that waits for its payment.
  for (const email of [anna, anna, anna, ihor])
    placed.push(await order(home, await createSoldOffer(owner, courseId, { courseIds: [secondId] }), { email }))
  const paid = await Promise.all(placed.map((each) => answerBank(each, 'success')))
  expect([await studentCount(courseId), await studentCount(secondId)]).toEqual([2, 2])
  await answerBank(placed[0] ?? expect.fail(), 'success')
  expect(await studentCount(courseId)).toBe(2)
  const [first, second, third] = paid.map(({ id }) => id)
  await refund(first ?? '')
  await refund(second ?? '')
  expect([await studentCount(courseId), await studentCount(secondId)]).toEqual([2, 2])
  await refund(third ?? '')
  expect([await studentCount(courseId), await studentCount(secondId)]).toEqual([1, 1])
})
