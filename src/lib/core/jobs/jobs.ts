import { randomUUID } from 'node:crypto'
import { type JobResult, type JobWithMetadata, PgBoss } from 'pg-boss'
import { config } from '../config/config.ts'
import { connectionOptions } from '../db/connection.ts'
import { ambientClient, pool, writeWithCommit } from '../db/db.ts'
import { log, withoutQueryValues } from '../log.ts'
import { HOUR_SECONDS } from '../shared/time.ts'
import { limitConnectionErrors } from './connection-log.ts'
import { configureQueue, DEAD_QUEUE, ensureQueue, type RetryPolicy } from './queue.ts'

/** The data contains the tenant: pg-boss's tables have no row-level security. */
export interface JobData {
  tenantId: string | null
  [key: string]: unknown
}

export interface JobRun {
  /** From 1. */
  attempt: number
  /** No further attempt follows when this one fails. */
  isLastAttempt: boolean
  /** Aborted when the process has to end before the job is finished. */
  signal: AbortSignal
}

/** Runs outside a transaction and without a tenant, and must be idempotent. When it throws, the job is retried. */
type JobHandler = (data: never, run: JobRun) => Promise<unknown>

interface JobSettings extends RetryPolicy {
  /** A cron expression (UTC) makes the job periodic, once for all processes. */
  cron?: string
  /** How many jobs a process runs at the same time, fetched one by one; two in batches by default. For long jobs. */
  concurrency?: number
  /** The process does not fetch these jobs before this returns true; it is called every 30 seconds. */
  isReady?: () => Promise<boolean>
  /** The signal is aborted at the start of the shutdown instead of at the end of the grace period. */
  stopsAtShutdown?: boolean
}

export type JobList = Record<string, JobHandler | ({ run: JobHandler } & JobSettings)>

export interface EnqueueOptions {
  startAfter?: Date
  /** While a job of this name and key waits, no second one is added. */
  singletonKey?: string
  /** See RetryPolicy; for a job that may be added before a worker has configured its queue. */
  timeoutHours?: number
}

/**
 * Adds a job in the surrounding transaction (at once when there is none): it exists if and only if the change does.
 * Works in processes that run no jobs themselves.
 */
export async function enqueueJob(name: string, data: JobData, options: EnqueueOptions = {}): Promise<void> {
  await ensureQueue(name)
  const { startAfter, timeoutHours, singletonKey = randomUUID() } = options
  const when = startAfter ? { startAfter } : {}
  await sender.send(name, data, {
    singletonKey,
    ...when,
    ...(timeoutHours ? { expireInSeconds: timeoutHours * HOUR_SECONDS } : {}),
  })
}

/**
 * Adds a job in one message with the commit of the surrounding transaction, without an additional round trip. For jobs
 * without a time; `singletonKey` as in EnqueueOptions.
 */
export async function enqueueJobWithCommit(
  name: string,
  data: JobData,
  singletonKey: string = randomUUID(),
): Promise<void> {
  await ensureQueue(name)
  const executeSql = async (sql: string, params: unknown[] = []) => {
    writeWithCommit({ toSQL: () => ({ sql, params }) })
    // The id is not used.
    return { rows: [{ id: null }] }
  }
  await sender.send(name, data, { singletonKey, db: { executeSql } })
}

/** A query of jobs: `data` (jsonb, added to that of all), `delay` (an interval as text), `key` (see singletonKey). */
export interface JobRows {
  text: string
  /** Its parameters, from `$2` on; `$1` is an array of the job (jsonb). */
  values: readonly unknown[]
}

/**
 * As enqueueJobWithCommit, for a job of each row of a query, which runs in the same statement; none without rows. Each
 * starts after its delay.
 */
export async function enqueueJobsWithCommit(name: string, data: JobData, { text, values }: JobRows): Promise<void> {
  await ensureQueue(name)
  const jobs = `(select coalesce(jsonb_agg($1::jsonb -> 0 || jsonb_build_object('startAfter', r.delay, 'singletonKey', r.key,
    'data', $1::jsonb -> 0 -> 'data' || r.data)), '[]')::text from (${text}) r)`
  const executeSql = async (statement: string, [job]: unknown[] = []) => {
    const sql = statement.replace(JOBS_PARAMETER, () => jobs)
    if (sql === statement) throw new Error('the statement of the job queue has another parameter')
    writeWithCommit({ toSQL: () => ({ sql, params: [job, ...values] }) })
    return { rows: [{ id: null }] }
  }
  await sender.send(name, data, { db: { executeSql } })
}

/** The array of jobs in the statement with which pg-boss inserts them. */
const JOBS_PARAMETER = '$1::text'

/**
 * Runs the jobs of the list until `stop()`, which waits for running ones (25 s at most). Rejects when the database does not
 * respond, and may then be called again.
 */
export async function startJobs(list: JobList): Promise<{ stop(): Promise<void> }> {
  const boss = new PgBoss({ ...connectionOptions(config), max: 4, useListenNotify: true, superviseIntervalSeconds: 30 })
  boss.on(
    'error',
    limitConnectionErrors((fields) => log.error(fields, 'The job queue lost its database connection')),
  )
  boss.on('warning', ({ message }) => log.warn(message))
  const shutdown = new AbortController()
  const timers: NodeJS.Timeout[] = []
  try {
    await boss.start()
    for (const [name, entry] of Object.entries(list))
      timers.push(...(await startJob(boss, name, entry, shutdown.signal)))
  } catch (error) {
    for (const timer of timers) clearInterval(timer)
    await boss.stop({ graceful: false }).catch(() => {})
    throw error
  }
  return {
    stop: () => {
      for (const timer of timers) clearInterval(timer)
      shutdown.abort()
      return boss.stop({ graceful: true, timeout: 25_000 })
    },
  }
}

// Returns the timer of a job that is not ready.
async function startJob(
  boss: PgBoss,
  name: string,
  entry: JobList[string],
  shutdown: AbortSignal,
): Promise<NodeJS.Timeout[]> {
  const { run, cron, concurrency, isReady, stopsAtShutdown, ...retryPolicy } =
    typeof entry === 'function' ? { run: entry } : entry
  await configureQueue(boss, name, retryPolicy)
  if (cron) await boss.schedule(name, cron)
  const options = concurrency ? { ...WORK_OPTIONS, localConcurrency: concurrency, batchSize: 1 } : WORK_OPTIONS
  const startWorker = () =>
    boss.work(name, options, async (jobs) => {
      const results: JobResult[] = []
      for (const job of jobs) {
        const signal = stopsAtShutdown ? AbortSignal.any([job.signal, shutdown]) : job.signal
        results.push(await runJob(run, job, signal))
      }
      return results
    })
  if (isReady && !(await isReady())) return [startWhenReady(isReady, startWorker)]
  await startWorker()
  return []
}

export interface FailedJob {
  name: string
  tenantId: string | null
  failedAt: Date
  /** The error message of the last attempt. */
  lastError: string
}

/** Jobs that failed permanently, newest first, for `doctor`. */
export async function listFailedJobs(): Promise<FailedJob[]> {
  const { rows } = await pool.query("select to_regclass('pgboss.queue') is not null as installed")
  if (!rows[0].installed) return []
  await ensureQueue(DEAD_QUEUE)
  const dead = await sender.findJobs<JobData>(DEAD_QUEUE, {})
  return dead
    .map((job) => ({
      name: job.sourceName ?? job.name,
      tenantId: job.data?.tenantId ?? null,
      failedAt: job.createdOn,
      lastError: jobFailureText(job.sourceOutput),
    }))
    .sort((a, b) => b.failedAt.getTime() - a.failedAt.getTime())
}

// A NOTIFY wakes a worker for a new job; polling finds jobs whose retry is due. A full batch means that there are more.
// The jobs of a batch run one after another: a handler may hold a connection of the pool, which requests need too.
const WORK_OPTIONS = {
  includeMetadata: true,
  perJobResults: true,
  localConcurrency: 2,
  batchSize: 5,
  burstWhenBatchFull: true,
  notifyPollingIntervalSeconds: 5,
} as const

const READY_CHECK_MS = 30_000

// Never started: it only writes, in the surrounding transaction or on the pool, and has no timers.
const sender = new PgBoss({
  db: { executeSql: (text, values) => (ambientClient() ?? pool).query(text, values) },
  supervise: false,
  schedule: false,
  migrate: false,
})

function startWhenReady(isReady: () => Promise<boolean>, startWorker: () => Promise<unknown>): NodeJS.Timeout {
  const check = async () => {
    if (!(await isReady())) return
    clearInterval(timer)
    await startWorker()
  }
  const timer = setInterval(
    () => check().catch((error: Error) => log.error({ error: error.message }, 'A worker could not be started')),
    READY_CHECK_MS,
  )
  return timer
}

async function runJob(run: JobHandler, job: JobWithMetadata<unknown>, signal: AbortSignal): Promise<JobResult> {
  const jobRun = { attempt: job.retryCount + 1, isLastAttempt: job.retryCount >= job.retryLimit, signal }
  try {
    // The data was enqueued for the handler of this name.
    await run(job.data as never, jobRun)
    return { id: job.id, status: 'completed' }
  } catch (error) {
    const cleanError = withoutQueryValues(error)
    const message = cleanError instanceof Error ? cleanError.message : String(cleanError)
    log[jobRun.isLastAttempt ? 'error' : 'warn'](
      { job: job.name, attempt: jobRun.attempt, error: message },
      'A job failed',
    )
    return { id: job.id, status: 'failed', output: { message } }
  }
}

function jobFailureText(output: object | null): string {
  return output && 'message' in output ? String(output.message) : ''
}
