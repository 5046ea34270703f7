import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { enableCompileCache } from 'node:module'
import net from 'node:net'
import path from 'node:path'
import type { Config } from '#lib/core/config/config.ts'
import type { Embedded } from '#lib/core/db/embedded.ts'
import type { Endpoint } from '#lib/core/http/server.ts'

/** What is undone at the end, the last begun first. */
export type Closers = (() => unknown)[]

/** Keeps compiled code between starts. */
export function enableCodeCache(): void {
  enableCompileCache(path.resolve('node_modules/.cache/compiled'))
}

/** The checked configuration; a bad value ends the process with the variable's name. */
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
 * Takes the data directory for this process. The lock is a listening socket, which the system closes with its process,
 * however that ends; whoever finds it taken is told by whom and exits.
 */
export async function lockDataFolder(dataDir: string, about: Record<string, string>): Promise<() => void> {
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o711 })
  // Earlier versions left them readable by every account of the machine. PostgreSQL's folder has its own owner.
  for (const name of ['files', 'broadcast', 'tmp', 'outbox']) {
    const folder = path.join(dataDir, name)
    if (fs.existsSync(folder)) fs.chmodSync(folder, 0o700)
  }
  const name = lockName(fs.realpathSync(dataDir))
  const words = JSON.stringify({ pid: process.pid, ...about })
  const server = net.createServer((socket) => socket.on('error', () => {}).end(words))
  for (let attempt = 0; !(await listens(server, name)); attempt++) {
    const holder = await askHolder(name)
    if (holder !== null || attempt > 3) {
      const { pid = '?', address = '' } = JSON.parse(holder || '{}')
      console.error(`Кафедра вже працює з ${dataDir} · Kafedra already runs on this directory: ${address} (pid ${pid})`)
      process.exit(1)
    }
    if (!name.startsWith('\0')) fs.rmSync(name, { force: true })
  }
  server.unref()
  return () => server.close()
}

/** The embedded server, unless DATABASE_URL names one; then the newest schema. */
export async function startDatabase(config: Config, closers: Closers): Promise<Embedded | null> {
  const embedded = await openDatabase(config, closers)
  const { migrate } = await import('#lib/core/db/migrate.ts')
  await migrate().catch((error: Error) => {
    throw error.constructor.name === 'NewerDatabaseError' ? new Error(`${NEWER} · ${error.message}`) : error
  })
  return embedded
}

const NEWER = 'База даних новіша за програму: установіть новішу версію або відновіть резервну копію'

/** The same with the schema as it is. */
export async function openDatabase(config: Config, closers: Closers): Promise<Embedded | null> {
  let embedded: Embedded | null = null
  if (!config.databaseUrl) {
    const { startEmbedded } = await import('#lib/core/db/embedded.ts')
    embedded = await startEmbedded(config.dataDir)
    closers.push(embedded.stop)
  }
  const { pool } = await import('#lib/core/db/db.ts')
  // A connection that is still lent out does not hold the end up: the server closes it.
  closers.push(() => Promise.race([pool.end(), new Promise((resolve) => setTimeout(resolve, 2000))]))
  const { flushPendingNotifications } = await import('#lib/core/live/process-notification.ts')
  closers.push(() => Promise.race([flushPendingNotifications(), new Promise((resolve) => setTimeout(resolve, 1000))]))
  return embedded
}

/** What is answered beside the renderer: files, and live picture and sound, whose child ends with this process. */
export async function createEndpoints(closers: Closers): Promise<ReadonlyMap<string, Endpoint>> {
  const { fileEndpoints } = await import('#lib/core/files/files.ts')
  const { isSessionAlive } = await import('#lib/user/session-call.ts')
  const { broadcastEndpoint: broadcastDoor } = await import('#lib/core/broadcast/broadcast-endpoint.ts')
  const { hlsEndpoint: hlsDoor } = await import('#lib/core/broadcast/hls/hls-endpoint.ts')
  const { HLS_PATH: HLS_DOOR } = await import('#lib/core/broadcast/hls/hls-token.ts')
  const { BROADCAST_PATH: BROADCAST_DOOR, startBroadcast } = await import('#lib/core/broadcast/broadcast.ts')
  const { canUseStream: guardStreams } = await import('#lib/meeting/stage/media-access.ts')
  closers.push(await startBroadcast())
  return new Map([
    ...fileEndpoints(isSessionAlive),
    [BROADCAST_DOOR, broadcastDoor(guardStreams)],
    [HLS_DOOR, hlsDoor(guardStreams)],
  ])
}

/** Starts this installation's jobs; they end first. */
export async function startJobWorker(closers: Closers): Promise<void> {
  const { startJobs } = await import('#lib/core/jobs/jobs.ts')
  const { jobs } = await import('#lib/jobs.ts')
  const running = await startJobs(jobs)
  closers.push(() => running.stop())
}

/**
 * First SIGINT or SIGTERM: everything is closed in order, exit 0. A second one, later than the copy of Ctrl-C that npm
 * sends along: exit at once. Errors nobody caught are logged once the start is over (`settled`), and end it before.
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
    if (started) return void noteError(error)
    console.error(error instanceof Error ? error.message : error)
    if (endedAt === 0) void end(1)
  }
  process.on('uncaughtException', unhandled)
  process.on('unhandledRejection', unhandled)
  const settled = () => {
    started = true
  }
  return { settled, end }
}

// A killed npm passes nothing on; what it started would keep its port and its lock. Started without npm, a process may
// outlive its parent on purpose.
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

async function noteError(error: unknown): Promise<void> {
  const { log } = await import('#lib/core/log.ts')
  log.error({ err: error }, 'an error nobody caught')
}

function lockName(directory: string): string {
  if (process.platform !== 'linux') return path.join(directory, 'app.lock')
  return `\0kafedra-${createHash('sha256').update(directory).digest('hex').slice(0, 32)}`
}

function listens(server: net.Server, name: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error & { code?: string }) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error))
    server.once('error', failed)
    server.listen(name, () => {
      server.off('error', failed)
      resolve(true)
    })
  })
}

function askHolder(name: string): Promise<string | null> {
  return new Promise((resolve) => {
    let said = ''
    const socket = net.connect(name)
    socket.setTimeout(1000, () => socket.destroy())
    socket.on('data', (chunk) => (said += String(chunk)))
    socket.on('error', () => resolve(null))
    socket.on('close', () => resolve(said))
  })
}
