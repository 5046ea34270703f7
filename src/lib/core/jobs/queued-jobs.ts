import { ambientClient, pool } from '../db/db.ts'

export interface QueuedJob {
  key: string
  tenantId: string | null
  /** A worker runs it now. */
  isRunning: boolean
}

/** The first `limit` running or waiting jobs of this name, of all tenants, in the order in which they are fetched. */
export async function listQueuedJobs(name: string, limit: number): Promise<QueuedJob[]> {
  const client = ambientClient() ?? pool
  const { rows: schema } = await client.query("select to_regclass('pgboss.job') is not null as installed")
  if (!schema[0]?.installed) return []
  const { rows } = await client.query<QueuedJob>(QUEUED_JOBS_SQL, [name, limit])
  return rows
}

// pg-boss fetches by priority, then by age; all jobs have the same priority.
const QUEUED_JOBS_SQL = `select singleton_key as key, data->>'tenantId' as "tenantId", state = 'active' as "isRunning"
  from pgboss.job where name = $1 and state in ('created', 'retry', 'active') and singleton_key is not null
  order by state = 'active' desc, created_on, id limit $2`
