import { and, eq, like } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { notification } from '#lib/notification/table.ts'
import { sendPaymentConfirmation } from '#lib/offer/order/confirmation/send-payment-confirmation.ts'
import { eraseOrders } from '#lib/offer/order/erasure.ts'
import { publishedCourse } from '../../../setup/course/groups.ts'
import { answerBank, createSoldOffer, order, readOrder } from '../../../setup/offer/orders.ts'
import { listEmailsTo } from '../../../setup/servers/sent-emails.ts'
import { createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let home: TestTenant
let offerId: string
beforeAll(async () => {
  home = await createTestTenant()
  offerId = await createSoldOffer(home.as.OWNER, (await publishedCourse(home.as.OWNER)).courseId)
})
afterAll(() => pool.end())

const placePaidOrder = async () => answerBank(await order(home, offerId), 'success')

const confirm = ({ tenantId, id: orderId, paidAmount }: Awaited<ReturnType<typeof placePaidOrder>>) =>
  sendPaymentConfirmation({ tenantId, orderId, amount: paidAmount, paidAmount, isFirst: true, isInvited: true })

/** The members who were notified of the payment of an order. */
const listNotified = (orderId: string) =>
  inTenant(home.as.OWNER, (tx) =>
    tx
      .select({ memberId: notification.memberId })
      .from(notification)
      .where(and(eq(notification.kind, 'order_paid'), like(notification.link, `%${orderId}`))),
  )

test('a payment is confirmed to the buyer, the owner and the directors once, however often the job runs', async () => {
  const paid = await placePaidOrder()
  const sent = await listEmailsTo(paid.email, paid.tenantId)
  expect(sent.filter(({ subject }) => subject.includes('Тестова покупка'))).toHaveLength(1)
  await Promise.all([confirm(paid), confirm(paid)])
  expect(await listEmailsTo(paid.email, paid.tenantId)).toHaveLength(sent.length)
  const { OWNER: owner, DIRECTOR: director } = home.as
  const notified = (await listNotified(paid.id)).map(({ memberId }) => memberId)
  expect(notified.toSorted()).toEqual([owner.membershipId, director.membershipId].toSorted())
})

test('a buyer whose data was erased before the job runs gets no email', async () => {
  const { tenantId, publicId, studentId, email } = await placePaidOrder()
  await inTenant({ tenantId }, (tx) => eraseOrders(tx, { studentId: studentId ?? '', email }))
  const erased = await readOrder(tenantId, publicId)
  await confirm({ ...erased, paidAmount: erased.paidAmount + 1 })
  expect(await listEmailsTo(erased.email, tenantId)).toEqual([])
})
