import { beforeEach, expect, test } from 'vitest'
import { requireWithinLimit } from '#lib/billing/billing.ts'
import { LIMITS, PLAN_OFFERS } from '#lib/billing/plans.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { refusedFields } from '#lib/core/http/api/issues.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { countCourses } from '#lib/course/insert-course.ts'
import { addOriginalBytes } from '#lib/storage/upload/quota.ts'
import { startUpload } from '#lib/storage/upload/upload.ts'
import { addMember, countStudents, findOrCreateUser } from '#lib/user/member.ts'
import { findActor } from '#lib/user/session.ts'
import { requireConferenceLimit } from '#lib/workshop/conference-limit.ts'
import { appendEvents } from '#lib/workshop/session/event-log.ts'
import { countWorkshops } from '#lib/workshop/settings/create.ts'
import { publishedCourse } from '../../setup/course/groups.ts'
import { answerBank, createSoldOffer, order } from '../../setup/offer/orders.ts'
import { setPlan } from '../../setup/parsed/billing.ts'
import { createCourse } from '../../setup/parsed/course.ts'
import { createWorkshop } from '../../setup/parsed/workshop.ts'
import { createTestTenant, type TestTenant } from '../../setup/tenants.ts'
import { describeUpload } from '../../setup/uploads.ts'

const AT_ONCE = 12
const GIGABYTE = 1024 ** 3

let home: TestTenant
let owner: Actor
beforeEach(async () => {
  home = await createTestTenant()
  const nextPayment = new Date(Date.now() + 86_400_000)
  for (const group of ['lms', 'workshop'] as const)
    await setPlan({ tenantId: home.tenant.id, group, plan: 'start', nextPayment, trialEndsAt: null })
  owner = (await findActor(home.token.OWNER, home.tenant.subdomain)) ?? home.as.OWNER
})

/** How many of these creations at the same time succeed, and the fields of the refusals. */
async function race(create: (index: number) => Promise<unknown>) {
  const outcomes = await Promise.allSettled(Array.from({ length: AT_ONCE }, (_, index) => create(index)))
  const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
  const fields = refusals.map((refusal) => (refusal instanceof Refusal ? refusal.details.fields : refusal))
  return {
    succeeded: outcomes.length - refusals.length,
    fields: [...new Set(fields.map((each) => JSON.stringify(each)))],
  }
}

test('the last course is created exactly once', async () => {
  for (const title of ['А', 'Б']) await createCourse(owner, { title })
  const { succeeded, fields } = await race((index) => createCourse(owner, { title: `Курс ${index}` }))
  expect([succeeded, fields]).toEqual([1, ['{"form":["limit_course_count"]}']])
  expect(await inTenant(owner, countCourses)).toBe(3)
})

test('the last place of a student is given by exactly one of many free orders, and a paid one is not refused', async () => {
  const { courseId } = await publishedCourse(owner)
  const free = await createSoldOffer(owner, courseId, { kind: 'free', price: 0 })
  const paid = await createSoldOffer(owner, courseId)
  const bought = await order(home, paid)
  const { tenant } = home
  const max = PLAN_OFFERS.lms.start.student_count ?? 0
  for (let count = await countStudents(tenant.id); count < max - 1; count += 1) {
    const { userId } = await findOrCreateUser({ email: `limit-${count}@places.test` })
    await addMember({ tenantId: tenant.id, userId, accountType: 'ACCOUNT_TYPE_STUDENT', status: 'accepted' })
  }
  const { succeeded, fields } = await race(() => order(home, free, { provider: undefined, shownTotal: 0 }))
  expect([succeeded, fields]).toEqual([1, ['{"form":["order_not_now"]}']])
  expect(await countStudents(tenant.id)).toBe(max)
  expect((await answerBank(bought, 'success')).state).toBe('paid')
})

test('the last event is created exactly once', async () => {
  const create = (index: number) =>
    createWorkshop(owner, { type: 'webinar', title: `Подія ${index}`, timeZone: 'Europe/Kyiv' })
  for (const index of [100, 101]) await create(index)
  const { succeeded, fields } = await race(create)
  expect([succeeded, fields]).toEqual([1, ['{"form":["limit_workshop_count"]}']])
  expect(await inTenant(owner, countWorkshops)).toBe(3)
})

test('one live event at a time starts exactly once', async () => {
  const nextPayment = new Date(Date.now() + 86_400_000)
  await setPlan({ tenantId: home.tenant.id, group: 'workshop', plan: 'max', nextPayment, trialEndsAt: null })
  const many = (await findActor(home.token.OWNER, home.tenant.subdomain)) ?? owner
  const events: { sessionId: string | null }[] = []
  for (let index = 0; index < AT_ONCE; index += 1)
    events.push(await createWorkshop(many, { type: 'webinar', title: `Ефір ${index}`, timeZone: 'Europe/Kyiv' }))
  const { succeeded, fields } = await race((index) =>
    inTenant(owner, async (tx) => {
      await requireConferenceLimit(tx, owner)
      const ref = { tenantId: owner.tenantId, id: events[index]?.sessionId ?? '' }
      await appendEvents(tx, ref, [{ type: 'webinar.start', payload: {} }])
    }),
  )
  expect([succeeded, fields]).toEqual([1, ['{"form":["limit_conference_count"]}']])
})

test('the last free bytes are taken exactly once', async () => {
  const bytes = new TextEncoder().encode('останні')
  const used = 40 * GIGABYTE - bytes.length
  await inTenant(owner, (tx) => addOriginalBytes(tx, owner.tenantId, used))
  const described = await describeUpload('Файл.txt', bytes)
  const { succeeded, fields } = await race(() => startUpload(owner, described))
  expect([succeeded, fields]).toEqual([1, ['{"file":["storage_full"]}']])
})

test('each message names the limit, the usage and who can raise it, in both languages', () => {
  for (const limit of LIMITS) {
    let refused: unknown
    try {
      requireWithinLimit({ plans: [], addOns: [] }, limit, 7)
    } catch (error) {
      refused = error
    }
    if (!(refused instanceof Refusal)) throw new Error(`${limit} was not refused`)
    expect(refusedFields(getTranslator('uk'), refused).form?.[0], limit).toMatch(/(?:0.*7|7.*0).*власника школи/)
    expect(refusedFields(getTranslator('en'), refused).form?.[0], limit).toMatch(/7.*school’s owner/)
  }
})
