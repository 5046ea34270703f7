import { sql } from 'drizzle-orm'
import { inSystem, inTenant } from '../db/db.ts'
import { enqueueJob, type JobData } from './jobs.ts'
import { forEachTenant } from './tenants.ts'

/** Recreates the lost jobs of rows that are in a state which only a job ends, e.g. after the queue's tables were lost. */
export interface Recovery {
  /** The job that must exist. */
  job: string
  /** Table and column of the state, and its values that wait for the job. */
  state: { table: string; column: string; values: readonly string[] }
  /**
   * SQL: rows that have waited for long enough, as `data` (jsonb, exactly what the job is enqueued with), `key` (text, its
   * singletonKey or null) and `start_after` (timestamptz or null). `$1` is now. Row-level security limits it to a tenant.
   */
  waitingSql: string
  /** As in EnqueueOptions. */
  timeoutHours?: number
  /** A job that completed without changing the state is not created again while pg-boss retains its row. */
  runsOnce?: true
  /** Some rows have no tenant. */
  hasUntenantedRows?: true
  /** Whether the job is needed here; true by default. */
  isNeeded?: (data: JobData) => Promise<boolean>
}

/** Adds the missing jobs of waiting rows, for all tenants. Returns how many were added. */
export async function recoverJobs(recoveries: readonly Recovery[], now = new Date()): Promise<number> {
  const dueSql = recoveries.map((recovery) => `select 1 from (${lostJobsSql(recovery)}) lost`).join(' union all ')
  const untenantedCount = await recoverIn(
    null,
    recoveries.filter(({ hasUntenantedRows: untenanted }) => untenanted),
    now,
  )
  return (
    untenantedCount +
    (await forEachTenant({ job: 'jobs.recover', dueSql, now }, (id) => recoverIn(id, recoveries, now)))
  )
}

interface LostJob extends Record<string, unknown> {
  data: JobData
  key: string | null
  start_after: Date | string | null
}

async function recoverIn(tenantId: string | null, recoveries: readonly Recovery[], now: Date): Promise<number> {
  let added = 0
  for (const recovery of recoveries) {
    const query = sql.raw(lostJobsSql(recovery).replaceAll('$1', `'${now.toISOString()}'::timestamptz`))
    const scope =
      tenantId === null ? inSystem : <T>(run: Parameters<typeof inTenant<T>>[1]) => inTenant({ tenantId }, run)
    const { rows } = await scope((tx) => tx.execute<LostJob>(query))
    for (const { data, key, start_after } of rows) {
      if (recovery.isNeeded && !(await recovery.isNeeded(data))) continue
      const startAfter = start_after === null ? {} : { startAfter: new Date(start_after) }
      const timeout = recovery.timeoutHours === undefined ? {} : { timeoutHours: recovery.timeoutHours }
      await enqueueJob(recovery.job, data, {
        ...startAfter,
        ...timeout,
        ...(key === null ? {} : { singletonKey: key }),
      })
      added += 1
    }
  }
  return added
}

// A job that failed finally is not lost: operators see it in `doctor`. Compared by equality, which allows a hash join.
function lostJobsSql({ job, waitingSql, runsOnce }: Recovery): string {
  const stateCondition = runsOnce ? '' : " and j.state in ('created', 'retry', 'active', 'failed')"
  return `select w.data, w.key, w.start_after from (${waitingSql}) w
    where not exists (select 1 from pgboss.job j where j.name = '${job}' and j.data = w.data${stateCondition}) limit 1000`
}
