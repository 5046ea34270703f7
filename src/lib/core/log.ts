import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { format } from 'node:util'
import { DrizzleQueryError } from 'drizzle-orm'
import pino, { type Logger } from 'pino'
import { config } from './config/config.ts'

const SECRETS = ['token', 'password', 'cookie', 'authorization', 'secret', 'code']

const options = {
  level: config.logLevel,
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  redact: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
  serializers: { err: (error: unknown) => serializeError(withoutQueryValues(error)) },
}

// Lines that wait for a file on a full disk; further ones are dropped.
const MAX_BUFFERED_BYTES = 1_000_000

/** Structured log of the process, one JSON line an event. Fields with known names of secrets are redacted. */
export const log: Logger = pino(options, createOutput({ sync: true }))

// A write of at most 4096 bytes to a pipe is atomic with regard to other processes.
const buffer = createOutput({ sync: false, minLength: 3072, maxWrite: 4096 })

/** Log of requests, written in batches at most one second late, because it has many small lines. */
export const accessLog: Logger = pino({ ...options, redact: [] }, buffer)

/** Writes the buffered lines of the request log; call it before the process ends. */
export function flushAccessLog(): void {
  try {
    buffer.flushSync()
  } catch {
    // Nothing was written yet, or standard output is closed.
  }
}

// Without a listener, a log file on a full disk would make every call of the log throw. Writing works again with space.
function createOutput(settings: object): ReturnType<typeof pino.destination> {
  const output = pino.destination({ dest: 1, maxLength: MAX_BUFFERED_BYTES, ...settings })
  output.on('error', () => {})
  return output
}

const LEVELS = { debug: 'debug', log: 'info', info: 'info', warn: 'warn', error: 'error' } as const

/**
 * Redirects console output of libraries and Node's warnings to this log, so that every line is one JSON object with the
 * stack trace inside.
 */
export function captureConsole(): void {
  for (const [name, level] of Object.entries(LEVELS)) {
    Reflect.set(console, name, (...values: unknown[]) => {
      const err = values.find((value) => value instanceof Error)
      log[level](
        { ...(err && { err }), from: 'console' },
        format(...values.map((value) => (value === err ? err?.message : value))),
      )
    })
  }
  process.removeAllListeners('warning')
  process.on('warning', (warning) => log.warn({ err: warning }, 'a warning of Node'))
}

/** Forwards the output of a child process: JSON lines unchanged, other lines as entries of this log. */
export async function forwardLines(output: Readable, from: string): Promise<void> {
  for await (const line of createInterface({ input: output })) {
    if (line.startsWith('{"')) process.stdout.write(`${line}\n`)
    else if (line !== '') log.warn({ from, line }, 'printed by a child process')
  }
}

/**
 * A copy of an error without the values of a failed SQL statement, which may be user content or password digests. The
 * statement itself is kept.
 */
export function withoutQueryValues(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const message = error instanceof DrizzleQueryError ? `Failed query: ${error.query}` : error.message
  const cause = error.cause === undefined ? {} : { cause: withoutQueryValues(error.cause) }
  const clean = new Error(message, cause)
  const { name, stack = '' } = error
  const messageIndex = stack.indexOf(error.message)
  clean.stack = `${name}: ${message}${messageIndex === -1 ? '' : stack.slice(messageIndex + error.message.length)}`
  return Object.assign(clean, { name })
}

function serializeError(error: unknown): unknown {
  return error instanceof Error ? pino.stdSerializers.err(error) : error
}

setInterval(() => buffer.flush(), 1000).unref()
