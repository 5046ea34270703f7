import type { Redis } from 'ioredis'
import pg from 'pg'
import { config } from '../config/config.ts'
import { connectionOptions } from '../db/connection.ts'
import { afterCommit, ambientClient, pool } from '../db/db.ts'
import { log } from '../log.ts'
import { backoffMs } from '../shared/backoff.ts'

/**
 * A message between processes: an event was published (tenant `t`, channel `c`, id `i`; the event itself is read from the
 * table), or streams must end.
 */
export type ProcessNotification = { t: string; c: string; i: number } | { cut: { userId?: string; sessionId?: string } }

export interface NotificationListener {
  close(): Promise<void>
}

const CHANNEL = 'kafedra_live'
const RETRY = { firstMs: 50, maxMs: 3000 }

/** Whether notifications are sent by Redis; otherwise by NOTIFY of PostgreSQL. */
export const usesRedis = config.redisUrl !== undefined

/** Sends a notification to all processes when the surrounding transaction is committed. */
export async function sendNotification(notification: ProcessNotification): Promise<void> {
  if (usesRedis) return afterCommit(() => publishToRedis(notification))
  await (ambientClient() ?? pool).query('select pg_notify($1, $2)', [CHANNEL, JSON.stringify(notification)])
}

/**
 * Listens for notifications of all processes until `close()` and reconnects by itself. `onGap` is called after a
 * reconnection, because notifications may have been missed.
 */
export function listenForNotifications(handlers: {
  onNotification(notification: ProcessNotification): void
  onGap(): void
}): Promise<NotificationListener> {
  const onMessage = (message: string) => handlers.onNotification(JSON.parse(message))
  return config.redisUrl
    ? listenByRedis(config.redisUrl, onMessage, handlers.onGap)
    : listenByPostgres(onMessage, handlers.onGap)
}

let publisher: Promise<Redis> | undefined
const pending = new Set<Promise<unknown>>()

/** Publishes a notification to all processes immediately, by Redis. */
export function publishToRedis(notification: ProcessNotification): void {
  publisher ??= connectRedis(config.redisUrl ?? '')
  const sent: Promise<unknown> = publisher
    .then((client) => client.publish(CHANNEL, JSON.stringify(notification)))
    .catch((error: Error) => log.error({ error: error.message }, 'A notification could not be published to Redis'))
    .finally(() => pending.delete(sent))
  pending.add(sent)
}

/** Waits until Redis has received every notification of this process; called before the process ends. */
export async function flushPendingNotifications(): Promise<void> {
  await Promise.all(pending)
}

// Imported only where it is used, because the library takes memory.
async function connectRedis(url: string): Promise<Redis> {
  const { Redis } = await import('ioredis')
  const client = new Redis(url, {
    maxRetriesPerRequest: null,
    autoResubscribe: false,
    retryStrategy: (failures) => backoffMs(failures, RETRY),
  })
  client.on('error', (error) => log.warn({ error: error.message }, 'Redis is not available'))
  return client
}

async function listenByRedis(
  url: string,
  onMessage: (message: string) => void,
  onGap: () => void,
): Promise<NotificationListener> {
  const client = await connectRedis(url)
  client.on('message', (_channel, message) => onMessage(message))
  await client.subscribe(CHANNEL)
  // Registered after the first `ready`; each further one follows a lost connection.
  client.on('ready', () =>
    client
      .subscribe(CHANNEL)
      .then(onGap, (error: Error) => log.warn({ error: error.message }, 'Redis refused the subscription')),
  )
  return {
    async close() {
      client.disconnect()
    },
  }
}

const KEEP_ALIVE_MS = 15_000
const TIMEOUTS = { connectionTimeoutMillis: 10_000, query_timeout: 10_000 }

async function listenByPostgres(
  onMessage: (message: string) => void,
  onGap: () => void,
): Promise<NotificationListener> {
  let closed = false
  let client: pg.Client | undefined

  const connect = async () => {
    const next = new pg.Client({ ...connectionOptions(config), keepAlive: true, ...TIMEOUTS })
    next.on('notification', ({ payload }) => onMessage(payload ?? ''))
    const onLost = once(() => {
      clearInterval(keepAlive)
      next.end().catch(() => {})
      if (client === next && !closed) void reconnect(0)
    })
    next.on('error', onLost)
    next.on('end', onLost)
    // A connection that a firewall dropped gives no error, so it is checked periodically.
    const keepAlive = setInterval(() => next.query('select 1').catch(onLost), KEEP_ALIVE_MS).unref()
    try {
      await next.connect()
      await next.query(`listen ${CHANNEL}`)
    } catch (error) {
      onLost()
      throw error
    }
    client = next
  }
  const reconnect = async (failures: number): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, backoffMs(failures + 1, RETRY)).unref())
    if (closed) return
    await connect().then(onGap, () => reconnect(failures + 1))
  }
  await connect()
  return {
    async close() {
      closed = true
      await client?.end().catch(() => {})
    },
  }
}

function once(run: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) {
      isDone = true
      run()
    }
  }
}
