import { AsyncLocalStorage } from 'node:async_hooks'
import { log } from '#lib/core/log.ts'

const waiting = new Map<string, NodeJS.Timeout>()
// A timer keeps the context of who set it, and with it somebody's transaction.
const outside = AsyncLocalStorage.snapshot()

/** Does something after `ms`, once however often it is asked meanwhile; a failure is noted and not repeated. */
export function soon(name: string, ms: number, act: () => Promise<void>): void {
  if (waiting.has(name)) return
  const run = () => {
    waiting.delete(name)
    act().catch((error: unknown) => log.error({ err: error, name }, 'put off and then failed'))
  }
  waiting.set(
    name,
    outside(() => setTimeout(run, ms).unref()),
  )
}
