import { beforeAll, expect, test } from 'vitest'
import { getBilling } from '#lib/billing/overview.ts'
import { canManageBilling } from '#lib/billing/rules.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { ROLES } from '#lib/core/shared/role.ts'
import { planUsage } from '#lib/plan-usage.ts'
import { addOriginalBytes } from '#lib/storage/upload/quota.ts'
import { setPlan } from '../../setup/parsed/billing.ts'
import { createCourse } from '../../setup/parsed/course.ts'
import { createWorkshop } from '../../setup/parsed/workshop.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const DAY = 24 * 3600 * 1000

let home: TestTenant
beforeAll(async () => {
  home = await createTestTenant()
})

const usageOf = async ({ as }: TestTenant) =>
  Object.fromEntries((await getBilling(as.OWNER, planUsage)).usage.map(({ limit, ...numbers }) => [limit, numbers]))

test('only the owner may see what the school pays for', async () => {
  for (const role of ROLES) {
    expect(canManageBilling(home.as[role]).allow, role).toBe(role === 'OWNER')
    if (role !== 'OWNER')
      await expect(getBilling(home.as[role], planUsage), role).rejects.toMatchObject({ code: 'forbidden' })
  }
})

test('the usage counts the objects of the school, and not those of another one', async () => {
  const other = await createOtherTenant()
  await createCourse(home.as.OWNER, { title: 'Курс' })
  await createWorkshop(home.as.OWNER, { type: 'webinar', title: 'Ефір', timeZone: 'Europe/Kyiv' })
  await inTenant(home.as.OWNER, (tx) => addOriginalBytes(tx, home.tenant.id, 3 * 1024 ** 3))
  expect(await usageOf(home)).toEqual({
    student_count: { used: 1, max: 1000 },
    course_count: { used: 1, max: 30 },
    mentor_program_count: { used: 0, max: 10 },
    workshop_count: { used: 1, max: 20 },
    conference_count: { used: 0, max: 2 },
    viewer_count: { used: 0, max: 300 },
    manager_count: { used: 8, max: 10 },
    disc: { used: 3, max: 300 },
  })
  expect(await usageOf(other)).toMatchObject({
    course_count: { used: 0 },
    workshop_count: { used: 0 },
    disc: { used: 0 },
  })
})

test('a plan is on trial, active or not active', async () => {
  const school = await createTestTenant()
  const phases = async () => (await getBilling(school.as.OWNER, planUsage)).groups.map(({ phase }) => phase)
  expect(await phases()).toEqual(['trial', 'trial'])
  const later = new Date(Date.now() + DAY)
  await setPlan({ tenantId: school.tenant.id, group: 'lms', plan: 'start', nextPayment: later })
  await setPlan({
    tenantId: school.tenant.id,
    group: 'workshop',
    plan: 'max',
    nextPayment: new Date(Date.now() - 30 * DAY),
  })
  expect(await phases()).toEqual(['active', 'inactive'])
  const { student_count, workshop_count } = await usageOf(school)
  expect([student_count?.max, workshop_count?.max]).toEqual([100, null])
})
