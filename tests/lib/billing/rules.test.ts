import { expect, test } from 'vitest'
import { limitOf, PLAN_OFFERS } from '#lib/billing/plans.ts'
import { canManageBilling, canWriteInPlan } from '#lib/billing/rules.ts'
import type { PlanView } from '#lib/core/shared/plan.ts'
import { isPlanActive } from '#lib/core/shared/plan.ts'
import { ROLES } from '#lib/core/shared/role.ts'

const now = new Date('2026-11-21T12:00:00Z')
const plan = (change: Partial<PlanView> = {}): PlanView => ({
  group: 'lms',
  state: 'current',
  plan: 'start',
  period: 'month',
  nextPayment: '2026-12-01T00:00:00.000Z',
  trialEndsAt: null,
  ...change,
})

test('a plan is active while its next payment is in the future', () => {
  expect(isPlanActive([plan()], 'lms', now)).toBe(true)
  for (const nextPayment of ['2026-11-21T12:00:00.000Z', '2026-11-01T00:00:00.000Z', null]) {
    expect(isPlanActive([plan({ nextPayment })], 'lms', now)).toBe(false)
  }
  expect(isPlanActive([plan()], 'workshop', now)).toBe(false)
  expect(isPlanActive([plan({ state: 'pending' })], 'lms', now)).toBe(false)
})

test('staff write while the plan is active, students always', () => {
  const lapsed = [plan({ nextPayment: null })]
  const staff = (plans: PlanView[]) => ({ accountType: 'ACCOUNT_TYPE_TEAM_MEMBER', plans }) as const
  expect(canWriteInPlan(staff([plan()]), 'lms', now)).toEqual({ allow: true, reason: 'plan_active' })
  expect(canWriteInPlan(staff(lapsed), 'lms', now)).toEqual({ allow: false, reason: 'plan_inactive' })
  expect(canWriteInPlan({ accountType: 'ACCOUNT_TYPE_STUDENT', plans: lapsed }, 'lms', now)).toEqual({
    allow: true,
    reason: 'student',
  })
})

test('only the owner manages what the school pays for', () => {
  expect(ROLES.filter((role) => canManageBilling({ roles: [role] }).allow)).toEqual(['OWNER'])
  expect(canManageBilling({ roles: ['OWNER'] }).reason).toBe('owner')
  expect(canManageBilling({ roles: ['DIRECTOR'] })).toEqual({ allow: false, reason: 'owner_only' })
})

test('limits are the larger of two plans; storage and purchased additions are summed', () => {
  const both = [plan(), plan({ group: 'workshop', plan: 'pro' })]
  const school = { plans: both, addOns: [] }
  expect(limitOf(school, 'manager_count', now)).toBe(10)
  expect(limitOf(school, 'disc', now)).toBe(120)
  expect(limitOf(school, 'student_count', now)).toBe(100)
  expect(limitOf({ plans: [], addOns: [] }, 'student_count', now)).toBe(0)
  expect(limitOf({ plans: [plan({ plan: 'max' })], addOns: [] }, 'student_count', now)).toBeNull()
  const addOns = [
    { limit: 'disc', quantity: 50, nextPayment: '2026-12-01T00:00:00.000Z' },
    { limit: 'disc', quantity: 50, nextPayment: '2026-11-01T00:00:00.000Z' },
  ]
  expect(limitOf({ plans: both, addOns }, 'disc', now)).toBe(170)
})

test('a more expensive plan never allows less', () => {
  for (const plans of Object.values(PLAN_OFFERS)) {
    for (const [less, more] of [
      [plans.start, plans.pro],
      [plans.pro, plans.max],
    ] as const) {
      for (const [limit, value] of Object.entries(less)) {
        const dearer = Object.entries(more).find(([name]) => name === limit)?.[1]
        if (typeof value === 'number' && typeof dearer === 'number') expect(dearer).toBeGreaterThanOrEqual(value)
      }
    }
  }
})
