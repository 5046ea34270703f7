import { expect, test } from 'vitest'
import { requirePlan, requireWithinLimit } from '#lib/billing/billing.ts'
import { findActor } from '#lib/user/session.ts'
import { setPlan } from '../../setup/parsed/billing.ts'
import { createTestTenant } from '../../setup/tenants.ts'

const DAY = 24 * 3600 * 1000

test('a new school has both groups on trial for 14 days', async () => {
  const { as } = await createTestTenant()
  const { plans } = as.OWNER
  expect(plans.map(({ group, state }) => `${group} ${state}`).sort()).toEqual(['lms current', 'workshop current'])
  for (const plan of plans) {
    const days = (new Date(plan.trialEndsAt ?? 0).getTime() - Date.now()) / DAY
    expect(days).toBeGreaterThan(13.9)
    expect(days).toBeLessThanOrEqual(14)
    expect(plan.nextPayment).toBe(plan.trialEndsAt)
  }
})

test('an assigned plan replaces the one of its group, and applies from the next request', async () => {
  const { tenant, token } = await createTestTenant()
  await setPlan({ tenantId: tenant.id, group: 'lms', plan: 'start', nextPayment: new Date(Date.now() - 8 * DAY) })
  const actor = await findActor(token.OWNER, tenant.subdomain)
  if (!actor) throw new Error('the owner is signed in')
  expect(actor.plans).toHaveLength(2)
  expect(() => requirePlan(actor, 'lms')).toThrow(expect.objectContaining({ code: 'plan_inactive' }))
  expect(() => requirePlan(actor, 'workshop')).not.toThrow()
})

test('the largest plan has no limit of students', async () => {
  const { tenant, token } = await createTestTenant()
  await setPlan({ tenantId: tenant.id, group: 'lms', plan: 'max', nextPayment: new Date(Date.now() + DAY) })
  const actor = await findActor(token.OWNER, tenant.subdomain)
  if (!actor) throw new Error('the owner is signed in')
  expect(() => requireWithinLimit(actor, 'student_count', 1_000_000)).not.toThrow()
})

test('the limit of a plan refuses the first excess item with the numbers', async () => {
  const { as } = await createTestTenant()
  expect(() => requireWithinLimit(as.OWNER, 'student_count', 999)).not.toThrow()
  expect(() => requireWithinLimit(as.OWNER, 'student_count', 1000)).toThrow(
    expect.objectContaining({
      code: 'unprocessable',
      details: {
        fields: { form: ['limit_student_count'] },
        variables: { limit: 'student_count', max: 1000, used: 1000 },
      },
    }),
  )
})
