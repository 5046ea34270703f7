import { randomUUID } from 'node:crypto'
import { type JobResult, type JobWithMetadata, PgBoss } from 'pg-boss'
import { config } from '../config/config.ts'
import { connectionOptions } from '../db/connection.ts'
import { ambientClient, pool } from '../db/db.ts'
import { log, withoutValues } from '../log.ts'
import { DEAD_QUEUE, ensureQueue, type Patience, settleQueue } from './queue.ts'

/** The tenant travels in the data: pg-boss's own tables know no walls. */
export interface JobData {
  tenantId: string | null
  [key: string]: unknown
}

export interface JobRun {
  /** From 1. */
  attempt: number
  /** No further try follows when this one fails. */
  last: boolean
  /** Aborted when the process must end before the job does. */
  signal: AbortSignal
}

/** Runs in no transaction and no tenant by itself, and must be safe to run twice. Throws to be tried again. */
export type JobHandler = (data: never, run: JobRun) => Promise<unknown>

export interface JobHabits extends Patience {
  /** `cron` (UTC) makes the job come by itself, once for all processes. */
  cron?: string
  /** Jobs that a process runs side by side, each taken by itself; without it two, taken in batches. For long jobs. */
  atOnce?: number
  /** A process leaves these jobs in the queue until this says yes; it is asked every half minute. */
  ready?: () => Promise<boolean>
  /** The signal comes as soon as the process is to end, not when its time to finish is over. */
  leaves?: boolean
}

export type JobList = Record<string, JobHandler | ({ run: JobHandler } & JobHabits)>

export interface EnqueueOptions {
  startAfter?: Date
  /** While a job of this name and key waits, a second one is not added. */
  singletonKey?: string
  /** See Patience; for a job that may be added before a worker has settled its queue. */
  hours?: number
}

/**
 * Adds a job in the surrounding transaction (at once when there is none): it exists if and only if the change does.
 * Works in processes that run no jobs themselves.
 */
export async function enqueueJob(name: string, data: JobData, options: EnqueueOptions = {}): Promise<void> {
  await ensureQueue(name)
  const { startAfter, hours, singletonKey = randomUUID() } = options
  const when = startAfter ? { startAfter } : {}
  await sender.send(name, data, { singletonKey, ...when, ...(hours ? { expireInSeconds: hours * 3600 } : {}) })
}

/** Works on the jobs of the list until `stop()`, which lets running ones finish (25 s at most). */
export async function startJobs(list: JobList): Promise<{ stop(): Promise<void> }> {
  const boss = new PgBoss({ ...connectionOptions(config), max: 4, useListenNotify: true, superviseIntervalSeconds: 30 })
  boss.on('error', (error) => log.error({ error: error.message }, 'Jobs lost their database for a moment'))
  boss.on('warning', ({ message }) => log.warn(message))
  await boss.start()
  const ending = new AbortController()
  const timers: NodeJS.Timeout[] = []
  for (const [name, entry] of Object.entries(list)) {
    const { run, cron, atOnce, ready, leaves, ...patience } = typeof entry === 'function' ? { run: entry } : entry
    await settleQueue(boss, name, patience)
    if (cron) await boss.schedule(name, cron)
    const habits = atOnce ? { ...HABITS, localConcurrency: atOnce, batchSize: 1 } : HABITS
    const begin = () =>
      boss.work(name, habits, async (taken) => {
        const results: JobResult[] = []
        for (const job of taken) {
          const signal = leaves ? AbortSignal.any([job.signal, ending.signal]) : job.signal
          results.push(await attempt(run, job, signal))
        }
        return results
      })
    if (!ready || (await ready())) await begin()
    else timers.push(whenReady(ready, begin))
  }
  return {
    stop: () => {
      for (const timer of timers) clearInterval(timer)
      ending.abort()
      return boss.stop({ graceful: true, timeout: 25_000 })
    },
  }
}

export interface FailedJob {
  name: string
  tenantId: string | null
  failedAt: Date
  /** What the last try said. */
  says: string
}

/** Jobs that failed for good, the newest first, for `doctor`. */
export async function failedJobs(): Promise<FailedJob[]> {
  const { rows } = await pool.query("select to_regclass('pgboss.queue') is not null as installed")
  if (!rows[0].installed) return []
  await ensureQueue(DEAD_QUEUE)
  const dead = await sender.findJobs<JobData>(DEAD_QUEUE, {})
  return dead
    .map((job) => ({
      name: job.sourceName ?? job.name,
      tenantId: job.data?.tenantId ?? null,
      failedAt: job.createdOn,
      says: messageOf(job.sourceOutput),
    }))
    .sort((a, b) => b.failedAt.getTime() - a.failedAt.getTime())
}

// A notice wakes a worker for a new job; polling finds those whose second try is due. A full batch means there is more.
// One after another in a batch: a waiting handler may hold a connection of the pool, and pages need those too.
const HABITS = {
  includeMetadata: true,
  perJobResults: true,
  localConcurrency: 2,
  batchSize: 5,
  burstWhenBatchFull: true,
  notifyPollingIntervalSeconds: 5,
} as const

const ASK_READY_MS = 30_000

// Never started: it only writes, on the caller's transaction or on the pool, and keeps no timers.
const sender = new PgBoss({
  db: { executeSql: (text, values) => (ambientClient() ?? pool).query(text, values) },
  supervise: false,
  schedule: false,
  migrate: false,
})

function whenReady(ready: () => Promise<boolean>, begin: () => Promise<unknown>): NodeJS.Timeout {
  const timer = setInterval(async () => {
    if (!(await ready())) return
    clearInterval(timer)
    await begin().catch((error: Error) => log.error({ error: error.message }, 'A worker did not begin'))
  }, ASK_READY_MS)
  return timer
}

async function attempt(run: JobHandler, job: JobWithMetadata<unknown>, signal: AbortSignal): Promise<JobResult> {
  const about = { attempt: job.retryCount + 1, last: job.retryCount >= job.retryLimit, signal }
  try {
    // What was enqueued under a name is what its handler takes.
    await run(job.data as never, about)
    return { id: job.id, status: 'completed' }
  } catch (error) {
    const told = withoutValues(error)
    const message = told instanceof Error ? told.message : String(told)
    log[about.last ? 'error' : 'warn']({ job: job.name, attempt: about.attempt, error: message }, 'A job failed')
    return { id: job.id, status: 'failed', output: { message } }
  }
}

function messageOf(output: object | null): string {
  return output && 'message' in output ? String(output.message) : ''
}
