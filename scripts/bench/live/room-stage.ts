import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import pg from 'pg'
import { atEnd, type Child, freePort, run, temporary, untilListening } from '../processes.ts'
import { DOMAIN, overSocket, ROOT, startArguments } from '../product.ts'
import { makeSchool, type School } from '../schools.ts'

/** A separate installation with events, because it is killed during the measurement. */
export interface RoomStage {
  port: number
  host: string
  school: School
  /** An event with registered people: their personal keys. */
  event(people: number): Promise<RoomEvent>
  /** Kills the process and starts another one. */
  restart(): Promise<void>
  pid(): number
}

export interface RoomEvent {
  workshopId: string
  sessionId: string
  pollId: string
  keys: string[]
}

export async function setRoomStage(): Promise<RoomStage> {
  const { startEmbedded } = await import('#lib/core/db/embedded.ts')
  const embedded = await startEmbedded(temporary('room-pg'))
  atEnd(embedded.stop)
  const databaseUrl = overSocket(embedded.socketDir)
  const [port, dataDir] = [await freePort(), temporary('room-data')]
  const start = async (): Promise<Child> => {
    const child = run(ROOT, [...startArguments(ROOT), '--empty'], {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      LOG_LEVEL: 'warn',
      API_RATE: '1000000000',
      STREAMS_PER_ADDRESS: '1000000',
      BASE_DOMAIN: DOMAIN,
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
    })
    await untilListening(child, port)
    await untilReady(port)
    return child
  }
  let child = await start()
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const school = await makeSchool(client, { subdomain: 'zala', courses: 5, students: 200 })
  atEnd(() => client.end())
  return {
    port,
    host: `${school.subdomain}.${DOMAIN}:${port}`,
    school,
    event: (people) => makeEvent(client, school, people),
    pid: () => child.pid,
    async restart() {
      process.kill(child.pid, 'SIGKILL')
      // Until its last thread has ended, the process accepts connections that it never responds to.
      while (fs.existsSync(`/proc/${child.pid}`)) await new Promise((resolve) => setTimeout(resolve, 5))
      child = await start()
    },
  }
}

async function untilReady(port: number): Promise<void> {
  while (!(await isReady(port))) await new Promise((resolve) => setTimeout(resolve, 20))
}

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(5000) }).then(
    ({ ok }) => ok,
    () => false,
  )

async function makeEvent(client: pg.Client, { tenantId }: School, people: number): Promise<RoomEvent> {
  const keys = Array.from({ length: people }, () => randomBytes(18).toString('base64url'))
  const digests = keys.map((key) => createHash('sha256').update(key).digest('base64url'))
  const { rows } = await client.query<Record<'workshop' | 'session' | 'poll', string>>(
    'select time_ordered_id() as workshop, time_ordered_id() as session, time_ordered_id() as poll',
  )
  const { workshop: workshopId = '', session: sessionId = '', poll: pollId = '' } = rows[0] ?? {}
  await client.query('begin')
  await client.query("select set_config('app.tenant_id', $1, true)", [tenantId])
  await client.query(EVENT, [tenantId, workshopId, sessionId, pollId])
  await client.query(PEOPLE, [tenantId, workshopId, digests])
  await client.query('commit')
  await client.query('analyze')
  return { workshopId, sessionId, pollId, keys }
}

const SETTINGS = `'{"form":{"phone":"off","questions":[],"approval":"auto","seats":null,"waitlist":true,"marketing":true},
  "splash":{"before":{"text":"","fileId":null},"after":{"text":"","fileId":null},"lost":{"text":"","fileId":null}},
  "chat":{"mode":"open","beforeStart":true,"links":"staff","slowModeSeconds":0,"badWords":[]},"record":false,
  "replay":{"enabled":true,"days":30,"seek":true,"chat":true},"sourceUrl":"","letters":{},"captions":"off","guests":[]}'::jsonb`

const STATE = `jsonb_build_object('phase', 'waiting', 'startedAt', null, 'finishedAt', null, 'mode', 'broadcast',
  'slide', jsonb_build_object('fileId', null, 'page', 1), 'buttons', '[]'::jsonb, 'handouts', '[]'::jsonb, 'poll', null,
  'pinned', '[]'::jsonb, 'answering', null, 'chat', (${SETTINGS})->'chat', 'onAir', '[]'::jsonb, 'hostLostAt', null)`

const EVENT = `
  with owner as (
    select id from membership where tenant_id = $1::uuid and account_type = 'ACCOUNT_TYPE_PRODUCT_OWNER' limit 1),
  event as (
    insert into workshop (tenant_id, id, type, title, publication, start_at, time_zone, access, settings, created_by)
    select $1::uuid, $2::uuid, 'webinar', 'Ефір', 'published', now(), 'Europe/Kyiv', 'registration', ${SETTINGS}, id
    from owner returning tenant_id, id),
  poll as (
    insert into workshop_item (tenant_id, id, workshop_id, kind, content)
    select tenant_id, $4::uuid, id, 'poll',
      '{"question":"Чутно?","kind":"single","options":["Так","Ні"],"right":[],"showResults":"always"}'::jsonb
    from event)
  insert into workshop_session (tenant_id, id, workshop_id, kind, start_at, planned_minutes, state)
  select tenant_id, $3::uuid, id, 'live', now(), 60, ${STATE} from event`

const PEOPLE = `
  insert into registration (tenant_id, id, workshop_id, email, name, locale, time_zone, join_digest, join_sealed)
  select $1::uuid, time_ordered_id(), $2::uuid, 'viewer-' || n || '@zala.test', 'Олена Коваль ' || n, 'uk', 'Europe/Kyiv',
    digest, '-'
  from unnest($3::text[]) with ordinality as one(digest, n)`
