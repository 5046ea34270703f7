import { sql } from 'drizzle-orm'
import { inSystem, inTenant } from '../db/db.ts'
import { enqueueJob, type JobData } from './jobs.ts'
import { forEachTenant } from './tenants.ts'

/** How rows in a state that only a job ends get back a job that was lost, e.g. with the tables of the queue. */
export interface Recovery {
  /** The job that must exist. */
  job: string
  /** Table and column of the state, and the values that wait for the job. */
  state: { table: string; column: string; values: readonly string[] }
  /**
   * SQL: rows that have waited for long enough, as `data` (jsonb, exactly what the job is enqueued with), `key` (text, its
   * singletonKey or null) and `start_after` (timestamptz or null). `$1` is now. Row-level security limits it to a tenant.
   */
  waiting: string
  /** As in EnqueueOptions. */
  hours?: number
  /** A job that ended without ending the state is not made again while the queue remembers it. */
  once?: true
  /** Rows may belong to no tenant, too. */
  untenanted?: true
  /** Whether the job has anything to work on here; yes when absent. */
  isNeeded?: (data: JobData) => Promise<boolean>
}

/** Adds the jobs that rows wait for and that do not exist, for all tenants. Returns how many. */
export async function recoverJobs(recoveries: readonly Recovery[], now = new Date()): Promise<number> {
  const due = recoveries.map((recovery) => `select 1 from (${lostOf(recovery)}) lost`).join(' union all ')
  const own = await recoverIn(
    null,
    recoveries.filter(({ untenanted }) => untenanted),
    now,
  )
  return own + (await forEachTenant({ job: 'jobs.recover', due, at: now }, (id) => recoverIn(id, recoveries, now)))
}

interface Lost extends Record<string, unknown> {
  data: JobData
  key: string | null
  start_after: Date | string | null
}

async function recoverIn(tenantId: string | null, recoveries: readonly Recovery[], now: Date): Promise<number> {
  let added = 0
  for (const recovery of recoveries) {
    const query = sql.raw(lostOf(recovery).replaceAll('$1', `'${now.toISOString()}'::timestamptz`))
    const scope =
      tenantId === null ? inSystem : <T>(run: Parameters<typeof inTenant<T>>[1]) => inTenant({ tenantId }, run)
    const { rows } = await scope((tx) => tx.execute<Lost>(query))
    for (const { data, key, start_after } of rows) {
      if (recovery.isNeeded && !(await recovery.isNeeded(data))) continue
      const startAfter = start_after === null ? {} : { startAfter: new Date(start_after) }
      const hours = recovery.hours === undefined ? {} : { hours: recovery.hours }
      await enqueueJob(recovery.job, data, { ...startAfter, ...hours, ...(key === null ? {} : { singletonKey: key }) })
      added += 1
    }
  }
  return added
}

// A job that failed for good is not lost: somebody looks at it. Equality, because that is found by a hash.
function lostOf({ job, waiting, once }: Recovery): string {
  const known = once ? '' : " and j.state in ('created', 'retry', 'active', 'failed')"
  return `select w.data, w.key, w.start_after from (${waiting}) w
    where not exists (select 1 from pgboss.job j where j.name = '${job}' and j.data = w.data${known}) limit 1000`
}
