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

/** Table name to the number of rows copied; `jobs` are those that wait. */
export type CopiedRowCounts = Record<string, number>

/**
 * Copies everything that tenants own from one database to another whose schema is the same and which is empty, and the
 * jobs that wait: tables of tenants, one tenant after another, in one transaction of the target, which is committed
 * only when both hold the same rows. Events of live streams and limits stay behind. Throws when the target holds a tenant already.
 */
export async function copyDatabase(from: pg.PoolConfig, to: pg.PoolConfig): Promise<CopiedRowCounts> {
  const [source, target] = [new pg.Client(from), new pg.Client(to)]
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

/** Begins a transaction that sees the database as it is now, whatever is written meanwhile. */
export async function beginReading(client: pg.Client): Promise<void> {
  await client.query("set time zone 'UTC'")
  await client.query('begin isolation level repeatable read read only')
}

/** Begins the transaction that fills a database. Throws when it holds a tenant or a person. */
export async function beginWriting(client: pg.Client): Promise<void> {
  await client.query("set time zone 'UTC'")
  await client.query('begin')
  // The rows that triggers would write are copied too.
  await client.query("select set_config('app.restoring', 'on', true)")
  const { rows } = await client.query('select 1 from tenant union all select 1 from "user" limit 1')
  if (rows.length > 0) throw new Error('the target holds tenants already')
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
