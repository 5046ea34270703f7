import { AsyncLocalStorage } from 'node:async_hooks'
import { log } from '#lib/core/log.ts'

const timers = new Map<string, NodeJS.Timeout>()
// A timer inherits the async context and with it the caller's transaction.
const runOutsideContext = AsyncLocalStorage.snapshot()

/**
 * Runs an action after `delayMs`, once per name however often it is scheduled meanwhile. A failure is logged and not
 * retried.
 */
export function scheduleOnce(name: string, delayMs: number, action: () => Promise<void>): void {
  if (timers.has(name)) return
  const run = () => {
    timers.delete(name)
    action().catch((error: unknown) => log.error({ err: error, name }, 'a delayed action failed'))
  }
  timers.set(
    name,
    runOutsideContext(() => setTimeout(run, delayMs).unref()),
  )
}
