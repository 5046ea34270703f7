import { AsyncLocalStorage } from 'node:async_hooks'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { config } from '../config/config.ts'
import { Refusal } from '../http/refusal.ts'
import { log } from '../log.ts'
import { UUID_PATTERN } from '../shared/uuid.ts'
import { connectionOptions } from './connection.ts'
import { PipelinedClient } from './pipelined-client.ts'
import { watchDatabase } from './watch.ts'

export const pool = new pg.Pool({
  ...connectionOptions(config),
  Client: PipelinedClient,
  max: config.databasePool,
  statement_timeout: 30_000,
  // Databases are on solid-state disks or in memory. With the default of 4 a search in a small school reads all people.
  // Starting parallel workers takes longer than a page's statement, and other requests need the processors.
  options: '-c random_page_cost=1.1 -c max_parallel_workers_per_gather=0',
  idle_in_transaction_session_timeout: 60_000,
  // Also the longest wait for a connection that others hold.
  connectionTimeoutMillis: 10_000,
})
// A broken idle connection must not take the process down: the pool replaces it.
pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection broke'))

export type Tx = ReturnType<typeof drizzleOn>

type Connection = pg.PoolClient & PipelinedClient

interface Ambient {
  client: Connection
  tx: Tx
  tenantId: string | null
  /** Sent in one message with the commit, each for the tenant that it was asked in. */
  lastWrites: { tenantId: string | null; query: pg.QueryConfig }[]
  afterCommit: (() => unknown)[]
  open: boolean
  /** Several functions run in it at the same time. */
  isConcurrent: boolean
}

const ambient = new AsyncLocalStorage<Ambient>()
const readOnlyScope = new AsyncLocalStorage<boolean>()

/** A tenant, or an actor; one who views the school as a student gets transactions that only read. */
interface TenantScope {
  tenantId: string
  impersonation?: object | undefined
}

/** Lets PostgreSQL refuse every write of what runs inside, whichever function it comes from: refused with read_only. */
export function withoutWrites<T>(run: () => T): T {
  return readOnlyScope.run(true, run)
}

/**
 * Runs SQL of one school: a transaction with `app.tenant_id` set, so that row-level security shows this school only.
 * A nested call joins the ambient transaction. Statements that do not need each other's results may be run
 * at once (`Promise.all`): they go to the database together and cost one round trip. Functions that set another tenant
 * must not: see `inTenantConcurrently`.
 */
export function inTenant<T>(scope: TenantScope, run: (tx: Tx) => Promise<T>): Promise<T> {
  if (!UUID_PATTERN.test(scope.tenantId)) throw new TypeError('inTenant needs the id of a tenant')
  return transact(scope.tenantId, run, { isReadOnly: scope.impersonation !== undefined })
}

/**
 * The same for several functions that only read and run at the same time (`Promise.all`). A function of another tenant,
 * or of none, throws in it: the statements of the others must not see its tenant. It runs beside it, or reads tables of
 * no tenant with `readUntenanted`.
 */
export function inTenantConcurrently<T>(scope: TenantScope, run: () => Promise<T>): Promise<T> {
  if (!UUID_PATTERN.test(scope.tenantId)) throw new TypeError('inTenantConcurrently needs the id of a tenant')
  return transact(scope.tenantId, run, { isConcurrent: true, isReadOnly: scope.impersonation !== undefined })
}

/** Runs SQL of tables that belong to no school (people, sessions, tenants). Tenant tables show nothing here. */
export function inSystem<T>(run: (tx: Tx) => Promise<T>): Promise<T> {
  return transact(null, run)
}

/**
 * Reads tables that belong to no tenant, in the surrounding transaction if there is one, whatever its tenant: unlike
 * `inSystem`, which has to switch the tenant there, or needs a connection of its own.
 */
export function readUntenanted<T>(run: (tx: Tx) => Promise<T>): Promise<T> {
  const current = ambient.getStore()
  return current?.open ? run(current.tx) : transact(null, run)
}

/**
 * Queues a write whose result nobody needs: it is sent in one message with the commit of the surrounding transaction, so
 * that it costs no round trip. When it fails, nothing is committed and the transaction rejects.
 */
export function writeWithCommit(write: { toSQL(): { sql: string; params: unknown[] } }): void {
  const current = ambient.getStore()
  if (!current?.open) throw new Error('a write with the commit needs a transaction')
  const { sql: text, params: values } = write.toSQL()
  current.lastWrites.push({ tenantId: current.tenantId, query: { text, values } })
}

/** One statement outside of any transaction, e.g. a count that must stand when the caller's transaction is rolled back. */
export function query<R extends pg.QueryResultRow>(
  statement: string | pg.QueryConfig,
  values?: unknown[],
): Promise<pg.QueryResult<R>> {
  requireNoTransaction()
  return watchDatabase(async (signal) => {
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

/**
 * Throws inside a transaction. A transaction that waits for a second connection holds its own meanwhile: as many requests
 * as the pool has connections would wait for each other.
 */
export function requireNoTransaction(): void {
  if (ambient.getStore()?.open) throw new Error('a transaction must not wait for a second connection of the pool')
}

/** The raw connection of the surrounding transaction, for libraries that bring their own SQL (jobs). */
export function ambientClient(): pg.PoolClient | null {
  const current = ambient.getStore()
  if (!current?.open) return null
  current.client.mayHaveChanged = true
  return current.client
}

interface TransactionMode {
  isConcurrent?: boolean
  isReadOnly?: boolean
}

async function transact<T>(
  tenantId: string | null,
  run: (tx: Tx) => Promise<T>,
  { isConcurrent = false, isReadOnly = false }: TransactionMode = {},
): Promise<T> {
  const current = ambient.getStore()
  if (current?.open) {
    if (current.isConcurrent && current.tenantId !== tenantId) requireNoTransaction()
    return nest(current, tenantId, run)
  }
  const afterCommit: Ambient['afterCommit'] = []
  const result = await watchDatabase((signal) =>
    commit(
      { tenantId, isConcurrent, isReadOnly: isReadOnly || readOnlyScope.getStore() === true, afterCommit },
      run,
      signal,
    ),
  )
  for (const act of afterCommit) await act()
  return result
}

async function commit<T>(
  scope: Pick<Ambient, 'tenantId' | 'isConcurrent' | 'afterCommit'> & { isReadOnly: boolean },
  run: (tx: Tx) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const { client, giveBack } = await connect(signal)
  const own: Ambient = { ...scope, client, tx: drizzleOf(client), lastWrites: [], open: true }
  let broken: Error | undefined
  try {
    const begun = client.startTransaction(`begin${scope.isReadOnly ? ' read only' : ''}; ${setTenant(scope.tenantId)}`)
    // The statements of `run` follow in the same write; a failure of this one is seen below.
    begun.catch(() => {})
    const result = await ambient.run(own, () => run(own.tx))
    own.open = false
    await begun
    if (hasOnlyRead(own)) client.query('commit').catch((error: Error) => log.warn({ err: error }, 'a commit failed'))
    else await commitChanges(own)
    return result
  } catch (error) {
    own.open = false
    await client.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    if (isOutdatedPlan(error)) broken = error
    if (isReadOnlyViolation(error)) throw new Refusal('read_only', {}, { cause: error })
    throw error
  } finally {
    giveBack(broken)
  }
}

// The end of a transaction that changed nothing and in which nothing failed decides nothing: nobody waits for it.
function hasOnlyRead({ client, lastWrites, afterCommit }: Ambient): boolean {
  const isUnchanged = !client.mayHaveChanged && lastWrites.length === 0
  return isUnchanged && client.getTransactionStatus() === 'T' && afterCommit.length === 0
}

async function commitChanges({ client, tenantId, lastWrites }: Ambient): Promise<void> {
  let current = tenantId
  const writes = lastWrites.flatMap((write) => {
    const switches = write.tenantId === current ? [] : [client.query(setTenant(write.tenantId))]
    current = write.tenantId
    return [...switches, client.query(write.query)]
  })
  const [{ command }] = await Promise.all([client.query('commit'), ...writes])
  if (command === 'ROLLBACK') throw new Error('a statement had failed and was passed over: nothing was committed')
}

/**
 * Whether a prepared statement no longer fits its tables, because a newer version of the product has migrated them
 * meanwhile. The connection is closed, and the next one prepares the statement anew.
 */
function isOutdatedPlan(error: unknown): error is Error {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error && cause.message.includes('cached plan must not change result type')
}

/** Whether a statement was refused because its transaction may only read (SQLSTATE 25006). */
function isReadOnlyViolation(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof pg.DatabaseError && cause.code === '25006'
}

interface BorrowedConnection {
  client: Connection
  /** Gives it back; a broken one is closed. */
  giveBack(broken?: Error): void
}

/** A connection of the pool; when `signal` aborts it is cut, with whatever runs on it. */
async function connect(signal: AbortSignal): Promise<BorrowedConnection> {
  const client = await pool.connect()
  if (!(client instanceof PipelinedClient)) throw new TypeError('the pool gives pipelined connections')
  let isBorrowed = true
  const giveBack = (broken?: Error) => {
    if (isBorrowed) client.release(broken)
    isBorrowed = false
  }
  if (signal.aborted) {
    giveBack()
    throw signal.reason
  }
  signal.addEventListener('abort', () => {
    // Ending it in order would wait for the statements that hang.
    if (isBorrowed) client.destroy()
    giveBack(new Error('cut off', { cause: signal.reason }))
  })
  return { client, giveBack }
}

async function nest<T>(current: Ambient, tenantId: string | null, run: (tx: Tx) => Promise<T>): Promise<T> {
  if (current.tenantId === tenantId) return run(current.tx)
  const before = current.tenantId
  switchTenant(current.client, tenantId)
  current.tenantId = tenantId
  try {
    return await run(current.tx)
  } finally {
    current.tenantId = before
    switchTenant(current.client, before)
  }
}

// Nobody waits for it: the statements that follow are executed after it. It fails only after a failed statement or on a
// broken connection, and then those that follow fail too, and nothing is committed.
function switchTenant(client: Connection, tenantId: string | null): void {
  client.query(setTenant(tenantId)).catch(() => {})
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
