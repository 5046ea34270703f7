import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { undoAccess } from '#lib/course/access/change-access.ts'
import { createGroup } from '#lib/course/group/group.ts'
import { changeMembers } from '#lib/course/group/members.ts'
import { accessGrant } from '#lib/course/learning/table.ts'
import { payAgain } from '#lib/offer/checkout/read-order.ts'
import { getOrder } from '#lib/offer/order/card.ts'
import { refundOrder } from '#lib/offer/order/refund.ts'
import { DAY_MS, instantAt, publishedCourse } from '../../../setup/course/groups.ts'
import { answerBank, createSoldOffer, currentGrants, newBuyer, order } from '../../../setup/offer/orders.ts'
import { finishGroup, listMembers } from '../../../setup/parsed/course-group.ts'
import { addTestMember, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

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

async function newGroup(seats: number | null = null): Promise<string> {
  const dates = { startAt: instantAt(DAY_MS), endAt: null, timeZone: 'Europe/Kyiv' }
  return (await createGroup(owner, { courseId, name: 'Осіння', seats, ...dates })).groupId
}
const buy = async (offerId: string, email: string, shownTotal = 150_000) =>
  answerBank(await order(home, offerId, { email, shownTotal }), 'success')
const refund = (orderId: string) =>
  refundOrder(owner, { orderId, amount: 150_000, reason: 'Не підійшло', access: 'endNow' })
const members = async (groupId: string) => (await listMembers(owner, { groupId })).items.map(({ email }) => email)
const grantOfGroup = async (groupId: string) => {
  const [grant] = await inTenant(owner, (tx) =>
    tx
      .select()
      .from(accessGrant)
      .where(and(eq(accessGrant.sourceType, 'group'), eq(accessGrant.sourceId, groupId))),
  )
  return grant
}

test('buyers join the group of the offer with what they have bought, and leave it with a refund', async () => {
  const groupId = await newGroup()
  const offerId = await createSoldOffer(owner, courseId, {
    groupId,
    withCertificate: false,
    accessType: 'days',
    accessDays: 30,
  })
  const email = newBuyer()
  const paid = await buy(offerId, email)
  await answerBank(paid, 'success')
  expect(await members(groupId)).toEqual([email])
  const [ofOrder] = (await currentGrants(home.tenant.id, paid.studentId ?? '')).filter((g) => g.sourceType === 'order')
  expect(await grantOfGroup(groupId)).toMatchObject({ withCertificate: false, endsAt: ofOrder?.endsAt })
  await refund(paid.id)
  expect(await members(groupId)).toEqual([])
  expect(await currentGrants(home.tenant.id, paid.studentId ?? '')).toEqual([])
})

test('a refund leaves the place of another paid order, and one that staff have given', async () => {
  const groupId = await newGroup()
  const offerId = await createSoldOffer(owner, courseId, { groupId })
  const another = await createSoldOffer(owner, courseId, { groupId, name: 'З куратором' })
  const email = newBuyer()
  const first = await buy(offerId, email)
  const second = await buy(another, email)
  await refund(first.id)
  expect(await members(groupId)).toEqual([email])
  await refund(second.id)
  expect(await members(groupId)).toEqual([])
  const student = await addTestMember(home, 'STUDENT', newBuyer())
  await changeMembers(owner, { action: 'add', groupId, studentIds: [student.membershipId] })
  await refund((await buy(offerId, student.email)).id)
  expect(await members(groupId)).toEqual([student.email])
})

describe('a student whom staff have moved to another group', () => {
  const move = (paid: { studentId: string | null }, groupId: string, toGroupId: string) =>
    changeMembers(owner, { action: 'move', groupId, toGroupId, studentIds: [paid.studentId ?? ''] })

  test('has there what was bought, and leaves it with a refund', async () => {
    const [groupId, toGroupId] = [await newGroup(), await newGroup()]
    const bought = { groupId, withCertificate: false, withReview: false, accessType: 'days', accessDays: 30 } as const
    const email = newBuyer()
    const paid = await buy(await createSoldOffer(owner, courseId, bought), email)
    const before = await grantOfGroup(groupId)
    await move(paid, groupId, toGroupId)
    expect([await members(groupId), await members(toGroupId)]).toEqual([[], [email]])
    const { endsAt } = before ?? {}
    expect(await grantOfGroup(toGroupId)).toMatchObject({ endsAt, withCertificate: false, withReview: false })
    await refund(paid.id)
    expect([await members(groupId), await members(toGroupId)]).toEqual([[], []])
    expect(await currentGrants(home.tenant.id, paid.studentId ?? '')).toEqual([])
  })

  test('keeps the other group with the next payment, which moves its end', async () => {
    const [groupId, toGroupId] = [await newGroup(), await newGroup()]
    const terms = { kind: 'installments', installmentCount: 3, groupId } as const
    const email = newBuyer()
    const begun = await buy(await createSoldOffer(owner, courseId, terms), email)
    await move(begun, groupId, toGroupId)
    const before = await grantOfGroup(toGroupId)
    await payAgain({ tenantId: home.tenant.id, address: '10.8.0.3' }, { publicId: begun.publicId, provider: 'sandbox' })
    await answerBank(begun, 'success')
    expect([await members(groupId), await members(toGroupId)]).toEqual([[], [email]])
    const after = await grantOfGroup(toGroupId)
    expect((after?.endsAt?.getTime() ?? 0) - (before?.endsAt?.getTime() ?? 0)).toBeGreaterThan(20 * DAY_MS)
  })

  test('keeps a place there that staff or another paid order have given', async () => {
    const [groupId, toGroupId] = [await newGroup(), await newGroup()]
    const offerId = await createSoldOffer(owner, courseId, { groupId })
    const another = await createSoldOffer(owner, courseId, { groupId, name: 'З куратором' })
    const email = newBuyer()
    const first = await buy(offerId, email)
    const second = await buy(another, email)
    await move(first, groupId, toGroupId)
    await refund(first.id)
    expect([await members(groupId), await members(toGroupId)]).toEqual([[], [email]])
    await refund(second.id)
    expect(await members(toGroupId)).toEqual([])
    const student = await addTestMember(home, 'STUDENT', newBuyer())
    await changeMembers(owner, { action: 'add', groupId: toGroupId, studentIds: [student.membershipId] })
    const third = await buy(offerId, student.email)
    await move(third, groupId, toGroupId)
    await refund(third.id)
    expect(await members(toGroupId)).toEqual([student.email])
  })

  test('is back in the group of the order when the move is undone, and leaves it with a refund', async () => {
    const [groupId, toGroupId] = [await newGroup(), await newGroup()]
    const email = newBuyer()
    const paid = await buy(await createSoldOffer(owner, courseId, { groupId }), email)
    await undoAccess(owner, await move(paid, groupId, toGroupId))
    expect([await members(groupId), await members(toGroupId)]).toEqual([[email], []])
    await refund(paid.id)
    expect(await members(groupId)).toEqual([])
  })
})

describe('a student with two orders for one group', () => {
  const terms = { kind: 'installments', installmentCount: 3 } as const
  const member = { email: '', studentId: '' }
  const orders: Awaited<ReturnType<typeof buy>>[] = []
  let groupId: string
  let offerId: string
  beforeEach(async () => {
    groupId = await newGroup()
    offerId = await createSoldOffer(owner, courseId, { ...terms, groupId })
    const another = await createSoldOffer(owner, courseId, { ...terms, groupId, name: 'З куратором' })
    member.email = newBuyer()
    orders.splice(0, orders.length, await buy(offerId, member.email), await buy(another, member.email))
    member.studentId = orders[0]?.studentId ?? ''
  })
  /** The next payment of both orders: one of them has not given the membership. */
  const payNext = async () => {
    for (const bought of orders) {
      const { tenantId, publicId } = bought
      await payAgain({ tenantId, address: '10.8.0.5' }, { publicId, provider: 'sandbox' })
      expect(await answerBank(bought, 'success')).toMatchObject({ paidAmount: 100_000 })
    }
  }

  test('keeps the group to which staff have moved the student when either of them is paid', async () => {
    const toGroupId = await newGroup()
    await changeMembers(owner, { action: 'move', groupId, toGroupId, studentIds: [member.studentId] })
    const before = await grantOfGroup(toGroupId)
    await payNext()
    expect([await members(groupId), await members(toGroupId)]).toEqual([[], [member.email]])
    const after = await grantOfGroup(toGroupId)
    expect((after?.endsAt?.getTime() ?? 0) - (before?.endsAt?.getTime() ?? 0)).toBeGreaterThan(20 * DAY_MS)
  })

  test('does not return to a group from which staff have removed the student, except by another purchase', async () => {
    await changeMembers(owner, { action: 'remove', groupId, studentIds: [member.studentId] })
    await payNext()
    expect(await members(groupId)).toEqual([])
    await answerBank(await order(home, offerId, { email: member.email, name: 'Олена К.' }), 'success')
    expect(await members(groupId)).toEqual([member.email])
  })
})

test('a student whom staff have removed does not return with the next payment of the order', async () => {
  const groupId = await newGroup()
  const terms = { kind: 'installments', installmentCount: 3, groupId } as const
  const email = newBuyer()
  const begun = await buy(await createSoldOffer(owner, courseId, terms), email)
  const { studentId } = begun
  await changeMembers(owner, { action: 'remove', groupId, studentIds: [studentId ?? ''] })
  const next = { publicId: begun.publicId, provider: 'sandbox' as const }
  await payAgain({ tenantId: home.tenant.id, address: '10.8.0.2' }, next)
  expect(await answerBank(begun, 'success')).toMatchObject({ paidAmount: 100_000 })
  expect(await members(groupId)).toEqual([])
})

test.each(['full', 'finished'] as const)(
  'a %s group takes nobody: the access opens, and the order says so',
  async (state) => {
    const groupId = await newGroup(state === 'full' ? 1 : null)
    const offerId = await createSoldOffer(owner, courseId, { groupId })
    if (state === 'full') await buy(offerId, newBuyer())
    else await finishGroup(owner, { groupId })
    const late = await buy(offerId, newBuyer())
    const grants = await currentGrants(home.tenant.id, late.studentId ?? '')
    expect(grants.map(({ sourceType }) => sourceType)).toEqual(['order'])
    const { timeline } = await getOrder(owner, { orderId: late.id })
    expect(timeline.filter(({ kind }) => kind === 'problem').map(({ text }) => text)).toEqual(['notInGroup'])
  },
)

test('access begins at the date of the offer, and its days are counted from there', async () => {
  const accessFrom = instantAt(10 * DAY_MS)
  const offerId = await createSoldOffer(owner, courseId, { accessFrom, accessType: 'days', accessDays: 7 })
  const paid = await buy(offerId, newBuyer())
  const [grant] = await currentGrants(home.tenant.id, paid.studentId ?? '')
  expect(grant?.startsAt).toEqual(new Date(accessFrom))
  expect(grant?.endsAt).toEqual(new Date(Date.parse(accessFrom) + 7 * DAY_MS))
  // A date that has passed: from the purchase.
  const begun = await createSoldOffer(owner, courseId, { accessFrom: instantAt(-DAY_MS), name: 'Почався' })
  const now = await buy(begun, newBuyer())
  const [current] = await currentGrants(home.tenant.id, now.studentId ?? '')
  expect(Date.now() - (current?.startsAt.getTime() ?? 0)).toBeLessThan(60_000)
})
