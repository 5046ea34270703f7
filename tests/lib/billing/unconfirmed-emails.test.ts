import { beforeAll, expect, test } from 'vitest'
import { spendDailyEmails } from '#lib/billing/daily-emails.ts'
import { countUnconfirmedEmail } from '#lib/billing/unconfirmed-emails/unconfirmed-emails.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let school: TestTenant
let otherSchool: TestTenant
beforeAll(async () => {
  school = await createTestTenant()
  otherSchool = await createTestTenant()
})

const message = (school: TestTenant, to: string, address: string) =>
  countUnconfirmedEmail(school.tenant.id, { kind: 'message', to, address })

test('a recipient and a network count over all schools', async () => {
  for (let n = 0; n < 3; n += 1) await message(n % 2 ? school : otherSchool, 'same@budget.test', `192.0.2.${n}`)
  await expect(message(otherSchool, 'same@budget.test', '192.0.2.9')).rejects.toMatchObject({
    code: 'too_many',
    details: { fields: { form: ['emails_exhausted'] } },
  })
  for (let n = 0; n < 20; n += 1) await message(n % 2 ? school : otherSchool, `other-${n}@budget.test`, '2001:db8::1')
  // IPv6 addresses count by their first 64 bits.
  await expect(message(school, 'last@budget.test', '2001:db8::2')).rejects.toMatchObject({ code: 'too_many' })
})

test('a school on a trial sends twenty messages a day to others', async () => {
  const trial = await createTestTenant()
  for (let n = 0; n < 20; n += 1) await message(trial, `friend-${n}@budget.test`, `203.0.113.${n}`)
  await expect(message(trial, 'friend@budget.test', '203.0.113.99')).rejects.toMatchObject({ code: 'too_many' })
})

test('trial schools of one network share a budget of invitations', async () => {
  const spend = (school: TestTenant, amount: number) => {
    const sender = { ...school.as.OWNER, address: '198.51.100.20' }
    return inTenant(sender, (tx) => spendDailyEmails(tx, sender, 'invitations', amount, { allowsPartial: true }))
  }
  expect((await spend(school, 100)).granted).toBe(100)
  expect((await spend(otherSchool, 100)).granted).toBe(100)
  const third = await createTestTenant()
  expect((await spend(third, 1)).granted).toBe(0)
  const sender = { ...third.as.OWNER, address: '198.51.100.20' }
  await expect(inTenant(sender, (tx) => spendDailyEmails(tx, sender, 'invitations', 1))).rejects.toMatchObject({
    code: 'too_many',
  })
})
