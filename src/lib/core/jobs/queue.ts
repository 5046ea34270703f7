import { PgBoss } from 'pg-boss'
import { config } from '../config/config.ts'
import { connectionOptions } from '../db/connection.ts'
import { DAY_SECONDS, HOUR_SECONDS } from '../shared/time.ts'

/** The dead letter queue: jobs that failed finally. No worker fetches them; `doctor` lists them. */
export const DEAD_QUEUE = 'dead'

export interface RetryPolicy {
  /** 5 by default. */
  maxAttempts?: number
  /** Before the second attempt; doubled with jitter for each further one, at most ten minutes. 5 by default. */
  retryDelaySeconds?: number
  /** How long an attempt may take, at most 24; 0.25 by default. */
  timeoutHours?: number
  /** How long a job may wait; 14 by default. */
  retentionDays?: number
}

// A worker sends heartbeats while a job runs; after this time without one the job is given to another worker.
const HEARTBEAT_SECONDS = 30

/** Creates pg-boss's schema and the queue when they are missing. Several processes may call it at the same time. */
export async function createQueue(boss: PgBoss, name: string): Promise<void> {
  await boss.createQueue(DEAD_QUEUE)
  if (name === DEAD_QUEUE) return
  await boss.createQueue(name, { ...settings({}), policy: 'short', deadLetter: DEAD_QUEUE })
}

/**
 * Creates or updates a queue with the settings of its worker. Waiting jobs have the settings that the queue had when they
 * were added, which are the defaults if no worker had run; they are updated too.
 */
export async function configureQueue(boss: PgBoss, name: string, retryPolicy: RetryPolicy): Promise<void> {
  await createQueue(boss, name)
  const queueSettings = settings(retryPolicy)
  await boss.updateQueue(name, { ...queueSettings, deadLetter: DEAD_QUEUE })
  await boss
    .getDb()
    .executeSql(UPDATE_WAITING_JOBS, [
      name,
      queueSettings.retryLimit,
      queueSettings.retryDelay,
      queueSettings.expireInSeconds,
      queueSettings.retentionSeconds,
    ])
}

const UPDATE_WAITING_JOBS = `update pgboss.job
  set retry_limit = $2, retry_delay = $3, expire_seconds = $4, keep_until = start_after + $5 * interval '1 second'
  where name = $1 and state in ('created', 'retry') and (retry_limit, retry_delay, expire_seconds) <> ($2, $3, $4)`

const queues = new Map<string, Promise<void>>()

/**
 * Makes sure, once in a process, that the queue of a job exists. It uses a separate connection: the caller may hold the
 * last one of the pool, and a rollback of its transaction must not remove the queue.
 */
export function ensureQueue(name: string): Promise<void> {
  const created = queues.get(name) ?? createQueueSeparately(name)
  queues.set(name, created)
  created.catch(() => queues.delete(name))
  return created
}

async function createQueueSeparately(name: string): Promise<void> {
  const boss = new PgBoss({ ...connectionOptions(config), max: 1, supervise: false, schedule: false })
  boss.on('error', () => {})
  try {
    await boss.start()
    await createQueue(boss, name)
  } finally {
    await boss.stop({ graceful: false })
  }
}

function settings({ maxAttempts = 5, retryDelaySeconds = 5, timeoutHours = 0.25, retentionDays = 14 }: RetryPolicy) {
  return {
    expireInSeconds: timeoutHours * HOUR_SECONDS,
    retentionSeconds: retentionDays * DAY_SECONDS,
    notify: true,
    retryLimit: maxAttempts - 1,
    retryDelay: retryDelaySeconds,
    retryBackoff: true,
    retryDelayMax: 600,
    heartbeatSeconds: HEARTBEAT_SECONDS,
  }
}
