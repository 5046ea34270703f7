import { AsyncLocalStorage } from 'node:async_hooks'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { config } from '../config/config.ts'
import { log } from '../log.ts'
import { connectionOptions } from './connection.ts'
import { watched } from './watch.ts'

export const pool = new pg.Pool({
  ...connectionOptions(config),
  max: config.databasePool,
  statement_timeout: 30_000,
  idle_in_transaction_session_timeout: 60_000,
  // Also the longest wait for a connection that others hold.
  connectionTimeoutMillis: 10_000,
})
// A broken idle connection must not take the process down: the pool replaces it.
pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection broke'))

export type Tx = ReturnType<typeof drizzleOn>

interface Ambient {
  client: pg.PoolClient
  tx: Tx
  tenantId: string | null
  afterCommit: (() => unknown)[]
  open: boolean
}

const ambient = new AsyncLocalStorage<Ambient>()
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Runs SQL of one school: a transaction with `app.tenant_id` set, so that row-level security shows this school only.
 * A nested call joins the ambient transaction. Calls inside one transaction must follow each other, not run at once.
 */
export function inTenant<T>(scope: { tenantId: string }, run: (tx: Tx) => Promise<T>): Promise<T> {
  if (!UUID.test(scope.tenantId)) throw new TypeError('inTenant needs the id of a tenant')
  return transact(scope.tenantId, run)
}

/** Runs SQL of tables that belong to no school (people, sessions, tenants). Tenant tables show nothing here. */
export function inSystem<T>(run: (tx: Tx) => Promise<T>): Promise<T> {
  return transact(null, run)
}

/** One statement outside of any transaction, e.g. a count that must stand when the caller's transaction is rolled back. */
export function query<R extends pg.QueryResultRow>(
  statement: string | pg.QueryConfig,
  values?: unknown[],
): Promise<pg.QueryResult<R>> {
  return watched(async (signal) => {
    const { client, giveBack } = await connect(signal)
    try {
      const result = await client.query<R>(statement, values)
      giveBack()
      return result
    } catch (error) {
      // As the pool's own `query`: whatever state the connection is in, it is not used again.
      giveBack(error instanceof Error ? error : new Error('a statement failed'))
      throw error
    }
  })
}

/** Queues what must happen only when the surrounding transaction is committed; at once when there is none. */
export function afterCommit(act: () => unknown): void {
  const current = ambient.getStore()
  if (current?.open) current.afterCommit.push(act)
  else act()
}

/** The raw connection of the surrounding transaction, for libraries that bring their own SQL (jobs). */
export function ambientClient(): pg.PoolClient | null {
  const current = ambient.getStore()
  return current?.open ? current.client : null
}

async function transact<T>(tenantId: string | null, run: (tx: Tx) => Promise<T>): Promise<T> {
  const current = ambient.getStore()
  if (current?.open) return nest(current, tenantId, run)
  const afterCommit: Ambient['afterCommit'] = []
  const result = await watched((signal) => commit(tenantId, run, afterCommit, signal))
  for (const act of afterCommit) await act()
  return result
}

async function commit<T>(
  tenantId: string | null,
  run: (tx: Tx) => Promise<T>,
  afterCommit: Ambient['afterCommit'],
  signal: AbortSignal,
): Promise<T> {
  const { client, giveBack } = await connect(signal)
  const own: Ambient = { client, tx: drizzleOf(client), tenantId, afterCommit, open: true }
  let broken: Error | undefined
  try {
    await client.query(`begin; ${setTenant(tenantId)}`)
    const result = await ambient.run(own, () => run(own.tx))
    own.open = false
    const { command } = await client.query('commit')
    if (command === 'ROLLBACK') throw new Error('a statement had failed and was passed over: nothing was committed')
    return result
  } catch (error) {
    own.open = false
    await client.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    throw error
  } finally {
    giveBack(broken)
  }
}

interface Lent {
  client: pg.PoolClient
  /** Gives it back; a broken one is closed. */
  giveBack(broken?: Error): void
}

/** A connection of the pool; when `signal` aborts it is cut, with whatever runs on it. */
async function connect(signal: AbortSignal): Promise<Lent> {
  const client = await pool.connect()
  let lent = true
  const giveBack = (broken?: Error) => {
    if (lent) client.release(broken)
    lent = false
  }
  if (signal.aborted) {
    giveBack()
    throw signal.reason
  }
  signal.addEventListener('abort', () => giveBack(new Error('cut off', { cause: signal.reason })))
  return { client, giveBack }
}

async function nest<T>(current: Ambient, tenantId: string | null, run: (tx: Tx) => Promise<T>): Promise<T> {
  if (current.tenantId === tenantId) return run(current.tx)
  const before = current.tenantId
  await current.client.query(setTenant(tenantId))
  current.tenantId = tenantId
  try {
    return await run(current.tx)
  } finally {
    current.tenantId = before
    // After a failed statement nothing can be said any more; then the commit fails, and with it all of it.
    await current.client.query(setTenant(before)).catch(() => {})
  }
}

// The id is a checked UUID, never text from outside: one message to the server instead of two.
function setTenant(tenantId: string | null): string {
  return `select set_config('app.tenant_id', '${tenantId ?? ''}', true)`
}

const instances = new WeakMap<pg.PoolClient, Tx>()

function drizzleOf(client: pg.PoolClient): Tx {
  const known = instances.get(client) ?? drizzleOn(client)
  instances.set(client, known)
  return known
}

function drizzleOn(client: pg.PoolClient) {
  return drizzle(client, { casing: 'snake_case' })
}
