import pg from 'pg'
import { config } from '../config/config.ts'
import { ServiceUnavailable } from '../service-unavailable.ts'
import { connectionOptions } from './connection.ts'

/** Work that takes longer starts a check whether the database responds. */
const LOOK_AFTER_MS = 2500
/** Timeout of that check. */
const ANSWER_MS = 2000
/** The longest time until an unresponsive database is detected. */
export const LONGEST_WAIT_MS = LOOK_AFTER_MS + ANSWER_MS

/**
 * Runs a function that waits for the database. A slow statement is not interrupted. When the database does not respond
 * (suspended, or behind a network that drops packets), the promise rejects with Unavailable and `signal` is aborted
 * within five seconds.
 */
export async function watchDatabase<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let ended = false
  const timedOut = new Promise<never>((_resolve, reject) => {
    const look = async () => {
      const answered = await answers()
      if (ended) return
      if (answered) timer = setTimeout(look, LOOK_AFTER_MS).unref()
      else {
        const error = new ServiceUnavailable('the database does not answer')
        reject(error)
        stop.abort(error)
      }
    }
    timer = setTimeout(look, LOOK_AFTER_MS).unref()
  })
  const work = run(stop.signal)
  // After the abort the result is not used.
  work.catch(() => undefined)
  try {
    return await Promise.race([work, timedOut])
  } finally {
    ended = true
    clearTimeout(timer)
  }
}

let probe: Promise<boolean> | undefined

// One check at a time for all callers, on a separate connection, because those of the pool may be blocked.
function answers(): Promise<boolean> {
  probe ??= probeDatabase().finally(() => {
    probe = undefined
  })
  return probe
}

async function probeDatabase(): Promise<boolean> {
  const client = new pg.Client({
    ...connectionOptions(config),
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  })
  client.on('error', () => undefined)
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, ANSWER_MS, false).unref())
  const answer = client
    .connect()
    .then(() => client.query('select 1'))
    .then(
      () => true,
      // An error with an SQLSTATE, e.g. too many connections, is a response too.
      (error: Error & { code?: string }) => /^[0-9A-Z]{5}$/.test(error.code ?? '') && !error.code?.startsWith('57P'),
    )
  const answered = await Promise.race([answer, late])
  void client.end().catch(() => undefined)
  return answered
}
