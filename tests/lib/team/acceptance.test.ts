import { afterAll, expect, test } from 'vitest'
import { pool } from '#lib/core/db/db.ts'
import { registerMember } from '#lib/team/acceptance.ts'
import { RegisterMember } from '#lib/team/schema.ts'
import { getTeam } from '#lib/team/team.ts'
import { teamAssignments } from '#lib/team-assignments.ts'
import { findActor } from '#lib/user/session.ts'
import { setPlan } from '../../setup/parsed/billing.ts'
import { inviteMember } from '../../setup/parsed/team.ts'
import { newestEmailTo } from '../../setup/servers/sent-emails.ts'
import { addTestMember, createTestTenant, PASSWORD, type TestTenant } from '../../setup/tenants.ts'

afterAll(() => pool.end())

const caller = { address: '10.6.1.1', userAgent: 'tests', locale: 'uk' } as const

async function choosePlan(school: TestTenant, plan: 'start' | 'pro' | 'max') {
  const nextPayment = new Date(Date.now() + 86_400_000)
  for (const group of ['lms', 'workshop'] as const) {
    await setPlan({ tenantId: school.tenant.id, group, plan, nextPayment })
  }
  return (await findActor(school.token.OWNER, school.tenant.subdomain)) ?? school.as.OWNER
}

async function accept(school: TestTenant, email: string) {
  const { searchParams } = new URL((await newestEmailTo(email, school.tenant.id)).link)
  const person = { firstName: 'Ірина', lastName: 'Бондар', password: PASSWORD }
  const input = RegisterMember.parse({ ...Object.fromEntries(searchParams), ...person })
  return registerMember(input, { ...caller, host: school.tenant.subdomain })
}

test('twenty acceptances at once take the last seat of a smaller plan exactly once', async () => {
  const school = await createTestTenant('Менша школа')
  const large = await choosePlan(school, 'max')
  const emails = Array.from({ length: 20 }, (_, n) => `rush${n}-${school.tenant.subdomain}@accept.test`)
  for (const email of emails) await inviteMember(large, { email }, teamAssignments)
  const accepted = (await getTeam(large)).members.filter(({ status }) => status !== 'invited').length
  const owner = await choosePlan(school, 'pro')
  for (let seat = accepted; seat < 9; seat += 1) await addTestMember(school, 'CURATOR', `seat${seat}@accept.test`)
  const results = await Promise.allSettled(emails.map((email) => accept(school, email)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const result of results) {
    if (result.status === 'rejected') {
      expect(result.reason).toMatchObject({
        code: 'unprocessable',
        details: { fields: { form: ['limit_manager_count'] }, variables: { max: 10, used: 10 } },
      })
    }
  }
  const { members } = await getTeam(owner)
  expect(members.filter(({ status }) => status === 'active')).toHaveLength(10)
  expect(members.filter(({ status }) => status === 'invited')).toHaveLength(19)
})

test('one invitation that is accepted twice at the same time takes one seat', async () => {
  const school = await createTestTenant('Подвійна школа')
  const owner = await choosePlan(school, 'max')
  const email = `twice-${school.tenant.subdomain}@accept.test`
  const { memberId } = await inviteMember(owner, { email }, teamAssignments)
  const { used } = (await getTeam(owner)).seats
  await Promise.allSettled([accept(school, email), accept(school, email)])
  const team = await getTeam(owner)
  expect(team.seats.used).toBe(used)
  expect(team.members.filter(({ id }) => id === memberId)).toMatchObject([{ status: 'active' }])
})
