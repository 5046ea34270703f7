import type { Logger } from 'pino'

const TIMEOUT_MS = 2000
const DATABASE = 'database'

/**
 * The check of `/readyz`: returns what keeps the process from serving requests, or null. `findOutage` rejects or hangs
 * without a database. A change is logged.
 */
export function createReadiness(findOutage: () => Promise<string | null>, log: Logger): () => Promise<string | null> {
  let last: string | null = null
  return async () => {
    const timeout = new Promise<string>((resolve) => setTimeout(resolve, TIMEOUT_MS, DATABASE).unref())
    const reason = await Promise.race([findOutage().catch(() => DATABASE), timeout])
    if (reason !== last) {
      last = reason
      if (reason === null) log.info('ready again')
      else log.error({ reason }, 'not ready')
    }
    return reason
  }
}
