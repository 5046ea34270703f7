import type { Redis } from 'ioredis'
import pg from 'pg'
import { config } from '../config/config.ts'
import { connectionOptions } from '../db/connection.ts'
import { afterCommit, ambientClient, pool } from '../db/db.ts'
import { log } from '../log.ts'

/** What processes tell each other: something was said (read it from the table), or streams must end. */
export type Notice = { t: string; c: string; i: number } | { cut: { userId?: string; sessionId?: string } }

export interface Wire {
  close(): Promise<void>
}

const CHANNEL = 'kafedra_live'

/** True when Redis carries the notices; PostgreSQL does otherwise. */
export const byRedis = config.redisUrl !== undefined

/** Tells all processes, after the surrounding transaction is committed. */
export async function tell(notice: Notice): Promise<void> {
  if (byRedis) return afterCommit(() => shout(notice))
  await (ambientClient() ?? pool).query('select pg_notify($1, $2)', [CHANNEL, JSON.stringify(notice)])
}

/**
 * Hears the notices of all processes until `close()`, and connects again by itself. `gap` is called when notices may
 * have been missed meanwhile.
 */
export function hear(on: { notice(notice: Notice): void; gap(): void }): Promise<Wire> {
  const take = (words: string) => on.notice(JSON.parse(words))
  return config.redisUrl ? hearRedis(config.redisUrl, take, on.gap) : hearPostgres(take, on.gap)
}

let speaker: Promise<Redis> | undefined
const pending = new Set<Promise<unknown>>()

/** Tells all processes at once, by Redis. */
export function shout(notice: Notice): void {
  speaker ??= redis(config.redisUrl ?? '')
  const sent: Promise<unknown> = speaker
    .then((client) => client.publish(CHANNEL, JSON.stringify(notice)))
    .catch((error: Error) => log.error({ error: error.message }, 'Redis took no notice'))
    .finally(() => pending.delete(sent))
  pending.add(sent)
}

/** Waits until Redis has taken every notice of this process, for one that is about to end. */
export async function sendPendingNotices(): Promise<void> {
  await Promise.all(pending)
}

// Loaded only where it is used, because a library at rest costs memory too.
async function redis(url: string): Promise<Redis> {
  const { Redis } = await import('ioredis')
  const client = new Redis(url, {
    maxRetriesPerRequest: null,
    autoResubscribe: false,
    retryStrategy: (times) => Math.min(times * 100, 3000),
  })
  client.on('error', (error) => log.warn({ error: error.message }, 'Redis is away'))
  return client
}

async function hearRedis(url: string, take: (words: string) => void, gap: () => void): Promise<Wire> {
  const client = await redis(url)
  client.on('message', (_channel, words) => take(words))
  await client.subscribe(CHANNEL)
  // Only now: the first `ready` is behind us, each further one follows a cut.
  client.on('ready', () =>
    client
      .subscribe(CHANNEL)
      .then(gap, (error: Error) => log.warn({ error: error.message }, 'Redis takes no subscription')),
  )
  return {
    async close() {
      client.disconnect()
    },
  }
}

const ALIVE_MS = 15_000

async function hearPostgres(take: (words: string) => void, gap: () => void): Promise<Wire> {
  let closed = false
  let client: pg.Client | undefined

  const connect = async () => {
    const next = new pg.Client({ ...connectionOptions(config), keepAlive: true, query_timeout: 10_000 })
    next.on('notification', ({ payload }) => take(payload ?? ''))
    const lost = once(() => {
      clearInterval(alive)
      next.end().catch(() => {})
      if (client === next && !closed) void again(0)
    })
    next.on('error', lost)
    next.on('end', lost)
    // A connection that a firewall dropped in silence says nothing: ask it now and then.
    const alive = setInterval(() => next.query('select 1').catch(lost), ALIVE_MS).unref()
    try {
      await next.connect()
      await next.query(`listen ${CHANNEL}`)
    } catch (error) {
      lost()
      throw error
    }
    client = next
  }
  const again = async (failures: number): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, Math.min(50 * 2 ** failures, 3000)).unref())
    if (closed) return
    await connect().then(gap, () => again(failures + 1))
  }
  await connect()
  return {
    async close() {
      closed = true
      await client?.end().catch(() => {})
    },
  }
}

function once(act: () => void): () => void {
  let done = false
  return () => {
    if (!done) {
      done = true
      act()
    }
  }
}
