import pg from 'pg'
import { createQueues, insertJobs, listWaitingJobNames, WAITING_JOBS_SQL } from '../jobs/saved-jobs.ts'
import {
  deferSelfReferences,
  enterTenant,
  readRows,
  rowsOf,
  sumOf,
  type TableScope,
  tablesInOrder,
  tenantScopes,
  writeRows,
} from './tables.ts'

/** The number of rows copied by table name; `jobs` are the pending jobs. */
export type CopiedRowCounts = Record<string, number>

/**
 * Copies the rows of all tenants, and the pending jobs, from one database to another that is empty and has the same
 * schema: one tenant after another, in one transaction of the target that is committed only when both contain the same
 * rows. Live events and rate limits are not copied. Throws when the target contains a tenant.
 */
export async function copyDatabase(from: pg.PoolConfig, to: pg.PoolConfig): Promise<CopiedRowCounts> {
  const [source, target] = [new pg.Client(from), new pg.Client(to)]
  for (const client of [source, target]) client.on('error', () => {})
  await Promise.all([source.connect(), target.connect()])
  try {
    await beginReading(source)
    await beginWriting(target)
    const copied: CopiedRowCounts = {}
    const scopes = await tenantScopes(source)
    const settle = await deferSelfReferences(target)
    for (const table of await tablesInOrder(source)) copied[table.name] = await copyTable(source, target, table, scopes)
    await settle()
    copied.jobs = await copyJobs(source, target, to)
    await target.query('commit')
    return copied
  } finally {
    await Promise.all([source.end(), target.end()])
  }
}

/** Begins a transaction that reads a snapshot of the database (repeatable read). */
export async function beginReading(client: pg.Client): Promise<void> {
  await client.query("set time zone 'UTC'")
  await client.query('begin isolation level repeatable read read only')
}

/** Begins the transaction that fills a database. Throws when it contains a tenant or a user. */
export async function beginWriting(client: pg.Client): Promise<void> {
  await client.query("set time zone 'UTC'")
  await client.query('begin')
  // Triggers are disabled, since the rows that they would write are copied too.
  await client.query("select set_config('app.restoring', 'on', true)")
  const { rows } = await client.query('select 1 from tenant union all select 1 from "user" limit 1')
  if (rows.length > 0) throw new Error('the target holds tenants already')
  // A target that was started has the fingerprint of a key with which nothing is encrypted.
  const { rows: known } = await client.query("select to_regclass('public.secret_key') is not null as known")
  if (known[0].known) await client.query('delete from secret_key')
}

async function copyTable(
  source: pg.Client,
  target: pg.Client,
  table: TableScope,
  scopes: readonly string[],
): Promise<number> {
  for (const scope of table.isIsolated ? scopes : ['']) {
    await Promise.all([source, target].map((client) => enterTenant(client, scope)))
    for await (const rows of readRows(source, rowsOf(table))) await writeRows(target, table, rows)
  }
  const [before, after] = [await sumOf(source, table, scopes), await sumOf(target, table, scopes)]
  if (before.rows !== after.rows || before.checksum !== after.checksum)
    throw new Error(`${table.name}: the copy differs from what was copied`)
  return after.rows
}

async function copyJobs(source: pg.Client, target: pg.Client, to: pg.PoolConfig): Promise<number> {
  const names = await listWaitingJobNames(source)
  if (names.length === 0) return 0
  await createQueues(to, names)
  let count = 0
  for await (const jobs of readRows(source, WAITING_JOBS_SQL)) {
    await insertJobs(target, jobs)
    count += jobs.length
  }
  return count
}
