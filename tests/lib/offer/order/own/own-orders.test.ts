import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { ListOwnOrders } from '#lib/offer/order/order-schema.ts'
import { listOwnOrders } from '#lib/offer/order/own/own-orders.ts'
import { salesOrder } from '#lib/offer/order/table.ts'
import { publishedCourse } from '../../../../setup/course/groups.ts'
import { answerBank, createSoldOffer, newBuyer, order } from '../../../../setup/offer/orders.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../../setup/tenants.ts'

let home: TestTenant
let student: Actor
let offerId: string
beforeAll(async () => {
  home = await createTestTenant()
  student = home.as.STUDENT
  await pool.query('delete from throttle')
  offerId = await createSoldOffer(home.as.OWNER, (await publishedCourse(home.as.OWNER)).courseId)
})
afterAll(() => pool.end())

const list = (actor: Actor, input: object = {}) => listOwnOrders(actor, ListOwnOrders.parse(input))
const idsOf = async (actor: Actor) => (await list(actor)).items.map(({ id }) => id)

test('a person sees what was bought with the own email address and while signed in, newest first', async () => {
  const gift = { name: 'Ганна', email: newBuyer(), message: '' }
  const asGuest = await answerBank(await order(home, offerId, { email: student.email }), 'success')
  const given = await order(home, offerId, { email: student.email, gift })
  await order(home, offerId)
  // The address of the account has changed since this order.
  const former = await order(home, offerId)
  await inTenant(student, (tx) =>
    tx.update(salesOrder).set({ studentId: student.membershipId }).where(eq(salesOrder.id, former.id)),
  )
  const { items } = await list(student)
  expect(items.map(({ id }) => id)).toEqual([former.id, given.id, asGuest.id])
  expect(items.map(({ isGift }) => isGift)).toEqual([false, true, false])
  expect(items[2]).toMatchObject({ publicId: asGuest.publicId, state: 'paid', kind: 'once', paidAmount: 150_000 })
})

test('a gift is no purchase of the person who receives it', async () => {
  const { email, membershipId } = home.as.MEMBER
  const gift = await order(home, offerId, { gift: { name: 'Ганна', email, message: '' } })
  await inTenant(student, (tx) =>
    tx.update(salesOrder).set({ studentId: membershipId }).where(eq(salesOrder.id, gift.id)),
  )
  expect(await idsOf(home.as.MEMBER)).toEqual([])
})

test('pages have every purchase once', async () => {
  const email = home.as.CURATOR.email
  for (let each = 0; each < 3; each += 1)
    await order(home, await createSoldOffer(home.as.OWNER, (await publishedCourse(home.as.OWNER)).courseId), { email })
  const first = await list(home.as.CURATOR, { limit: 2 })
  const second = await list(home.as.CURATOR, { limit: 2, cursor: first.next ?? '' })
  expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(3)
  expect(second.next).toBeNull()
  await expect(list(home.as.CURATOR, { cursor: 'abc' })).rejects.toMatchObject({ code: 'invalid' })
})

test('purchases of another school, and those of a student who is viewed by staff, are not shown', async () => {
  const other = await createOtherTenant()
  expect(await idsOf({ ...student, tenantId: other.tenant.id, membershipId: other.as.STUDENT.membershipId })).toEqual(
    [],
  )
  const impersonation = { memberId: home.as.OWNER.membershipId, expiresAt: new Date(), endPath: '/' }
  await expect(async () => list({ ...student, impersonation })).rejects.toMatchObject({ code: 'forbidden' })
})
