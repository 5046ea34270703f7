import type pg from 'pg'
import { makeStudents } from '../schools.ts'
import { runProgram } from '../students/program.ts'

/** The name of as many buyers in each school, more than a page shows. */
export const RARE_NAME = 'Ярина Бондар'
const NAMESAKES = 80

/** The key of the installation: a separate process signs the callbacks. */
export const SECRET_KEY = 'the-key-of-the-measured-installation'

interface SignedCallback {
  body: string
  headers: Record<string, string>
}

export interface SalesSchool {
  subdomain: string
  tenantId: string
  ownerToken: string
  courseId: string
  offerId: string
  /** The callbacks of the payments that wait, signed. */
  callbacks: SignedCallback[]
}

/** Orders of a school over a year, a tenth of them expired, and further ones of its students that wait for the payment. */
interface SalesSize {
  subdomain: string
  students: number
  orders: number
  waiting: number
}

/**
 * Fills a school with orders in bulk: copies of an order of each offer that was placed by the product itself. A lateral
 * join, because `(record).*` would compute the record once for each column.
 */
export async function makeSalesSchool(client: pg.Client, database: string, size: SalesSize): Promise<SalesSchool> {
  const { subdomain, students, orders, waiting } = size
  await client.query('begin')
  const { tenantId, ownerToken } = await makeStudents(client, { subdomain, courses: 20, students })
  await client.query("select set_config('app.restoring', '', true)")
  await client.query('commit')
  const run = <Result>(action: string) =>
    runProgram<Result>('../sales/sales-program.ts', database, [action, subdomain, ownerToken], { SECRET_KEY })
  const offer = await run<{ courseId: string; offerId: string }>('offers')
  await client.query('begin')
  await client.query("select set_config('app.tenant_id', $1, true), set_config('app.restoring', 'on', true)", [
    tenantId,
  ])
  await client.query(ORDERS, [tenantId, orders, students])
  await client.query(WAITING_ORDERS, [tenantId, waiting, orders, students])
  await client.query(WORDS, [tenantId])
  await client.query(PAYMENTS, [tenantId])
  await client.query(COUNTER, [tenantId])
  await client.query("select set_config('app.restoring', '', true)")
  await client.query('select rebuild_sales_rollups()')
  await client.query('commit')
  const callbacks = await run<SignedCallback[]>('callbacks')
  return { subdomain, tenantId, ownerToken, ...offer, callbacks }
}

const WORDS = `
  insert into order_word (tenant_id, order_id, word)
  select o.tenant_id, o.id, word from sales_order o, order_words(o.buyer_name, o.email, o.phone, o.recipient_name, o.recipient_email) word
  where o.tenant_id = $1::uuid and o.number > 10`

const TEMPLATES = `templates as (
    select o as row, row_number() over (order by o.number) - 1 as index from sales_order o where tenant_id = $1::uuid and number <= 10),
  students as (
    select m.id, u.email, row_number() over (order by m.id) - 1 as index
    from membership m join "user" u on u.id = m.user_id
    where m.tenant_id = $1::uuid and m.account_type = 'ACCOUNT_TYPE_STUDENT')`

const ORDERS = `
  with ${TEMPLATES},
  coupons as (select id, row_number() over (order by code) as index from coupon where tenant_id = $1::uuid)
  insert into sales_order
  select made.*
  from generate_series(1, $2::int) n
  cross join lateral (select now() - interval '364 days' + n * interval '363 days' / $2::int as at) moment
  join templates on templates.index = n % 10
  join students on students.index = n % $3::int
  left join coupons on coupons.index = n % 7
  cross join lateral jsonb_populate_record(templates.row, jsonb_build_object('id', time_ordered_id(), 'number', 10 + n,
    'public_id', gen_random_uuid(), 'email', 'b' || n || '@bench.test',
    'buyer_name', case when n % greatest(1, $2::int / ${NAMESAKES}) = 0 then '${RARE_NAME}' else 'Покупець ' || n % 997 end,
    'student_id', students.id, 'coupon_id', coupons.id, 'created_at', at,
    'paid_at', case when n % 10 > 0 then at end, 'paid_amount', case when n % 10 > 0 then (templates.row).amount else 0 end,
    'state', case when n % 10 > 0 then 'paid' else 'expired' end, 'expires_at', null,
    'source', case when n % 5 = 0 then '{}'::jsonb else jsonb_build_object('utm_source', 'source-' || n % 5) end)) made`

/** One for each student. */
const WAITING_ORDERS = `
  with ${TEMPLATES}
  insert into sales_order
  select made.*
  from generate_series(1, $2::int) n
  join templates on templates.index = n % 10
  join students on students.index = n % $4::int
  cross join lateral jsonb_populate_record(templates.row, jsonb_build_object('id', time_ordered_id(), 'number', 10 + $3::int + n,
    'public_id', gen_random_uuid(), 'email', students.email, 'student_id', students.id,
    'created_at', now() - interval '1 hour' + n * interval '1 millisecond', 'expires_at', now() + interval '2 days')) made`

const PAYMENTS = `
  with template as (select p as row from payment p where tenant_id = $1::uuid limit 1)
  insert into payment
  select made.*
  from template
  join sales_order o on o.tenant_id = $1::uuid and o.number > 10 and o.state in ('paid', 'awaiting_payment')
  cross join lateral jsonb_populate_record(template.row, jsonb_build_object('id', time_ordered_id(), 'purpose_id', o.id,
    'amount', o.amount, 'status', case when o.state = 'paid' then 'success' else 'new' end, 'paid_at', o.paid_at,
    'created_at', o.created_at, 'next_poll_at', null)) made`

const COUNTER = `
  update order_counter set last = (select max(number) from sales_order where tenant_id = $1::uuid) where tenant_id = $1::uuid`
