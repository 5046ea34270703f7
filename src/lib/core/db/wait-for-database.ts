import { setTimeout as delay } from 'node:timers/promises'
import { config } from '../config/config.ts'
import { log } from '../log.ts'
import { isServiceUnavailable } from '../service-unavailable.ts'
import { backoffMs } from '../shared/backoff.ts'
import { connectionOptions } from './connection.ts'

const RETRY = { firstMs: 500, maxMs: 10_000, jitter: 0.2 }

/**
 * Runs a function of the start, again and again while the database is away (not reachable, starting, without a free
 * connection). Each failure is logged with the place of the database and the reason. Rejects with any other error, e.g. a
 * wrong password or a missing database, which waiting does not cure. The function has to be repeatable.
 */
export async function waitForDatabase<T>(run: () => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      const result = await run()
      if (failures > 1) log.info({ database: placeOfDatabase() }, 'the database responds')
      return result
    } catch (error) {
      if (!isServiceUnavailable(error)) throw error
      const retryInMs = Math.round(backoffMs(failures, RETRY))
      log.warn({ database: placeOfDatabase(), attempt: failures, retryInMs, reason: reasonOf(error) }, WAITING)
      await delay(retryInMs)
    }
  }
}

const WAITING = 'waiting for the database'

// Without user and password.
function placeOfDatabase(): string {
  const { connectionString, host } = connectionOptions(config)
  if (!connectionString) return String(host)
  const { host: address, pathname, searchParams } = new URL(connectionString)
  return `${searchParams.get('host') ?? address}${pathname}`
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return reasonOf(error.cause)
  return error.message || String(Reflect.get(error, 'code'))
}
