import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { grantOrderAccess } from '#lib/course/access/order/order-grants.ts'
import { lockOrder } from '#lib/offer/order/apply-payment.ts'
import { eraseOrders } from '#lib/offer/order/erasure.ts'
import { listPayments, lockPayment } from '#lib/payment/payment.ts'
import { lockStudentCount } from '#lib/student/student.ts'
import { startable, untilBlocked } from '../../../setup/blocked.ts'
import { publishedCourse } from '../../../setup/course/groups.ts'
import { answerBank, createSoldOffer, currentGrants, newBuyer, order, readOrder } from '../../../setup/offer/orders.ts'
import { createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let home: TestTenant
let owner: Actor
let courseId: string
beforeAll(async () => {
  home = await createTestTenant()
  owner = home.as.OWNER
})
beforeEach(async () => {
  await pool.query('delete from throttle')
  courseId = (await publishedCourse(owner)).courseId
})
afterAll(() => pool.end())

test('a free order that is placed while a payment of the same course gives its access does not deadlock', async () => {
  const free = await createSoldOffer(owner, courseId, { kind: 'free', price: 0 })
  const paid = await answerBank(await order(home, await createSoldOffer(owner, courseId)), 'success')
  const tenantId = home.tenant.id
  const placed = startable(() => order(home, free, { shownTotal: 0, provider: undefined }))
  await inTenant({ tenantId }, async (tx) => {
    await lockStudentCount(tx, { tenantId })
    placed.startOther()
    await untilBlocked()
    await grantOrderAccess(
      tx,
      { tenantId, membershipId: null, address: undefined },
      {
        orderId: paid.id,
        studentId: paid.studentId ?? '',
        courses: [{ courseId, moduleIds: null }],
        startsAt: null,
        endsAt: null,
        withReview: true,
        withCertificate: true,
      },
    )
  })
  const { state, studentId } = await placed.done
  expect(state).toBe('paid')
  expect(await currentGrants(tenantId, studentId ?? '')).toHaveLength(1)
})

test('a person who is deleted while the bank reports a payment does not deadlock', async () => {
  const email = newBuyer()
  const paid = await answerBank(await order(home, await createSoldOffer(owner, courseId), { email }), 'success')
  const tenantId = home.tenant.id
  const person = { studentId: paid.studentId ?? '', email }
  const erased = startable(() => inTenant({ tenantId }, (tx) => eraseOrders(tx, person)))
  await inTenant({ tenantId }, async (tx) => {
    const [payment] = await listPayments(tx, 'order', [paid.id])
    await lockPayment(tx, payment?.id ?? '')
    erased.startOther()
    await untilBlocked()
    expect(await lockOrder(tx, paid.id)).toMatchObject({ email })
  })
  await erased.done
  expect((await readOrder(tenantId, paid.publicId)).email).not.toBe(email)
})
