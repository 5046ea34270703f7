const QUIET_MS = 60_000

/**
 * Limits how often errors of the connection of the job queue are logged: each of its pollers fails several times a second
 * while the database is away. Returns a listener that logs the first error, and then one a minute with the number of those
 * before it that were not logged.
 */
export function limitConnectionErrors(
  log: (fields: { error: string; unlogged?: number }) => void,
  now: () => number = Date.now,
): (error: Error) => void {
  let loggedAt = Number.NEGATIVE_INFINITY
  let unlogged = 0
  return ({ message }) => {
    if (now() - loggedAt < QUIET_MS) {
      unlogged += 1
      return
    }
    log({ error: message, ...(unlogged > 0 && { unlogged }) })
    loggedAt = now()
    unlogged = 0
  }
}
