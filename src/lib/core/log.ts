import pino, { type Logger } from 'pino'
import { config } from './config/config.ts'

const SECRETS = ['token', 'password', 'cookie', 'authorization', 'secret', 'code']

const options = {
  level: config.logLevel,
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  redact: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
}

/** Structured log of the process, one JSON line an event. Known names of secrets are blotted out. */
export const log: Logger = pino(options, pino.destination({ dest: 1, sync: true }))

const buffer = pino.destination({ dest: 1, sync: false, minLength: 8192 })

/** Log of requests: written in batches, at the latest after a second, because it is many small lines. */
export const accessLog: Logger = pino({ ...options, redact: [] }, buffer)

/** Writes out what the request log still holds; call it before the process ends. */
export function flushAccessLog(): void {
  try {
    buffer.flushSync()
  } catch {
    // Nothing was written yet, or standard output is gone.
  }
}

setInterval(() => buffer.flush(), 1000).unref()
