import { beforeEach, expect, test } from 'vitest'
import { requirePlan } from '#lib/billing/billing.ts'
import { sendBillingNotices } from '#lib/billing/notices.ts'
import { getBilling } from '#lib/billing/overview.ts'
import { checkRouteAccess } from '#lib/core/access/route-access.ts'
import { findRoute } from '#lib/core/access/routes.ts'
import { saveNotificationSettings } from '#lib/notification/settings/settings.ts'
import { planUsage } from '#lib/plan-usage.ts'
import { findActor } from '#lib/user/session.ts'
import { whileRowsFail } from '../../setup/failing-rows.ts'
import { listNotifications } from '../../setup/notification.ts'
import { setPlan } from '../../setup/parsed/billing.ts'
import { listEmailsTo } from '../../setup/servers/sent-emails.ts'
import { createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const DAY = 24 * 3600 * 1000

let home: TestTenant
beforeEach(async () => {
  home = await createTestTenant()
})

const setUntil = (days: number, change: object = {}) =>
  setPlan({
    tenantId: home.tenant.id,
    group: 'lms',
    plan: 'start',
    nextPayment: new Date(Date.now() + days * DAY),
    ...change,
  })
async function owner() {
  const actor = await findActor(home.token.OWNER, home.tenant.subdomain)
  if (!actor) throw new Error('the owner is signed in')
  return actor
}
const subjects = async () => (await listEmailsTo(home.as.OWNER.email, home.tenant.id)).map(({ subject }) => subject)

test('an unpaid plan works for seven days with a notice, then it is read-only until it is paid', async () => {
  const students = findRoute('/students')
  if (!students) throw new Error('the page has a route')
  await setUntil(-6)
  const inGrace = await owner()
  expect(() => requirePlan(inGrace, 'lms')).not.toThrow()
  expect(checkRouteAccess(inGrace, students, new Date())).toMatchObject({
    notice: { kind: 'plan_past_due', group: 'lms' },
  })
  expect((await getBilling(inGrace, planUsage)).groups[0]).toMatchObject({ phase: 'pastDue' })
  await setUntil(-8)
  const late = await owner()
  expect(() => requirePlan(late, 'lms')).toThrow(expect.objectContaining({ code: 'plan_inactive' }))
  expect(() => requirePlan(home.as.STUDENT, 'lms')).not.toThrow()
  expect(checkRouteAccess(late, students, new Date())).toMatchObject({ notice: { kind: 'plan_inactive' } })
  await setUntil(30)
  expect(() => requirePlan(home.as.OWNER, 'lms')).not.toThrow()
  expect(checkRouteAccess(await owner(), students, new Date())).toEqual({ kind: 'allow' })
})

test('a trial has no days of grace', async () => {
  await setUntil(-1, { trialEndsAt: new Date(Date.now() - DAY) })
  const actor = await owner()
  expect(() => requirePlan(actor, 'lms')).toThrow(expect.objectContaining({ code: 'plan_inactive' }))
})

test('the owner gets one email at 80 and one at 100 % of a limit', async () => {
  await setUntil(30, { plan: 'max' })
  let students = 79
  const counters = { student_count: async () => students }
  await setUntil(30)
  await sendBillingNotices(counters)
  expect(await subjects()).toEqual([])
  students = 80
  await sendBillingNotices(counters)
  await sendBillingNotices(counters)
  expect(await subjects()).toEqual(['Використано понад 80 % ліміту: Студенти'])
  students = 100
  await sendBillingNotices(counters)
  await sendBillingNotices(counters)
  expect(await subjects()).toEqual(['Ліміт тарифу вичерпано: Студенти', 'Використано понад 80 % ліміту: Студенти'])
})

test('a notice of one plan that fails stops neither the other plan nor the limits', async () => {
  const until = new Date(Date.now() + 2 * DAY)
  for (const group of ['lms', 'workshop'] as const)
    await setPlan({ tenantId: home.tenant.id, group, plan: 'start', nextPayment: until })
  const value = `billing/${home.tenant.id}/due/lms/${until.toISOString()}`
  await whileRowsFail({ table: 'mail', column: 'once_key', value }, async () => {
    await expect(sendBillingNotices({ student_count: async () => 80 })).rejects.toThrow('1 of 3 items failed')
  })
  const others = [expect.stringMatching(/^Використано понад 80/), 'Скоро наступний платіж за тариф «Події»']
  expect((await subjects()).sort()).toEqual(others)
  await sendBillingNotices({})
  expect(await subjects()).toContain('Скоро наступний платіж за тариф «Навчання»')
})

test('the owner is reminded of a payment three days before, and when it is overdue, once each', async () => {
  await setUntil(5)
  await sendBillingNotices({})
  expect(await subjects()).toEqual([])
  await setUntil(2)
  await sendBillingNotices({})
  await sendBillingNotices({})
  expect(await subjects()).toEqual(['Скоро наступний платіж за тариф «Навчання»'])
  await setUntil(-2)
  await sendBillingNotices({})
  await sendBillingNotices({})
  expect((await subjects())[0]).toBe('Тариф «Навчання» не сплачено')
  expect(await subjects()).toHaveLength(2)
})

test('a limit is a notification of the owner, who may turn its email off; payments are always emailed', async () => {
  const counters = { student_count: async () => 100 }
  await setUntil(2)
  await saveNotificationSettings(home.as.OWNER, {
    preferences: [{ topic: 'plan', channel: 'email', frequency: 'off' }],
    quiet: null,
    dailyCap: 10,
  })
  await sendBillingNotices(counters)
  await sendBillingNotices(counters)
  const { items } = await listNotifications(home.as.OWNER, {})
  expect(items).toMatchObject([{ kind: 'plan_limit100', data: { subject: 'Студенти' }, link: '/billing', count: 1 }])
  expect((await listNotifications(home.as.DIRECTOR, {})).items).toEqual([])
  expect(await subjects()).toEqual(['Скоро наступний платіж за тариф «Навчання»'])
})
