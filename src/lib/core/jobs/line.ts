import { ambientClient, pool } from '../db/db.ts'

export interface Waiting {
  key: string
  tenantId: string | null
  /** Someone works on it now. */
  running: boolean
}

/** Jobs of this name that run or wait, in the order in which they will be taken; the first so many of all schools. */
export async function inLine(name: string, most: number): Promise<Waiting[]> {
  const client = ambientClient() ?? pool
  const { rows: known } = await client.query("select to_regclass('pgboss.job') is not null as installed")
  if (!known[0]?.installed) return []
  const { rows } = await client.query<Waiting>(LINE, [name, most])
  return rows
}

// pg-boss takes by priority, then by age; ours have all the same priority.
const LINE = `select singleton_key as key, data->>'tenantId' as "tenantId", state = 'active' as running
  from pgboss.job where name = $1 and state in ('created', 'retry', 'active') and singleton_key is not null
  order by state = 'active' desc, created_on, id limit $2`
