import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTenant, pool } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { eraseOrders } from '#lib/offer/order/erasure.ts'
import { listOrders } from '#lib/offer/order/list.ts'
import { ListOrders } from '#lib/offer/order/order-schema.ts'
import { MAX_SUMMED_ORDERS } from '#lib/offer/report/order-totals.ts'
import { publishedCourse } from '../../../setup/course/groups.ts'
import { createSoldOffer, order } from '../../../setup/offer/orders.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let home: TestTenant
let other: TestTenant
let owner: Actor
let offerId: string
beforeAll(async () => {
  home = await createTestTenant()
  other = await createOtherTenant()
  owner = home.as.OWNER
  offerId = await createSoldOffer(owner, (await publishedCourse(owner)).courseId)
  await order(home, offerId, { name: 'Ганна Їжакевич-Щукіна', email: 'hanna.izh@poshta.test' })
  await order(home, offerId, {
    name: 'Мар’яна Ковальчук',
    email: 'maryana+shop@poshta.test',
    phone: '+38 (067) 123-45-67',
  })
  const gift = { name: 'Зоя Подарована', email: 'zoia@darunok.test', message: '' }
  await order(home, offerId, { name: 'Остап Щедрий', email: 'ostap@poshta.test', phone: '0509876543', gift })
})
afterAll(() => pool.end())

const find = async (q: string, actor = owner) => {
  const { items, totals } = await listOrders(actor, ListOrders.parse({ q }))
  return { names: items.map(({ buyerName }) => buyerName), totals }
}

test.each([
  ['їжак', 'Ганна Їжакевич-Щукіна'],
  ['ЩУКІНА ганна', 'Ганна Їжакевич-Щукіна'],
  ["Мар'яна", 'Мар’яна Ковальчук'],
  ['коваль', 'Мар’яна Ковальчук'],
  ['maryana+shop@poshta.test', 'Мар’яна Ковальчук'],
  ['hanna.izh@', 'Ганна Їжакевич-Щукіна'],
  ['380671234567', 'Мар’яна Ковальчук'],
  ['067 123 45 67', 'Мар’яна Ковальчук'],
  ['671234567', 'Мар’яна Ковальчук'],
  ['80671234567', 'Мар’яна Ковальчук'],
  ['00380671234567', 'Мар’яна Ковальчук'],
  ['+38067123', 'Мар’яна Ковальчук'],
  ['(067) 123-45', 'Мар’яна Ковальчук'],
  ['їжакевич'.normalize('NFD'), 'Ганна Їжакевич-Щукіна'],
  ['+380 (50) 987-65-43', 'Остап Щедрий'],
  ['подарована', 'Остап Щедрий'],
  ['zoia@darunok', 'Остап Щедрий'],
])('%s finds the order of %s', async (q, name) => {
  expect(await find(q)).toMatchObject({ names: [name], totals: [{ count: 1 }] })
})

test.each(['якевич', 'Ганна Ковальчук', '%', '@@', 'їж%', '_', '0671234568', '1234567'])(
  '%s finds nothing',
  async (q) => {
    expect((await find(q)).names).toEqual([])
  },
)

test('another school finds nothing, and its condition uses the index of words', async () => {
  expect((await find('ганна', other.as.OWNER)).names).toEqual([])
  const { rows } = await inTenant(owner, async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`)
    return tx.execute<{ 'QUERY PLAN': string }>(sql`explain select order_id from order_word
      where tenant_id = current_tenant() and word >= 'ганна' and word < 'ганнб'`)
  })
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(
    /Index.*order_word_tenant_id_word_order_id_index[\s\S]*word >=/,
  )
})

test('an erased buyer is not found any more', async () => {
  const email = 'zabuta@poshta.test'
  await order(home, offerId, { name: 'Забута Людина', email, phone: '0631112233' })
  expect((await find('забута')).names).toHaveLength(1)
  const studentId = '00000000-0000-7000-8000-000000000000'
  await inTenant(owner, (tx) => eraseOrders(tx, { studentId, email }))
  expect((await find('забута')).names).toEqual([])
  expect((await find('zabuta')).names).toEqual([])
  expect((await find('0631112233')).names).toEqual([])
})

test('a search that finds too many orders shows them without totals', async () => {
  await inTenant(owner, (tx) =>
    tx.execute(sql`insert into sales_order
      select made.* from generate_series(1, ${MAX_SUMMED_ORDERS + 1}::int) n
      cross join (select s as row from sales_order s where tenant_id = current_tenant() limit 1) template
      cross join lateral jsonb_populate_record(template.row, jsonb_build_object('id', time_ordered_id(), 'number', 1000 + n,
        'public_id', gen_random_uuid(), 'buyer_name', 'Тезка Тезченко', 'email', 'tezka@poshta.test')) made`),
  )
  const { names, totals } = await find('тезка')
  expect(names.length).toBeGreaterThan(10)
  expect(totals).toBeNull()
  expect((await listOrders(owner, ListOrders.parse({ q: '1001' }))).totals).toMatchObject([{ count: 1 }])
})
