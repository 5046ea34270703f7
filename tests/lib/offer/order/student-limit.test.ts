import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { leaveAddress, listRefusedSales, purgeRefusedSales } from '#lib/offer/checkout/refused-sale.ts'
import { eraseOrders } from '#lib/offer/order/erasure.ts'
import { refusedSale } from '#lib/offer/order/table.ts'
import { publishedCourse } from '../../../setup/course/groups.ts'
import { createSoldOffer, newBuyer, order } from '../../../setup/offer/orders.ts'
import { setPlan } from '../../../setup/parsed/billing.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

const LIMIT = 100
const MARGIN = 10

let home: TestTenant
let other: TestTenant
let owner: Actor
let paid: string
let free: string
beforeAll(async () => {
  home = await createTestTenant()
  other = await createOtherTenant()
  owner = home.as.OWNER
  const { courseId } = await publishedCourse(owner)
  paid = await createSoldOffer(owner, courseId)
  free = await createSoldOffer(owner, courseId, { kind: 'free', price: 0 })
  await setPlan({ tenantId: home.tenant.id, group: 'lms', plan: 'start', nextPayment: new Date(Date.now() + 1e9) })
  await addStudents(LIMIT)
})
afterAll(() => pool.end())

/** Adds students until there are `count`. */
const addStudents = (count: number) =>
  inTenant({ tenantId: home.tenant.id }, (tx) =>
    tx.execute(`with present as (select count(*)::int as n from membership where account_type = 'ACCOUNT_TYPE_STUDENT'),
      people as (insert into "user" (id, email) select gen_random_uuid(), 'n' || n || '-${count}@limit.test'
        from generate_series(1, ${count} - (select n from present)) n returning id)
      insert into membership (tenant_id, id, user_id, account_type, status)
      select '${home.tenant.id}', gen_random_uuid(), id, 'ACCOUNT_TYPE_STUDENT', 'invited' from people`),
  )
const NOT_NOW = { code: 'unprocessable', details: { fields: { form: ['order_not_now'] } } }
const notifications = async () => {
  const { rows } = await inTenant(owner, (tx) =>
    tx.execute<{ subject: string }>(
      `select data ->> 'subject' as subject from notification where kind = 'sales_refused' and member_id = '${owner.membershipId}'`,
    ),
  )
  return rows.map(({ subject }) => subject)
}

test('buyers who pay are admitted above the limit, and those beyond the margin are counted for the owner', async () => {
  await expect(order(home, paid)).resolves.toMatchObject({ state: 'awaiting_payment' })
  expect(await notifications()).toEqual([])
  await addStudents(LIMIT + MARGIN)
  const email = newBuyer()
  for (const buyer of [email, email, newBuyer()])
    await expect(order(home, paid, { email: buyer })).rejects.toMatchObject(NOT_NOW)
  await expect(order(home, free, { shownTotal: 0 })).rejects.toMatchObject(NOT_NOW)
  expect(await notifications()).toEqual(['3'])
  expect((await listRefusedSales(owner)).map((sale) => sale.email)).toEqual(['', '', ''])
  await leaveAddress(home.tenant.id, { offerId: paid, name: 'Олена Коваль', email })
  expect((await listRefusedSales(owner)).map((sale) => sale.email)).toContain(email)
})

test('only buyers who were refused leave an address, and another school sees none', async () => {
  await expect(
    leaveAddress(home.tenant.id, { offerId: paid, name: 'Хтось', email: 'victim@elsewhere.test' }),
  ).rejects.toMatchObject({ code: 'not_found' })
  expect(await listRefusedSales(other.as.OWNER)).toEqual([])
  expect(() => listRefusedSales(home.as.CURATOR)).toThrow()
})

test('addresses are deleted with the personal data of their person, and after half a year', async () => {
  const [erased, old, kept] = [newBuyer(), newBuyer(), newBuyer()]
  const leave = async (email: string) => {
    await expect(order(home, paid, { email })).rejects.toMatchObject(NOT_NOW)
    await leaveAddress(home.tenant.id, { offerId: paid, name: 'Олена Коваль', email })
  }
  for (const email of [erased, old, kept]) await leave(email)
  const addresses = async () => (await listRefusedSales(owner)).map(({ email }) => email)
  await inTenant(owner, (tx) => eraseOrders(tx, { studentId: newId(), email: erased }))
  expect(await addresses()).not.toContain(erased)
  await inTenant(owner, (tx) =>
    tx
      .update(refusedSale)
      .set({ createdAt: new Date(Date.now() - 181 * DAY_MS) })
      .where(eq(refusedSale.email, old)),
  )
  expect(await purgeRefusedSales()).toBe(1)
  expect(await addresses()).not.toContain(old)
  expect(await addresses()).toContain(kept)
})
