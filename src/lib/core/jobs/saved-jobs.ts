import type pg from 'pg'
import { type JobInsert, PgBoss } from 'pg-boss'
import { createQueue, DEAD_QUEUE } from './queue.ts'

/** A waiting job, as a backup or a copy of the database stores it. */
interface SavedJob {
  name: string
  data: object
  priority: number
  startAfter: string
  singletonKey: string | null
}

const WAITING = `state in ('created', 'retry', 'active') and data is not null
  and name <> '${DEAD_QUEUE}' and name not like '\\_\\_pgboss%'`

/** SQL: pending and running jobs, one JSON text per row. Periodic jobs are excluded: they are scheduled again. */
export const WAITING_JOBS_SQL = `select jsonb_build_object('name', name, 'data', data, 'priority', priority,
    'startAfter', start_after, 'singletonKey', singleton_key)::text as row
  from pgboss.job where ${WAITING} order by created_on, id`

/** Names of the jobs that WAITING_JOBS_SQL returns; empty when no job was ever added. */
export async function listWaitingJobNames(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query("select to_regclass('pgboss.job') is not null as installed")
  if (!rows[0].installed) return []
  const { rows: names } = await client.query<{ name: string }>(
    `select distinct name from pgboss.job where ${WAITING} order by 1`,
  )
  return names.map(({ name }) => name)
}

/** Creates the queues of jobs in another database. Its worker configures their retry policy. */
export async function createQueues(connection: pg.PoolConfig, names: readonly string[]): Promise<void> {
  const boss = new PgBoss({ ...connection, max: 1, supervise: false, schedule: false })
  boss.on('error', () => {})
  try {
    await boss.start()
    for (const name of names) await createQueue(boss, name)
  } finally {
    await boss.stop({ graceful: false })
  }
}

/** Adds jobs that WAITING_JOBS_SQL returned, in the transaction of `client`. Their queues must exist. */
export async function insertJobs(client: pg.Client, rows: readonly string[]): Promise<void> {
  const jobs: SavedJob[] = rows.map((row) => JSON.parse(row))
  const boss = new PgBoss({
    db: { executeSql: (text, values) => client.query(text, values) },
    supervise: false,
    schedule: false,
    migrate: false,
  })
  for (const [name, jobsOfName] of Map.groupBy(jobs, ({ name }) => name))
    await boss.insert(name, jobsOfName.map(toInsert))
}

const toInsert = ({ data, priority, startAfter, singletonKey }: SavedJob): JobInsert => ({
  data,
  priority,
  startAfter,
  ...(singletonKey === null ? {} : { singletonKey }),
})
