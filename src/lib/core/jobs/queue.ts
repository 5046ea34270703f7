import { PgBoss } from 'pg-boss'
import { config } from '../config/config.ts'
import { connectionOptions } from '../db/connection.ts'

/** Where jobs rest that failed for good; nobody works on it, `doctor` shows it. */
export const DEAD_QUEUE = 'dead'

export interface Patience {
  /** How often a job is tried in all; 5 when absent. */
  tries?: number
  /** Before the second try; doubled, with jitter, up to ten minutes. 5 when absent. */
  retryDelaySeconds?: number
  /** A try may take so long, at most 24; a quarter of an hour when absent. */
  hours?: number
  /** So long a job may wait; 14 when absent. */
  days?: number
}

// While a job runs its worker says so; a killed one is silent for this long before another takes the job.
const HEARTBEAT_SECONDS = 30

/** Makes pg-boss's schema and the queue when they are missing. Several processes may do so at once. */
export async function makeQueue(boss: PgBoss, name: string): Promise<void> {
  await boss.createQueue(DEAD_QUEUE)
  if (name === DEAD_QUEUE) return
  await boss.createQueue(name, { ...settings({}), policy: 'short', deadLetter: DEAD_QUEUE })
}

/**
 * The queue as the worker wants it, whoever made it. Jobs that wait already took over the settings that the queue had when
 * they were added, which are those of no worker if none had run by then: they get the worker's too.
 */
export async function settleQueue(boss: PgBoss, name: string, patience: Patience): Promise<void> {
  await makeQueue(boss, name)
  const wanted = settings(patience)
  await boss.updateQueue(name, { ...wanted, deadLetter: DEAD_QUEUE })
  await boss
    .getDb()
    .executeSql(SETTLE_WAITING, [
      name,
      wanted.retryLimit,
      wanted.retryDelay,
      wanted.expireInSeconds,
      wanted.retentionSeconds,
    ])
}

const SETTLE_WAITING = `update pgboss.job
  set retry_limit = $2, retry_delay = $3, expire_seconds = $4, keep_until = start_after + $5 * interval '1 second'
  where name = $1 and state in ('created', 'retry') and (retry_limit, retry_delay, expire_seconds) <> ($2, $3, $4)`

const known = new Map<string, Promise<void>>()

/**
 * Sees to it, once in a process, that a job of this name can be enqueued. On a connection of its own: the caller may
 * hold the last one of the pool, and its transaction must not roll the queue back.
 */
export function ensureQueue(name: string): Promise<void> {
  const ready = known.get(name) ?? makeApart(name)
  known.set(name, ready)
  ready.catch(() => known.delete(name))
  return ready
}

async function makeApart(name: string): Promise<void> {
  const boss = new PgBoss({ ...connectionOptions(config), max: 1, supervise: false, schedule: false })
  boss.on('error', () => {})
  try {
    await boss.start()
    await makeQueue(boss, name)
  } finally {
    await boss.stop({ graceful: false })
  }
}

function settings({ tries = 5, retryDelaySeconds = 5, hours = 0.25, days = 14 }: Patience) {
  return {
    expireInSeconds: hours * 3600,
    retentionSeconds: days * 24 * 3600,
    notify: true,
    retryLimit: tries - 1,
    retryDelay: retryDelaySeconds,
    retryBackoff: true,
    retryDelayMax: 600,
    heartbeatSeconds: HEARTBEAT_SECONDS,
  }
}
