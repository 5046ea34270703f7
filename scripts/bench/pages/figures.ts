import pg from 'pg'
import { duel, type Target } from '../duel.ts'
import { overSocket } from '../product.ts'
import { limitRow, type Section } from '../report.ts'
import type { School } from '../schools.ts'
import { statementsOf } from '../speed.ts'
import { type Stage, startCounted } from '../stage.ts'

interface Size {
  viewers: number
  events: number
}

const SMALL: Size = { viewers: 100, events: 5000 }
const BIG: Size = { viewers: 10_000, events: 500_000 }
const TABS = ['overview', 'viewers', 'chat'] as const
/** Maximum number of statements that counts as constant. */
const MOST_STATEMENTS = 16

/** The statistics of an event with 10,000 viewers and 500,000 events compared with those of one with 100. */
export async function eventFigures({ product, big, socketDir }: Stage): Promise<Section> {
  const [little, great] = [await makeEvent(socketDir, big, SMALL), await makeEvent(socketDir, big, BIG)]
  const target = (workshopId: string, tab: string, at = product): Target => ({
    pid: at.pid,
    port: at.port,
    path: `/workshops/statistics/webinar/${workshopId}?tab=${tab}`,
    headers: at.headersFor(big.subdomain, big.ownerToken),
  })
  const rows = []
  for (const tab of TABS) {
    const { ratio } = await duel(target(great.workshopId, tab), target(little.workshopId, tab))
    rows.push(limitRow(`${tab}, cost with 10,000 viewers over that with 100`, 1 / ratio, '', 1.5, 2))
  }
  const counted = await startCounted(socketDir)
  for (const tab of TABS) {
    const { statements } = await statementsOf(counted, target(great.workshopId, tab, counted.product))
    rows.push(limitRow(`${tab}, statements`, statements, '', MOST_STATEMENTS))
  }
  await counted.product.stop()
  return {
    title: 'Numbers of an event',
    note: `500,000 events were counted once, in ${great.seconds.toFixed(0)} s; pages read the stored totals and count only new events.`,
    rows,
  }
}

async function makeEvent(socketDir: string, school: School, size: Size) {
  const client = new pg.Client({ connectionString: overSocket(socketDir) })
  await client.connect()
  const { rows } = await client.query<{ workshop: string; session: string }>(
    'select time_ordered_id() as workshop, time_ordered_id() as session',
  )
  const { workshop: workshopId = '', session: sessionId = '' } = rows[0] ?? {}
  const { tenantId } = school
  await client.query('begin')
  await client.query("select set_config('app.tenant_id', $1, true)", [tenantId])
  await client.query(EVENT, [tenantId, workshopId, sessionId])
  await client.query(PEOPLE, [tenantId, workshopId, sessionId, size.viewers])
  await client.query(LOG, [tenantId, sessionId, size.viewers, size.events])
  await client.query('commit')
  await client.query('analyze')
  await client.end()
  const began = performance.now()
  process.env.DATABASE_URL = overSocket(socketDir)
  const { countSession: rollSession } = await import('#lib/statistics/count-session.ts')
  await rollSession({ tenantId, id: sessionId })
  delete process.env.DATABASE_URL
  return { workshopId, seconds: (performance.now() - began) / 1000 }
}

const EVENT = `
  with made as (
    insert into workshop (tenant_id, id, type, title, time_zone, start_at, publication, settings, created_by)
    select $1::uuid, $2::uuid, 'webinar', 'Великий ефір', 'Europe/Kyiv', now() - interval '1 day', 'published',
      '{}', m.id
      from membership m where m.tenant_id = $1::uuid and m.account_type = 'ACCOUNT_TYPE_PRODUCT_OWNER' limit 1
    returning tenant_id, id, start_at)
  insert into workshop_session (tenant_id, id, workshop_id, kind, start_at, planned_minutes, started_at, finished_at, state)
  select tenant_id, $3::uuid, id, 'live', start_at, 60, start_at, start_at + interval '1 hour', '{}' from made`

const PEOPLE = `
  insert into workshop_participant (tenant_id, id, session_id, workshop_id, kind, name, email)
  select $1::uuid, time_ordered_id(), $3::uuid, $2::uuid, 'guest', 'Глядач ' || n, 'viewer-' || n || '@example.com'
    from generate_series(1, $4::int) n`

// One hour: the start, all viewers join, then messages, visibility changes and clicks distributed evenly, and the end.
const LOG = `
  with people as (
      select id, row_number() over (order by id) - 1 as n from workshop_participant
       where tenant_id = $1::uuid and session_id = $2::uuid),
    session as (select started_at as start from workshop_session where tenant_id = $1::uuid and id = $2::uuid),
    made as (
      select e.n + 1 as seq, case when e.n = 0 then null else p.id end as actor,
        session.start + e.n * interval '1 hour' / $4::int as at,
        case when e.n = 0 then 'webinar.start' when e.n = $4::int - 1 then 'webinar.finish'
          when e.n <= $3::int then 'user.connect' when e.n % 10 = 0 then 'message' when e.n % 10 = 1 then 'user.click'
          else 'window.change' end as type,
        e.n
      from generate_series(0, $4::int - 1) as e (n) cross join session left join people p on p.n = e.n % $3::int),
    said as (
      insert into workshop_event (tenant_id, session_id, seq, at, offset_ms, actor_id, type, payload)
      select $1::uuid, $2::uuid, seq, at, (extract(epoch from at - session.start) * 1000)::int, actor, type,
        case type when 'message' then jsonb_build_object('messageId', time_ordered_id(), 'author', '{"name":"Глядач","role":"viewer"}'::jsonb,
              'text', 'Слово ' || made.n, 'replyTo', null)
          when 'user.click' then jsonb_build_object('buttonId', $2::uuid)
          when 'window.change' then jsonb_build_object('visible', made.n % 4 < 2)
          when 'webinar.finish' then '{"reason":"host"}'::jsonb else '{}'::jsonb end
      from made cross join session
      returning seq, at, offset_ms, actor_id, type, payload),
    chat as (
      insert into meeting_message (tenant_id, session_id, id, seq, at, offset_ms, kind, state, author_id, name, role, text)
      select $1::uuid, $2::uuid, (payload->>'messageId')::uuid, seq, at, offset_ms, 'message', 'shown', actor_id, 'Глядач', 'viewer',
        payload->>'text'
      from said where type = 'message')
  update workshop_session set next_seq = $4::int + 1 where tenant_id = $1::uuid and id = $2::uuid`
