import fs from 'node:fs'
import { enableCompileCache } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import v8 from 'node:v8'
import type { Config } from '#lib/core/config/config.ts'
import type { Embedded } from '#lib/core/db/embedded.ts'
import type { Endpoint } from '#lib/core/http/server.ts'
import { reasonOf } from './reason.ts'

/** Functions that are called at shutdown, in reverse order. */
export type Closers = (() => unknown)[]

/**
 * Sets up the JavaScript engine of a process: a cache of compiled code across starts, and a heap that grows by at most
 * 60 % of the used size. By default V8 lets it grow to a multiple where the machine has much memory, which gains no
 * throughput here (docs/decisions/215-heap-growth.md).
 */
export function configureEngine(): void {
  enableCompileCache(path.resolve('node_modules/.cache/compiled'))
  v8.setFlagsFromString('--heap-growing-percent=60')
}

/** The validated configuration; an invalid value ends the process with the variable's name. */
export async function loadConfig(mode: 'production' | 'development'): Promise<Config> {
  process.env.NODE_ENV ||= mode
  try {
    return (await import('#lib/core/config/config.ts')).config
  } catch (error) {
    if (!(error instanceof Error) || error.constructor.name !== 'ConfigurationError') throw error
    console.error(`Налаштування · Configuration:\n${error.message.replace(/^/gm, '  ')}`)
    process.exit(1)
  }
}

/**
 * Locks the data directory for this process. The lock is that of a SQLite database in it, which the operating system keeps
 * for the file and releases when the process ends, so it also holds between containers that share a volume. When another
 * process has the lock, prints its address and pid and exits.
 */
export async function lockDataFolder(dataDir: string, details: Record<string, string>): Promise<() => void> {
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o711 })
  // Earlier versions created them with permissions for all accounts of the machine. The folder of PostgreSQL has a
  // different owner.
  for (const name of ['files', 'broadcast', 'tmp', 'outbox']) {
    const folder = path.join(dataDir, name)
    if (fs.existsSync(folder)) fs.chmodSync(folder, 0o700)
  }
  const { DatabaseSync } = await import('node:sqlite')
  const lock = new DatabaseSync(path.join(dataDir, 'app.lock'), { timeout: 0 })
  const holderFile = path.join(dataDir, 'app.lock.json')
  try {
    // Nothing is written to it, so a full disk does not prevent the start.
    lock.exec('pragma locking_mode = exclusive; pragma journal_mode = memory; begin exclusive')
  } catch (error) {
    if (!(error instanceof Error && Reflect.get(error, 'errcode') === SQLITE_BUSY)) throw error
    const { pid = '?', host = '', address = '' } = readHolder(holderFile)
    const place = host === os.hostname() ? `pid ${pid}` : `${host}, pid ${pid}`
    console.error(`Кафедра вже працює з ${dataDir} · Kafedra already runs on this directory: ${address} (${place})`)
    process.exit(1)
  }
  fs.writeFileSync(holderFile, JSON.stringify({ pid: process.pid, host: os.hostname(), ...details }), { mode: 0o600 })
  return () => lock.close()
}

const SQLITE_BUSY = 5

// Another process may be writing the file.
function readHolder(file: string): Record<string, unknown> {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}

/**
 * Starts the embedded database unless DATABASE_URL is set, applies all migrations and checks the secret key. Waits for a
 * database that is away.
 */
export async function startDatabase(config: Config, closers: Closers): Promise<Embedded | null> {
  const embedded = await openDatabase(config, closers)
  const { migrate } = await import('#lib/core/db/migrate.ts')
  const { waitForDatabase } = await import('#lib/core/db/wait-for-database.ts')
  await waitForDatabase(migrate).catch((error: Error) => {
    throw error.constructor.name === 'NewerDatabaseError'
      ? new Error(`${NEWER_DATABASE_MESSAGE} · ${error.message}`)
      : error
  })
  const { requireSecretKey } = await import('#lib/core/secret-key/secret-key.ts')
  const { ENCRYPTED_COLUMNS } = await import('#lib/encrypted-columns.ts')
  await waitForDatabase(() => requireSecretKey(ENCRYPTED_COLUMNS))
  return embedded
}

const NEWER_DATABASE_MESSAGE = 'База даних новіша за програму: установіть новішу версію або відновіть резервну копію'

/** Starts the embedded database unless DATABASE_URL is set, without migrations. */
export async function openDatabase(config: Config, closers: Closers): Promise<Embedded | null> {
  let embedded: Embedded | null = null
  if (!config.databaseUrl) {
    const { startEmbedded } = await import('#lib/core/db/embedded.ts')
    embedded = await startEmbedded(config.dataDir)
    closers.push(embedded.stop)
  }
  await connectDatabase(closers)
  return embedded
}

/** Closes this process's connections at shutdown, after their pending output. */
export async function connectDatabase(closers: Closers): Promise<void> {
  const { pool } = await import('#lib/core/db/db.ts')
  // A connection in use must not delay the shutdown: the server closes it.
  closers.push(() => Promise.race([pool.end(), new Promise((resolve) => setTimeout(resolve, 2000))]))
  const { flushPendingNotifications } = await import('#lib/core/live/process-notification.ts')
  closers.push(() => Promise.race([flushPendingNotifications(), new Promise((resolve) => setTimeout(resolve, 1000))]))
}

/** The endpoints that bypass the renderer: files and media streams. Starts the media process, which ends with this one. */
export async function createEndpoints(closers: Closers): Promise<ReadonlyMap<string, Endpoint>> {
  const { fileEndpoints } = await import('#lib/core/files/files.ts')
  const { isSessionAlive } = await import('#lib/user/session-call.ts')
  const { broadcastEndpoint } = await import('#lib/core/broadcast/broadcast-endpoint.ts')
  const { hlsEndpoint } = await import('#lib/core/broadcast/hls/hls-endpoint.ts')
  const { HLS_PATH } = await import('#lib/core/broadcast/hls/hls-token.ts')
  const { BROADCAST_PATH, startBroadcast } = await import('#lib/core/broadcast/broadcast.ts')
  const { canUseStream } = await import('#lib/meeting/stage/media-access.ts')
  closers.push(await startBroadcast())
  return new Map([
    ...fileEndpoints(isSessionAlive),
    [BROADCAST_PATH, broadcastEndpoint(canUseStream)],
    [HLS_PATH, hlsEndpoint(canUseStream)],
  ])
}

/** Starts the job worker and the server of incoming mail; they are stopped first at shutdown. */
export async function startJobWorker(closers: Closers): Promise<void> {
  const { startJobs } = await import('#lib/core/jobs/jobs.ts')
  const { jobs } = await import('#lib/jobs.ts')
  const { waitForDatabase } = await import('#lib/core/db/wait-for-database.ts')
  const running = await waitForDatabase(() => startJobs(jobs))
  closers.push(() => running.stop())
  await startInboundMail(closers)
}

/** Receives replies to emails by SMTP, when a port is configured. */
async function startInboundMail(closers: Closers): Promise<void> {
  const { config } = await import('#lib/core/config/config.ts')
  if (!config.mailInbound || !config.mailReplyAddress) return
  const { startInboundServer } = await import('#lib/core/mail/inbound/server.ts')
  const { receiveReply } = await import('#lib/chat/reply/reply.ts')
  const server = await startInboundServer(config.mailInbound, (raw, client) => receiveReply(raw, { client }))
  closers.push(() => server.stop())
}

/**
 * The first SIGINT or SIGTERM runs all closers and exits with 0. A second one exits immediately, unless it is the copy of
 * Ctrl-C that npm sends. Uncaught errors are logged after the start (`settled`) and end the process before.
 */
export function closeOnSignals(closers: Closers): { settled(): void; end(code: number): Promise<void> } {
  let endedAt = 0
  const end = async (code: number) => {
    endedAt = Date.now()
    for (const close of closers.splice(0).reverse()) {
      await Promise.resolve()
        .then(close)
        .catch((error: Error) => console.error(error.message))
    }
    process.exit(code)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (endedAt === 0) void end(0)
      else if (Date.now() - endedAt > 700) process.exit(1)
    })
  }
  endWithNpm(() => {
    if (endedAt === 0) void end(0)
  })
  let started = false
  const unhandled = (error: unknown) => {
    if (started) return void logUncaughtError(error)
    console.error(reasonOf(error))
    if (endedAt === 0) void end(1)
  }
  process.on('uncaughtException', unhandled)
  process.on('unhandledRejection', unhandled)
  const settled = () => {
    started = true
  }
  return { settled, end }
}

// A killed npm does not forward signals, and its child would keep the port and the lock. Without npm a process may
// intentionally outlive its parent.
function endWithNpm(end: () => void): void {
  const script = path.basename(process.argv[1] ?? '')
  if (!script || !process.env.npm_lifecycle_script?.includes(script)) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    end()
  }, 1000)
  timer.unref()
}

async function logUncaughtError(error: unknown): Promise<void> {
  const { log } = await import('#lib/core/log.ts')
  log.error({ err: error }, 'uncaught error')
}
