import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { type Cluster, isAlive } from './embedded-cluster.ts'

/** Whether a server accepts connections there: executes `select 1`, because a pid file may outlive its process. */
export async function acceptsConnections(socketDir: string): Promise<boolean> {
  const deadline = { connectionTimeoutMillis: 2000, query_timeout: 2000 }
  const client = new pg.Client({ host: socketDir, user: 'kafedra', database: 'kafedra', ...deadline })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

/** Process id of the server that runs on this cluster, or null. */
export function postmasterOf(data: string): number | null {
  const pid = Number.parseInt(readOr(path.join(data, 'postmaster.pid'), ''), 10)
  return pid > 0 && isAlive(pid) && servesData(pid, data) ? pid : null
}

/**
 * Starts a server as a detached process that outlives this one. `ended` becomes true when it exits during the start;
 * `words` then returns its output.
 */
export function spawnPostmaster(cluster: Cluster, socketDir: string): { ended: boolean; words: () => string } {
  // The process id in a leftover pid file may belong to another process by now, which PostgreSQL would treat as a
  // running server.
  if (postmasterOf(cluster.data) === null) fs.rmSync(path.join(cluster.data, 'postmaster.pid'), { force: true })
  const log = path.join(path.dirname(cluster.data), 'server.log')
  const size = fs.statSync(log, { throwIfNoEntry: false })?.size ?? 0
  const from = size > LONGEST_LOG ? 0 : size
  const file = fs.openSync(log, from === 0 ? 'w' : 'a', 0o600)
  if (cluster.owner) fs.fchownSync(file, cluster.owner.uid, cluster.owner.gid)
  const child = spawn(
    path.join(cluster.binaries, 'bin/postgres'),
    ['-D', cluster.data, ...settings(cluster, socketDir)],
    {
      cwd: '/',
      detached: true,
      stdio: ['ignore', file, file],
      ...cluster.owner,
    },
  )
  fs.closeSync(file)
  child.unref()
  const start = { ended: false, words: () => readOr(log, '').slice(from).trim().slice(-2000) }
  for (const event of ['exit', 'error']) child.on(event, () => Object.assign(start, { ended: true }))
  return start
}

/**
 * Requests a fast shutdown of the server (open transactions are rolled back) and waits; after 15 s requests an
 * immediate shutdown.
 */
export async function endPostmaster(data: string): Promise<void> {
  const pid = postmasterOf(data)
  if (pid === null) return
  process.kill(pid, 'SIGINT')
  const deadline = Date.now() + 15_000
  let hasKilled = false
  while (postmasterOf(data) === pid) {
    if (!hasKilled && Date.now() > deadline) {
      process.kill(pid, 'SIGQUIT')
      hasKilled = true
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const LONGEST_LOG = 5_000_000

function settings(cluster: Cluster, socketDir: string): string[] {
  const risky = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off']
  const all = [
    'listen_addresses=',
    `unix_socket_directories="${socketDir.replaceAll('"', '""')}"`,
    'unix_socket_permissions=0700',
    'max_connections=100',
    'shared_buffers=128MB',
    'timezone=UTC',
    'log_timezone=UTC',
    'jit=off',
    ...(cluster.fast ? risky : []),
  ]
  return all.flatMap((setting) => ['-c', setting])
}

function servesData(pid: number, data: string): boolean {
  if (process.platform !== 'linux') return true
  const [program = '', ...args] = readOr(`/proc/${pid}/cmdline`, '').split('\0')
  return path.basename(program) === 'postgres' && args.includes(data)
}

function readOr(file: string, otherwise: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return otherwise
  }
}
