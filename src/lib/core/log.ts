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
  serializers: { err: (error: unknown) => told(withoutValues(error)) },
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

const LEVELS = { debug: 'debug', log: 'info', info: 'info', warn: 'warn', error: 'error' } as const

/**
 * From now on everything that libraries print, and Node's own warnings, are lines of this log: whoever reads it finds
 * one JSON object a line, stack traces inside.
 */
export function captureConsole(): void {
  for (const [name, level] of Object.entries(LEVELS)) {
    Reflect.set(console, name, (...given: unknown[]) => {
      const err = given.find((one) => one instanceof Error)
      log[level](
        { ...(err && { err }), from: 'console' },
        format(...given.map((one) => (one === err ? err?.message : one))),
      )
    })
  }
  process.removeAllListeners('warning')
  process.on('warning', (warning) => log.warn({ err: warning }, 'a warning of Node'))
}

/** Hands on what a child process prints: its JSON lines as they are, anything else as a line of this log. */
export async function forwardLines(output: Readable, from: string): Promise<void> {
  for await (const line of createInterface({ input: output })) {
    if (line.startsWith('{"')) process.stdout.write(`${line}\n`)
    else if (line !== '') log.warn({ from, line }, 'printed by a child process')
  }
}

/**
 * An error as it may be written down or sent away. A failed statement carries its values, among them what people wrote
 * and digests of their passwords: the statement stays, the values go.
 */
export function withoutValues(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const message = error instanceof DrizzleQueryError ? `Failed query: ${error.query}` : error.message
  const cause = error.cause === undefined ? {} : { cause: withoutValues(error.cause) }
  const clean = new Error(message, cause)
  const { name, stack = '' } = error
  const at = stack.indexOf(error.message)
  clean.stack = `${name}: ${message}${at === -1 ? '' : stack.slice(at + error.message.length)}`
  return Object.assign(clean, { name })
}

function told(error: unknown): unknown {
  return error instanceof Error ? pino.stdSerializers.err(error) : error
}

setInterval(() => buffer.flush(), 1000).unref()
