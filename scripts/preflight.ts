import { execFile } from 'node:child_process'
import dgram from 'node:dgram'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Config } from '#lib/core/config/config.ts'
import { refuseNewer } from '#lib/core/db/journal.ts'
import { isServiceUnavailable } from '#lib/core/service-unavailable.ts'
import { reasonOf } from './reason.ts'

/** The oldest version of PostgreSQL on which the migrations and all statements work. */
export const OLDEST_POSTGRES = 15

/**
 * Checks the configured addresses, database, data directory and encoder before anything is created or started. Throws an
 * error that lists the wrong variables, and then waits for a database that is away. `listens` is false for a process without
 * an HTTP server.
 */
export async function preflight(config: Config, { listens = true } = {}): Promise<void> {
  const { databaseUrl } = config
  refuseFaults(
    await Promise.all([
      listens ? addressFault(config) : null,
      databaseUrl ? databaseFault(() => examineDatabase(databaseUrl)) : null,
      dataDirFault(config.dataDir),
      broadcastFault(config.broadcast),
      encoderFault(config.ffmpegPath),
    ]),
  )
  if (!databaseUrl) return
  const { waitForDatabase } = await import('#lib/core/db/wait-for-database.ts')
  refuseFaults([await databaseFault(() => waitForDatabase(() => examineDatabase(databaseUrl)))])
}

function refuseFaults(faults: (string | null)[]): void {
  const lines = faults.filter((fault) => fault !== null)
  if (lines.length > 0) throw new Error(`Налаштування · Configuration:\n${lines.map((line) => `  ${line}`).join('\n')}`)
}

// A port in use is not reported here: it may belong to this installation, and the lock of the data directory reports it
// better.
async function addressFault(config: Config): Promise<string | null> {
  const code = await listenError(config)
  return code === null || code === 'EADDRINUSE' ? null : addressFaultOf(code, config)
}

/** Throws when the port is in use, before a database is created. */
export async function requireFreePort(config: Config): Promise<void> {
  if ((await listenError(config)) === 'EADDRINUSE') throw new Error(addressFaultOf('EADDRINUSE', config))
}

/** The message for an error code of `listen`. */
export function addressFaultOf(code: string, { host, port }: Pick<Config, 'host' | 'port'>): string {
  if (code === 'EADDRINUSE') return `PORT: порт ${port} зайнятий · port ${port} is taken. PORT=${port + 1} npm start`
  if (code === 'EACCES')
    return `PORT: порт ${port} потребує прав адміністратора · port ${port} needs a privilege (${code})`
  return `HOST: ${host} не є адресою цієї машини · is no address of this machine (${code})`
}

function listenError({ host, port }: Config): Promise<string | null> {
  return new Promise((resolve) => {
    const server = net.createServer()
    server.once('error', ({ code, message }: NodeJS.ErrnoException) => resolve(code ?? message))
    server.listen(port, host, () => server.close(() => resolve(null)))
  })
}

// A database that is away is no fault: the start waits for it, after the other settings were checked.
async function databaseFault(examine: () => Promise<string | null>): Promise<string | null> {
  try {
    return await examine()
  } catch (error) {
    return isServiceUnavailable(error) ? null : `DATABASE_URL: ${reasonOf(error)}`
  }
}

async function examineDatabase(connectionString: string): Promise<string | null> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000, query_timeout: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query("select current_setting('server_version_num')::int / 10000 as major")
    if (rows[0].major < OLDEST_POSTGRES)
      return `DATABASE_URL: PostgreSQL ${rows[0].major}, потрібна · needs ${OLDEST_POSTGRES}`
    await refuseNewer(client)
    return null
  } finally {
    await client.end().catch(() => {})
  }
}

// Tests a real write: file modes do not show a read-only file system, and root ignores them.
async function dataDirFault(dataDir: string): Promise<string | null> {
  let folder = dataDir
  while (!fs.existsSync(folder) && folder !== path.dirname(folder)) folder = path.dirname(folder)
  try {
    const probe = await fs.promises.mkdtemp(path.join(folder, '.kafedra-'))
    await fs.promises.rmdir(probe)
    return null
  } catch (error) {
    return `DATA_DIR: у ${folder} не можна писати · cannot be written (${reasonOf(error)})`
  }
}

function broadcastFault({ port, bind }: Config['broadcast']): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = dgram.createSocket(net.isIPv6(bind ?? '') ? 'udp6' : 'udp4')
    socket.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      socket.close()
      if (code === 'EADDRINUSE') resolve(null)
      else if (code === 'EACCES') resolve(`BROADCAST_PORT: ${port} (${code})`)
      else
        resolve(`BROADCAST_BIND: ${bind} не є адресою цієї машини · is no address of this machine (${code ?? message})`)
    })
    socket.bind(port, bind ?? '0.0.0.0', () => socket.close(() => resolve(null)))
  })
}

async function encoderFault(ffmpegPath: string | undefined): Promise<string | null> {
  if (!ffmpegPath) return null
  try {
    await promisify(execFile)(ffmpegPath, ['-version'], { timeout: 10_000 })
    return null
  } catch (error) {
    return `FFMPEG_PATH: ${ffmpegPath} не запускається · cannot be run (${reasonOf(error)})`
  }
}
