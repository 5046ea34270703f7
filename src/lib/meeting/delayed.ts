import { AsyncLocalStorage } from 'node:async_hooks'
import { log } from '#lib/core/log.ts'

const timers = new Map<string, NodeJS.Timeout>()
// A timer keeps the context of who set it, and with it somebody's transaction.
const runOutsideContext = AsyncLocalStorage.snapshot()

/** Does something after `ms`, once however often it is asked meanwhile; a failure is noted and not repeated. */
export function scheduleOnce(name: string, delayMs: number, action: () => Promise<void>): void {
  if (timers.has(name)) return
  const run = () => {
    timers.delete(name)
    action().catch((error: unknown) => log.error({ err: error, name }, 'put off and then failed'))
  }
  timers.set(
    name,
    runOutsideContext(() => setTimeout(run, delayMs).unref()),
  )
}
