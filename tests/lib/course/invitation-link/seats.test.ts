import { afterAll, beforeEach, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { requestJoin } from '#lib/course/invitation-link/join.ts'
import { getSeatUsage } from '#lib/student/list/list.ts'
import { addStudentMembers } from '#lib/user/member.ts'
import { findActor } from '#lib/user/session.ts'
import { setPlan } from '../../../setup/parsed/billing.ts'
import { createCourse } from '../../../setup/parsed/course.ts'
import { createInvitationLink, joinByLink, registerByLink } from '../../../setup/parsed/course-invitation-link.ts'
import { newestEmailTo } from '../../../setup/servers/sent-emails.ts'
import { createTestTenant, createTestUser, PASSWORD } from '../../../setup/tenants.ts'

const caller = { address: '10.7.1.1', userAgent: 'tests', locale: 'uk' } as const

beforeEach(() => pool.query('delete from throttle'))
afterAll(() => pool.end())

/**
 * A school of the plan with 100 students, 99 of which it has, and invitation links to its course. Each person has an own
 * link: those of one link wait for its row.
 */
async function createAlmostFullSchool(links: number) {
  const school = await createTestTenant('Майже повна школа')
  const nextPayment = new Date(Date.now() + 86_400_000)
  await setPlan({ tenantId: school.tenant.id, group: 'lms', plan: 'start', nextPayment, trialEndsAt: null })
  const owner = (await findActor(school.token.OWNER, school.tenant.subdomain)) ?? school.as.OWNER
  const people = Array.from({ length: 98 }, (_, n) => ({
    email: `seat-${n}-${newId()}@link.test`,
    firstName: 'Олена',
    lastName: 'Тест',
    phone: null,
  }))
  await inTenant(owner, (tx) => addStudentMembers(tx, people, 'uk'))
  const { courseId } = await createCourse(owner, { title: 'Ораторство' })
  const opened: { link: string; tenant: string }[] = []
  for (let n = 0; n < links; n += 1) {
    const { url } = await createInvitationLink(owner, { linkId: newId(), courseId })
    const { searchParams } = new URL(url)
    opened.push({ link: searchParams.get('link') ?? '', tenant: searchParams.get('tenant') ?? '' })
  }
  return { school, owner, opened }
}

const tokenOf = async (email: string, tenantId: string) => {
  const { searchParams } = new URL((await newestEmailTo(email, tenantId)).link)
  return { join: searchParams.get('join') ?? '', tenant: searchParams.get('tenant') ?? '' }
}

const register = (token: { join: string; tenant: string }) =>
  registerByLink({ ...token, firstName: 'Ірина', lastName: 'Бондар', password: PASSWORD }, caller)

const isFulfilled = ({ status }: PromiseSettledResult<unknown>) => status === 'fulfilled'

test('the last seat of the plan is taken by one of ten who join and ten who register at the same time', async () => {
  const { school, owner, opened } = await createAlmostFullSchool(20)
  expect(await getSeatUsage(owner)).toEqual({ used: 99, max: 100 })
  const people = opened.map((open, n) => ({ open, email: `person-${n}-${newId()}@link.test` }))
  const joins = await Promise.all(
    people.map(async ({ open, email }, n) => {
      if (n % 2 === 0) {
        const userId = await createTestUser(email)
        return () => joinByLink({ userId }, open)
      }
      await requestJoin({ ...open, email }, caller)
      const token = await tokenOf(email, school.tenant.id)
      return () => register(token)
    }),
  )
  const results = await Promise.allSettled(joins.map((join) => join()))
  expect(results.filter(isFulfilled)).toHaveLength(1)
  for (const result of results) {
    if (result.status === 'rejected') {
      expect(result.reason).toMatchObject({ details: { fields: { form: ['invitation_link_full'] } } })
    }
  }
  expect(await getSeatUsage(owner)).toEqual({ used: 100, max: 100 })
})

test('one person who registers twice at the same time becomes one student', async () => {
  const { school, owner, opened } = await createAlmostFullSchool(1)
  const email = `twice-${newId()}@link.test`
  await requestJoin({ link: '', tenant: '', ...opened[0], email }, caller)
  const token = await tokenOf(email, school.tenant.id)
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => register(token)))
  expect(results.some(isFulfilled)).toBe(true)
  expect(await getSeatUsage(owner)).toEqual({ used: 100, max: 100 })
  const { rows } = await inTenant(owner, (tx) => tx.execute('select use_count from invitation_link'))
  expect(rows).toEqual([{ use_count: 1 }])
})
