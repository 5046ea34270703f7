import { AsyncLocalStorage } from 'node:async_hooks'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { config } from '../config/config.ts'
import { Refusal } from '../http/refusal.ts'
import { log } from '../log.ts'
import { UUID_PATTERN } from '../shared/uuid.ts'
import { poolOptions } from './connection.ts'
import { isOutdatedPlan, isReadOnlyViolation } from './database-error.ts'
import { PipelinedClient } from './pipelined-client.ts'
import { watchDatabase } from './watch.ts'

export const pool = new pg.Pool({ ...poolOptions(config), Client: PipelinedClient })
// An error of an idle connection must not end the process: the pool replaces it, or the database closes it at the end.
pool.on('error', (error) => pool.ending || log.warn({ err: error }, 'an idle database connection broke'))

/** Whether requests wait for a connection because all connections of the pool are in use. */
export const isPoolExhausted = (): boolean => pool.waitingCount > 0

export type Tx = ReturnType<typeof drizzleOn>

type Connection = pg.PoolClient & PipelinedClient

interface Ambient {
  client: Connection
  tx: Tx
  tenantId: string | null
  /** Sent in one message with the commit, each with the tenant that was set when it was queued. */
  lastWrites: LastWrite[]
  afterCommit: (() => unknown)[]
  open: boolean
  /** Several functions run in the transaction concurrently. */
  isConcurrent: boolean
}

interface LastWrite {
  tenantId: string | null
  query: pg.QueryConfig
  /** After the other ones: it takes a lock. */
  isLast: boolean
  onCommitted: ((rows: Record<string, unknown>[]) => void) | undefined
}

const ambient = new AsyncLocalStorage<Ambient>()
const readOnlyScope = new AsyncLocalStorage<boolean>()

/** A tenant, or an actor; the transactions of an actor who views the school as a student are read-only. */
interface TenantScope {
  tenantId: string
  impersonation?: object | undefined
}

/**
 * Runs a function in which every transaction is read-only, including those of nested functions: PostgreSQL rejects
 * writes, and they are refused with `read_only`.
 */
export function withoutWrites<T>(run: () => T): T {
  return readOnlyScope.run(true, run)
}

/**
 * Runs SQL of one tenant: a transaction with `app.tenant_id` set, so that row-level security shows the rows of this
 * tenant only. A nested call joins the ambient transaction. Statements that do not need each other's results may be
 * started together with `Promise.all`: they are pipelined and need one round trip. Functions that set another tenant
 * must not run concurrently: see `inTenantConcurrently`.
 */
export function inTenant<T>(scope: TenantScope, run: (tx: Tx) => Promise<T>): Promise<T> {
  if (!UUID_PATTERN.test(scope.tenantId)) throw new TypeError('inTenant needs the id of a tenant')
  return transact(scope.tenantId, run, { isReadOnly: scope.impersonation !== undefined })
}

/**
 * Like `inTenant`, for several functions that only read and run concurrently (`Promise.all`). A function of another
 * tenant, or of none, throws in it, because it would change the tenant of the other statements. Such a function has to
 * run in a separate transaction, or read tables without a tenant with `readUntenanted`.
 */
export function inTenantConcurrently<T>(scope: TenantScope, run: () => Promise<T>): Promise<T> {
  if (!UUID_PATTERN.test(scope.tenantId)) throw new TypeError('inTenantConcurrently needs the id of a tenant')
  return transact(scope.tenantId, run, { isConcurrent: true, isReadOnly: scope.impersonation !== undefined })
}

/** Runs SQL on tables that belong to no tenant (users, login sessions, tenants). Tenant tables appear empty in it. */
export function inSystem<T>(run: (tx: Tx) => Promise<T>): Promise<T> {
  return transact(null, run)
}

/**
 * Reads tables that belong to no tenant, in the surrounding transaction if there is one, without changing its tenant.
 * `inSystem` has to switch the tenant in such a transaction, or needs another connection.
 */
export function readUntenanted<T>(run: (tx: Tx) => Promise<T>): Promise<T> {
  const current = ambient.getStore()
  return current?.open ? run(current.tx) : transact(null, run)
}

/**
 * Queues a write whose result is not needed in the transaction: it is sent in one message with the commit of the surrounding
 * transaction, without an additional round trip. When it fails, the transaction is rolled back and rejects. `isLast`: after
 * the writes without it. `onCommitted` gets its rows after the commit.
 */
export function writeWithCommit(
  write: { toSQL(): { sql: string; params: unknown[] } },
  { isLast = false, onCommitted }: Partial<Pick<LastWrite, 'isLast' | 'onCommitted'>> = {},
): void {
  const current = ambient.getStore()
  if (!current?.open) throw new Error('a write with the commit needs a transaction')
  const { sql: text, params: values } = write.toSQL()
  current.lastWrites.push({ tenantId: current.tenantId, query: { text, values }, isLast, onCommitted })
}

/** One statement outside of any transaction, e.g. a count that survives a rollback of the caller. */
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
      // As in the pool's own `query`: the connection may be in an undefined state, so it is not used again.
      giveBack(error instanceof Error ? error : new Error('a statement failed'))
      throw error
    }
  })
}

/** Runs a function after the commit of the surrounding transaction; immediately when there is none. */
export function afterCommit(action: () => unknown): void {
  const current = ambient.getStore()
  if (current?.open) current.afterCommit.push(action)
  else action()
}

/**
 * Throws when a transaction is open. A transaction that waits for a second connection keeps its own: as many such
 * requests as the pool has connections would cause a deadlock.
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
  for (const action of afterCommit) await action()
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
    // The first statements of `run` are sent in the same message; a failure of this one is handled below.
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

// Whether the transaction changed nothing and none of its statements failed: then the result of its end is not awaited.
function hasOnlyRead({ client, lastWrites, afterCommit }: Ambient): boolean {
  const isUnchanged = !client.mayHaveChanged && lastWrites.length === 0
  return isUnchanged && client.getTransactionStatus() === 'T' && afterCommit.length === 0
}

async function commitChanges({ client, tenantId, lastWrites }: Ambient): Promise<void> {
  let current = tenantId
  const ordered = lastWrites.toSorted((a, b) => Number(a.isLast) - Number(b.isLast))
  const writes = ordered.map(async (write) => {
    const switched = write.tenantId === current ? null : client.query(setTenant(write.tenantId))
    current = write.tenantId
    const [{ rows }] = await Promise.all([client.query<Record<string, unknown>>(write.query), switched])
    return rows
  })
  const [{ command }, ...results] = await Promise.all([client.query('commit'), ...writes])
  if (command === 'ROLLBACK') throw new Error('a statement had failed and was passed over: nothing was committed')
  for (const [index, { onCommitted }] of ordered.entries()) onCommitted?.(results[index] ?? [])
}

interface BorrowedConnection {
  client: Connection
  /** Returns the connection to the pool; with an error the connection is closed. */
  giveBack(broken?: Error): void
}

/** Takes a connection from the pool. When `signal` aborts, the connection and the statement on it are terminated. */
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
    // A regular end would wait for the statements that do not respond.
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

// Not awaited: the statements that follow are executed after it. It fails only after a failed statement or on a broken
// connection; then those that follow fail too, and nothing is committed.
function switchTenant(client: Connection, tenantId: string | null): void {
  client.query(setTenant(tenantId)).catch(() => {})
}

// The id is a validated UUID, never user input. Without a parameter it needs one protocol message instead of two.
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
